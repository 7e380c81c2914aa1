/**
 * Asks the service what the changed queries of a plan do to their numbers.
 *
 * Premise: a calculation may be slow, limited, forbidden or broken, and the plan must not depend on it. It sends no
 * write, only reads that need the scope `query:read`.
 * Algorithm: take the first changes up to the limit, a few at a time, and ask for both sides over one range. Equal
 * questions are asked once, and never again. After an error that every question to a route would get, that route is not
 * asked again. At the end of the time, or if the run is interrupted, what is missing is left out and counted.
 */
import type { Client } from "../../api/client.ts";
import { ApiError, type ErrorKind, oneLine } from "../../api/errors/errors.ts";
import { createPool } from "../../apply/schedule/pool.ts";
import { type Calculation, type CalculatedSide, isUncalculable, type Uncalculable } from "../../kinds/calculation.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Effect, Effects } from "../../model/effect.ts";
import { errorReason } from "../../model/text/error-reason.ts";
import { canonicalJson } from "../../model/json/canonical-json.ts";
import type { JsonObject } from "../../model/json/json.ts";
import type { ScopePath } from "../../model/live.ts";
import type { EngineContext, EngineInput } from "../context.ts";
import type { PlannedRun } from "../plan/plan-config.ts";
import { redacted } from "../redact.ts";
import { pairedSeries } from "./pair.ts";
import { changesOfNumbers, liveMissing, type Questions, questionsOf, type Unasked } from "./questions.ts";

/** The part of a run that its effects follow from. */
export interface ChangedRun extends Pick<PlannedRun, "world"> {
  readonly plan: Pick<PlannedRun["plan"], "changes">;
  readonly input: Pick<EngineInput, "client" | "context">;
}

export interface EffectOptions {
  /** How many insights are asked for at most. */
  readonly limit: number;
  /** How long all calculations may take together. Milliseconds. */
  readonly budgetMs: number;
  /** `totals`: the values of a breakdown are added up, because they may be personal data. */
  readonly breakdowns: "shown" | "totals";
  /** Gets an error for each declared query that the service refuses to run. */
  readonly onRefused?: (error: Diagnostic) => void;
}

/** How many insights are asked for at the same time. A project of PostHog may run only a few queries. */
const AT_ONCE = 3;

/** Errors that every other question to the same route would get as well. */
const HOPELESS: ReadonlySet<ErrorKind> = new Set(["auth", "scope", "not_found"]);

const OTHER_INTERVAL = "The intervals differ, so the totals are not compared.";

/** Longer reasons are cut. Characters. */
const MOST_REASON = 300;

/** The plan itself is complete, but what it declares does not work. */
function refusedQuery(address: string, reason: string): Diagnostic {
  const message = `the service refuses to run the declared query: ${reason}`;
  return { severity: "error", code: "query_refused", message, hint: "Correct the query.", address };
}

type Asked = CalculatedSide | Uncalculable;

/** The effects of a plan's changes. Sends at most two requests for each, and nothing for a plan without such changes. */
export async function calculateEffects(run: ChangedRun, options: EffectOptions): Promise<Effects> {
  const { input, plan, world } = run;
  const { client, context } = input;
  const changes = changesOfNumbers(plan.changes);
  const now = context.clock.now();
  const questions = changes.slice(0, options.limit).map(async (change) => {
    const failed = (error: unknown): Unasked => notCalculatedDefect(change.address, error);
    return questionsOf(change, world, { now, profile: client.profile }).catch(failed);
  });
  const asked = await Promise.all(questions);
  const asking = new Asking(client, context, now + options.budgetMs);
  const pool = createPool(AT_ONCE);
  const answered = await Promise.all(asked.map((one) => pool.run(() => asking.effectOf(one, options))));
  const insights = answered.filter((effect) => effect !== undefined);
  const count = changes.length - insights.length;
  const reason = context.signal?.aborted === true ? "interrupted" : insights.length < asked.length ? "time" : "limit";
  const effects: Effects = { insights, ...(count === 0 ? {} : { left_out: { count, reason } }) };
  return redacted(effects, context.redactor);
}

