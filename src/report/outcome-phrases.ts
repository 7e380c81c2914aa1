/** The words for the outcomes of an apply, and for what comes after it. */
import { command } from "../model/command.ts";
import { groupBy } from "../model/group-by.ts";
import type { Outcome, OutcomeError, OutcomesDocument, Status } from "../model/outcome.ts";
import { type Step, toRunnable } from "./command.ts";
import { sanitize } from "../model/quote.ts";
import type { RenderOptions } from "./options.ts";
import { rightsText } from "./person.ts";
import { ACTIONS, addressAndName, STATUSES } from "./marks.ts";
import { ruleText } from "../model/rule-reasons.ts";

const PROBLEMS = ["yielded", "failed", "unverified", "unknown", "skipped"] as const satisfies readonly Status[];

/** The code of what an interrupt has stopped. */
const INTERRUPTED = "interrupted";

/** What a change did, such as "deleted (OWNER, no second factor)"; sanitized. */
export function doneText(outcome: Outcome): string {
  const rights = rightsText(outcome);
  return `${ACTIONS[outcome.action].done}${rights === "" ? "" : ` (${rights})`}`;
}

/** The result of one change, such as "created, id 7" or "update: failed"; sanitized. */
export function resultText(outcome: Outcome): string {
  const { action, status, id, taken_back: takenBack } = outcome;
  if (action === "unknown") return "skipped: the required change is unknown";
  if (status === "yielded") {
    const own = takenBack === undefined ? "" : `; the own one, id ${sanitize(takenBack)}, was taken back`;
    return `created by another run, id ${sanitize(id ?? "")}${own}`;
  }
  if (status !== "applied") return `${ACTIONS[action].verb}: ${STATUSES[status].word}`;
  return action === "create" && id !== null ? `${doneText(outcome)}, id ${sanitize(id)}` : doneText(outcome);
}

/** Why a change failed or was blocked. */
export function outcomeProblem({ error, blocked }: Outcome): OutcomeError | undefined {
  if (blocked !== null)
    return {
      code: `blocked (${blocked.rule})`,
      message: ruleText(blocked),
      hint: blocked.remedy,
      command: blocked.command,
    };
  return error ?? undefined;
}

/** Changes that were skipped for the same reason. */
export interface SkippedGroup extends OutcomeError {
  /** Whether a safety rule blocks them. */
  readonly isBlocked: boolean;
  /** With the names of the objects. Sanitized. */
  readonly addresses: readonly string[];
}

/**
 * The skipped changes by reason, in the order in which they are first met. Blocks of one rule are one group, as in a plan: where each
 * has a remedy of its own, the plan has all of them. What an interrupt has skipped is only counted: its reason is known.
 */
export function skippedGroups(outcomes: readonly Outcome[], options: RenderOptions): readonly SkippedGroup[] {
  const skipped = outcomes.flatMap((outcome) => {
    const problem: OutcomeError = outcomeProblem(outcome) ?? { code: "skipped", message: outcome.reason };
    return outcome.status === "skipped" && problem.code !== INTERRUPTED ? [{ outcome, problem }] : [];
  });
  const groups = groupBy(skipped, ({ outcome: { blocked }, problem }) =>
    JSON.stringify([problem.code, problem.message, blocked === null ? remedyOf(problem) : null]),
  );
  const plan = { hint: "To see how to go ahead with each of them:", command: toRunnable(command("plan"), options) };
  return [...groups.values()].map((group) => {
    const [{ outcome, problem }] = group;
    const isShared = new Set(group.map((one) => JSON.stringify(remedyOf(one.problem)))).size === 1;
    const addresses = group.map((one) => addressAndName(one.outcome));
    return { ...problem, ...(isShared ? {} : plan), isBlocked: outcome.blocked !== null, addresses };
  });
}

function remedyOf({ hint, command: words }: OutcomeError): readonly unknown[] {
  return [hint, words];
}

/** The counts of changes: applied ones by action, then the others by status. */
export function outcomePhrases({ changes }: OutcomesDocument): readonly string[] {
  const done = Object.entries(ACTIONS).flatMap(([action, words]) => {
    const count = changes.filter((change) => change.action === action && change.status === "applied").length;
    return count === 0 || action === "no_op" ? [] : [`${count} ${words.done}`];
  });
  const problems = PROBLEMS.flatMap((status) => {
    const count = changes.filter((change) => change.status === status).length;
    return count === 0 ? [] : [`${count} ${STATUSES[status].word}`];
  });
  const unchanged = changes.filter(({ action, status }) => action === "no_op" && status === "applied").length;
  return [...done, ...problems, ...(unchanged > 0 ? [`${unchanged} unchanged`] : [])];
}

/** Whether everything is as declared: a change that yielded found the object of another run. */
export function isDone(changes: readonly Outcome[]): boolean {
  return changes.every(({ status }) => status === "applied" || status === "yielded");
}

/** The result of the run in two or three words. */
export function verdict({ changes }: OutcomesDocument): string {
  const tried = changes.filter(({ action }) => action !== "no_op");
  if (isDone(changes)) return tried.length === 0 ? "Nothing to do" : "Applied";
  const has = (...statuses: readonly Status[]): boolean => tried.some(({ status }) => statuses.includes(status));
  // What is unverified was written.
  if (has("applied", "yielded", "unverified")) return "Partly applied";
  return has("unknown") ? "Perhaps applied" : "Not applied";
}

/** The next steps, one line each; none if the caller reports them itself. */
export function outcomeSteps({ changes }: OutcomesDocument, options: RenderOptions): readonly Step[] {
  if (options.showsNextSteps === false) return [];
  const has = (status: Status): boolean => changes.some((change) => change.status === status);
  const plan = toRunnable(command("plan"), options);
  const apply = toRunnable(command("apply"), options);
  if (changes.some(({ error }) => error?.code === INTERRUPTED))
    return [{ text: "Interrupted. To make the changes that are left:", command: apply }];
  const steps: Step[] = [];
  if (has("unknown"))
    steps.push({ text: "Some changes may or may not have happened. To see the current state:", command: plan });
  if (has("unverified"))
    steps.push({
      text: "Some changes were made, but not everything is as declared. To see what remains:",
      command: plan,
    });
  if (has("failed"))
    steps.push({
      text: "Changes that succeeded are not repeated. Once you have fixed what failed:",
      command: apply,
    });
  if (steps.length === 0 && has("skipped"))
    steps.push({
      text: "Skipped changes were not made. Once you have resolved the reasons above:",
      command: plan,
    });
  return steps;
}
