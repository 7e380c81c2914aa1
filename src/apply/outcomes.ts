import type { Change } from "../model/change.ts";
import type { OutcomeError, Status, Outcome } from "../model/outcome.ts";
import type { Answer } from "../api/client.ts";
import { ApiError } from "../api/errors/errors.ts";
import type { Plan } from "../model/plan.ts";
import type { Run } from "./run.ts";
import { ChangeError, type Task } from "./task.ts";
import { reread } from "./actions/verify.ts";

/** How a change ended. */
export interface ChangeResult {
  readonly status: Status;
  readonly error: OutcomeError | null;
}

/** The end of a change for which nothing is done; undefined where there is something to do. */
export function resultWithoutWork({ action, blocked, reason }: Change): ChangeResult | undefined {
  if (blocked !== null) {
    const message = `refused by the rule ${blocked.rule}`;
    return { status: "skipped", error: { code: blocked.rule, message, hint: blocked.lift } };
  }
  if (action === "unknown") return { status: "skipped", error: { code: "unknown", message: reason } };
  return action === "no_op" ? { status: "applied", error: null } : undefined;
}

/** Why a change was not begun, or not ended. */
export const INTERRUPTED: OutcomeError = {
  code: "interrupted",
  message: "not begun: interrupted",
  hint: "Apply again.",
};
export const PARENT_FAILED: OutcomeError = {
  code: "parent_failed",
  message: "what it belongs to is not there",
  hint: "Apply again once its parent is.",
};
export const KEY_TAKEN: OutcomeError = {
  code: "key_taken",
  message: "another object still has its natural key, as that one was not renamed",
  hint: "Put right what failed, and apply again.",
};
export const NAME_IN_DOUBT: OutcomeError = {
  code: "name_in_doubt",
  message: "nobody knows whether another object of its name was created, so that this one could not be told from it",
  hint: "Apply again.",
};
export const NOT_REMOVED: OutcomeError = {
  code: "not_removed",
  message: "nothing is removed after a failure",
  hint: "Put right what failed, and apply again.",
};
export const STOPPED_IN_FLIGHT: OutcomeError = {
  code: "outcome_unknown",
  message: "stopped with a request in flight: it may or may not have taken effect",
  hint: "Run plan: it shows what the service holds. The next apply settles it before anything else.",
};
export const STOPPED_IN_PART: OutcomeError = {
  code: "interrupted",
  message: "stopped before it was done: a part of it was written",
  hint: "Run plan: it shows what is left. The next apply does that.",
};

/** What is known of the last request that writes for a change. */
export type LastWrite = "in flight" | "answered" | "unclear";

/** Sends a request; `onRequest` is told of every try. */
export type Send = (onRequest: () => void) => Promise<Answer>;
/** Sends a request that writes, and notes what is known of it. */
export type Watch = (send: Send) => Promise<Answer>;

/** Keeps `writes` up to date for an address. What certainly did not arrive leaves what was known before. */
export function watchWrites(writes: Map<string, LastWrite>, address: string): Watch {
  return async (send) => {
    const before = writes.get(address);
    try {
      const answer = await send(() => void writes.set(address, "in flight"));
      writes.set(address, "answered");
      return answer;
    } catch (error) {
      const isUnclear = !(error instanceof ApiError) || error.effect === "maybe";
      if (isUnclear) writes.set(address, "unclear");
      else if (before === undefined) writes.delete(address);
      else writes.set(address, before);
      throw error;
    }
  };
}

/**
 * The outcomes as they would be if everything stopped at this moment: for a process that cannot wait for its requests. What was
 * begun and is not answered is unknown.
 */
export function interimOutcomes(run: Run, plan: Plan): readonly Outcome[] {
  return plan.changes.map((change) => run.outcomes.get(change.address) ?? interimOutcome(run, change));
}

function interimOutcome(run: Run, change: Change): Outcome {
  const { work: _work, ...shown } = change;
  const { status, error } = resultWithoutWork(change) ?? resultIfStopped(run.writes.get(change.address));
  return { ...shown, status, error, requests: run.requests.get(change.address) ?? 0 };
}

function resultIfStopped(last: LastWrite | undefined): ChangeResult {
  const withError = (status: ChangeResult["status"], error: OutcomeError): ChangeResult => ({ status, error });
  if (last === undefined) return withError("skipped", INTERRUPTED);
  return last === "answered" ? withError("unverified", STOPPED_IN_PART) : withError("unknown", STOPPED_IN_FLIGHT);
}

/** Why a change did not end as applied, as its outcome says it. */
type ChangeProblem = OutcomeError & { readonly status: Status; readonly id: string | null };

/** The outcome that an error comes to. `isSent` tells whether the change has sent anything by then. */
export async function describeProblem(
  error: unknown,
  change: Change,
  task: Task,
  isSent: boolean,
): Promise<ChangeProblem> {
  if (error instanceof ChangeError) {
    const hint = await manualStepFor(error.code, change, task, error.id);
    return {
      status: error.status,
      id: error.id ?? change.id,
      code: error.code,
      message: error.message,
      hint: hint ?? error.hint,
      ...(error.paths === undefined ? {} : { paths: error.paths }),
    };
  }
  if (!(error instanceof ApiError)) return defect(error, change, isSent);
  const code = error.code ?? error.kind;
  const hint = await manualStepFor(code, change, task, change.id);
  const status = hint === undefined ? statusOf(error) : "unverified";
  return { status, id: change.id, code, message: error.message, hint: hint ?? error.hint };
}

/** Of a read the effect says nothing: whatever came of it, it changed nothing. */
function statusOf({ kind, effect, method }: ApiError): Status {
  if (effect === "maybe" && method !== "GET") return "unknown";
  return kind === "interrupted" ? "skipped" : "failed";
}

/** A mistake of our own ends its change, not the run: what became of the other changes has to be told. */
function defect(error: unknown, change: Change, isSent: boolean): ChangeProblem {
  const message = error instanceof Error ? error.message : String(error);
  const hint = "This should not happen. Please report it, with what you ran; run plan to see what the service holds.";
  return { status: isSent ? "unknown" : "failed", id: change.id, code: "defect", message, hint };
}

/** What has to happen outside of the service first, with what the object itself says of that. */
async function manualStepFor(code: string, change: Change, task: Task, id: string | null): Promise<string | undefined> {
  if (id === null || task.kind.manualStep?.(code, {}) === undefined) return undefined;
  const live = await reread(task, id).catch(() => change.work?.live);
  return live === undefined ? undefined : task.kind.manualStep(code, live.values);
}