/** The questions of one run, and the answers so far. */
class Asking {
  readonly #client: Client;
  readonly #context: EngineContext;
  /** Milliseconds since the epoch. */
  readonly #deadline: number;
  readonly #answers = new Map<string, Promise<Asked>>();
  /** Why nothing more is asked, by route: an error that every question there would get. */
  readonly #refused = new Map<string, string>();

  constructor(client: Client, context: EngineContext, deadline: number) {
    this.#client = client;
    this.#context = context;
    this.#deadline = deadline;
  }

  /** Nothing that goes wrong here may cost the plan. @returns undefined if the time is over */
  async effectOf(asked: Questions | Unasked, options: EffectOptions): Promise<Effect | undefined> {
    if (this.#isOver()) return undefined;
    if (!("after" in asked)) return asked;
    try {
      return await this.#compared(asked, options);
    } catch (error) {
      return notCalculatedDefect(asked.address, error);
    }
  }

  async #compared(questions: Questions, { breakdowns, onRefused }: EffectOptions): Promise<Effect | undefined> {
    const { address, path, range } = questions;
    const [before, after] = await Promise.all([
      questions.before === undefined ? undefined : this.#ask(questions.before, path),
      this.#ask(questions.after, path),
    ]);
    if (this.#context.signal?.aborted === true) return undefined;
    if (isUncalculable(after)) {
      const reason = oneLine(this.#context.redactor.text(after.reason), MOST_REASON);
      if (after.isRefused === true) onRefused?.(refusedQuery(address, reason));
      return { address, not_calculated: reason };
    }
    const isMissing = before !== undefined && isUncalculable(before);
    const { notes, series, ...sides } = pairedSeries({ before: isMissing ? undefined : before, after }, breakdowns);
    // A single number, as of a BoldNumber, has no intervals.
    const hasPoints = series.some(({ before: old, after: now }) => [old, now].some((side) => side?.points.length));
    const interval = hasPoints
      ? { before: questions.before?.interval ?? null, after: questions.after.interval }
      : { before: null, after: null };
    const isOther = interval.before !== null && interval.after !== null && interval.before !== interval.after;
    const more = [
      ...(isMissing ? [liveMissing(oneLine(this.#context.redactor.text(before.reason), MOST_REASON))] : []),
      ...(isOther ? [OTHER_INTERVAL] : []),
    ];
    const comparable = isOther ? series.map((one) => ({ ...one, percent: null })) : series;
    return { address, ...sides, series: comparable, range, interval, notes: [...questions.notes, ...notes, ...more] };
  }

  #ask(question: Calculation, path: ScopePath): Promise<Asked> {
    const { call } = question;
    const key = canonicalJson([call.operation, { ...path, ...call.path }, call.body ?? null]);
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const answer = this.#send(question, path);
    this.#answers.set(key, answer);
    return answer;
  }

  async #send({ call, read }: Calculation, path: ScopePath): Promise<Asked> {
    const route = canonicalJson([call.operation, { ...path }]);
    const refused = this.#refused.get(route);
    if (refused !== undefined) return { reason: refused };
    try {
      const { body } = await this.#client.request(call.operation, {
        path: { ...path, ...call.path },
        body: call.body === undefined ? undefined : (call.body as JsonObject),
        deadline: this.#deadline,
        attempts: 1,
        signal: this.#context.signal,
      });
      return read(body);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (HOPELESS.has(error.kind)) this.#refused.set(route, error.message);
      return { reason: error.message, isRefused: error.status === 400 };
    }
  }

  #isOver(): boolean {
    return this.#context.signal?.aborted === true || this.#context.clock.now() >= this.#deadline;
  }
}

function notCalculatedDefect(address: string, error: unknown): Unasked {
  return { address, not_calculated: `a defect of driftline: ${oneLine(errorReason(error), MOST_REASON)}` };
}
