/** What an apply did, in words, and what comes after it. */
import { command } from "../model/command.ts";
import { groupBy } from "../model/group-by.ts";
import { CODES } from "../model/diagnostic-codes.ts";
import {
  CIRCUIT_OPEN,
  isAsDeclared,
  type Outcome,
  type OutcomesDocument,
  type PipelineRun,
  type Status,
} from "../model/outcome.ts";
import { plural } from "../model/text/plural.ts";
import { timeText } from "./time.ts";
import { warningsAbout } from "./change-warnings.ts";
import { type Step, toRunnable } from "./command.ts";
import { sanitize } from "../model/text/quote.ts";
import type { RenderOptions } from "./options.ts";
import { ACTIONS, addressAndName, isShown, STATUSES } from "./marks.ts";
import { type Box, errorBox, type ShownGroup, groupsOf } from "./change-groups.ts";
import { ruleText } from "../model/rules.ts";

/** The outcomes of an apply as blocks, which each format lays out. */
export interface OutcomeView {
  /** The result of the run in two or three words. */
  readonly verdict: string;
  readonly isDone: boolean;
  readonly counts: readonly string[];
  /** The verdict and the counts in a sentence. */
  readonly result: string;
  /** What an outage has left of it. Sanitized. */
  readonly outage: string | undefined;
  /** The changes that ended so. Their fields take long, so a format asks only for those that it shows. */
  readonly groupsIf: (isOwn: (status: Status) => boolean) => readonly ShownGroup[];
  readonly skipped: readonly SkippedGroup[];
  readonly steps: readonly Step[];
  /** Who made it, and when. */
  readonly record: readonly (readonly [term: string, text: string])[];
}

export function outcomeView(document: OutcomesDocument, options: RenderOptions): OutcomeView {
  const { type, changes } = document;
  const isApplied = ({ status }: Outcome): number => Number(status === "applied");
  // What was done comes last.
  const shown = changes.filter(isShown).toSorted((a, b) => isApplied(a) - isApplied(b));
  const [word, counted] = [verdict(document), countsOf(document)];
  return {
    verdict: word,
    isDone: isDone(changes),
    counts: counted,
    result: `${word}: ${counted.length === 0 ? "nothing is declared" : counted.join(", ")}.`,
    outage: outageText(document),
    groupsIf: (isOwn) =>
      groupsOf(
        shown.filter(({ status }) => isOwn(status)),
        { ...options, type, warnings: warningsAbout(document, options).ofOne },
      ).groups,
    skipped: skippedGroups(shown, options),
    steps: stepsAfter(document, options),
    record: recordFacts(document),
  };
}

/** The code of what an interrupt has stopped. */
const INTERRUPTED = "interrupted";

/** The codes of reasons that are said elsewhere: what they have skipped is only counted. */
const SAID: ReadonlySet<string> = new Set([INTERRUPTED, "unreadable"]);

/** Whether an outage has made changes fail before anything was written. */
export function isStoppedByOutage({ box, mark }: Pick<ShownGroup, "box" | "mark">): boolean {
  return box?.code === CODES.outage && mark.tone === "failed";
}

/** Whether a change was skipped because writes before it had failed in a row. */
function isUnsent({ error }: Outcome): boolean {
  return error?.code === CIRCUIT_OPEN;
}

/** What an outage has left of an apply; undefined if there was none. Sanitized. */
function outageText({ changes }: OutcomesDocument): string | undefined {
  const tried = changes.filter(({ action }) => action !== "no_op");
  const outage = tried.find(({ error }) => error?.code === CODES.outage)?.error?.message;
  const cause = outage ?? (changes.some(isUnsent) ? "the service fails" : undefined);
  if (cause === undefined) return undefined;
  const made = tried.filter(({ status }) => status === "applied" || status === "yielded" || status === "unverified");
  const unknown = tried.filter(({ status }) => status === "unknown").length;
  const left = tried.length - made.length - unknown;
  const counts = [
    `${String(made.length)} of ${plural(tried.length, "change")} ${made.length === 1 ? "was" : "were"} made`,
    ...(unknown === 0 ? [] : [`${String(unknown)} may have been made`]),
    ...(left === 0 ? [] : [`${String(left)} ${left === 1 ? "was" : "were"} not`]),
  ];
  return sanitize(`${cause}: ${counts.join(", ")}.`).replace(/^the /u, "The ");
}

/** Changes that were skipped for the same reason. */
export interface SkippedGroup extends Omit<Box, "lead"> {
  /** Whether a safety rule blocks them. */
  readonly isBlocked: boolean;
  /** With the names of the objects. Sanitized. */
  readonly addresses: readonly string[];
}

/**
 * The skipped changes by reason, in the order in which they are first met. Blocks of one rule are one group, as in a plan: where each
 * has a hint of its own, the plan has all of them.
 */
function skippedGroups(outcomes: readonly Outcome[], options: RenderOptions): readonly SkippedGroup[] {
  const skipped = outcomes.flatMap((outcome) => {
    const problem = problemBox(outcome);
    return outcome.status === "skipped" && !SAID.has(problem.code) ? [{ outcome, problem }] : [];
  });
  const groups = groupBy(skipped, ({ outcome: { blocked }, problem: { code, text, hint } }) =>
    JSON.stringify([code, text, blocked === null ? hint : null]),
  );
  const plan = { text: "To see how to go ahead with each of them:", command: toRunnable(command("plan"), options) };
  return [...groups.values()].map((group) => {
    const [{ outcome, problem }] = group;
    const isShared = new Set(group.map((one) => JSON.stringify(one.problem.hint))).size === 1;
    const addresses = group.map((one) => addressAndName(one.outcome));
    return { ...problem, hint: isShared ? problem.hint : plan, isBlocked: outcome.blocked !== null, addresses };
  });
}

/** Why a change was blocked or skipped. */
function problemBox({ error, blocked, reason }: Outcome): Omit<Box, "lead"> {
  if (blocked === null) return error === null ? { code: "skipped", text: reason, hint: undefined } : errorBox(error);
  const hint = { text: blocked.lift, command: blocked.command };
  return { code: `blocked (${blocked.rule})`, text: ruleText(blocked), hint };
}

/** The counts of changes: applied ones by action, then the others by status. */
function countsOf({ changes }: OutcomesDocument): readonly string[] {
  const phrase = (words: string, isOwn: (one: Outcome) => boolean): readonly string[] => {
    const count = changes.filter(isOwn).length;
    return count === 0 ? [] : [`${count} ${words}`];
  };
  return [
    ...Object.entries(ACTIONS).flatMap(([action, { done }]) =>
      phrase(done, (one) => one.action === action && one.status === "applied"),
    ),
    ...Object.entries(STATUSES).flatMap(([status, { word }]) =>
      status === "applied" ? [] : phrase(word, (one) => one.status === status),
    ),
  ];
}

/** Whether everything is as declared: a change that yielded found the object of another run. */
function isDone(changes: readonly Outcome[]): boolean {
  return changes.every((change) => isAsDeclared(change) || change.status === "yielded");
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

/** Who made an apply, and when. */
function recordFacts({ record, requests }: OutcomesDocument): OutcomeView["record"] {
  const { commit, pipeline, declared_user: user, lifted_by: lifted } = record;
  const facts: readonly (readonly [term: string, text: string | undefined])[] = [
    ["Began", timeText(record.started_at, "second")],
    ["Ended", timeText(record.ended_at, "second")],
    ["Commit", commit],
    ["Pipeline", pipeline && pipelineText(pipeline)],
    ["Key", `SHA-256 ends in ${record.key_hash_end}${user === undefined ? "" : ` (declared as ${user})`}`],
    ["Lifted by", lifted?.join(", ")],
    ["Sent", plural(requests, "request")],
  ];
  return facts.flatMap(([term, text]) => (text === undefined ? [] : [[term, text] as const]));
}

function pipelineText({ url, started_by: by }: PipelineRun): string {
  return by === undefined ? url : `${url} (started by ${by})`;
}

/** The next steps, one line each; none if the caller reports them itself. */
function stepsAfter({ changes, record }: OutcomesDocument, options: RenderOptions): readonly Step[] {
  if (options.showsNextSteps === false) return [];
  const has = (status: Status): boolean => changes.some((change) => change.status === status);
  const plan = toRunnable(command("plan"), options);
  const apply = toRunnable(command("apply"), options);
  if (record.interrupted === true && isDone(changes)) return [{ text: "Interrupted, after all changes were made." }];
  if (record.interrupted === true || changes.some(({ error }) => error?.code === INTERRUPTED))
    return [{ text: "Interrupted. To make the changes that are left:", command: apply }];
  const steps: Step[] = [];
  if (has("unknown"))
    steps.push({ text: "Some changes may or may not have happened. To see the current state:", command: plan });
  if (has("unverified"))
    steps.push({
      text: "Some changes were made, but not everything is as declared. To see what remains:",
      command: plan,
    });
  if (changes.some((one) => isUnsent(one) || (one.error?.code === CODES.outage && one.status === "failed")))
    return [...steps, { text: "To go on once it answers:", command: apply }];
  if (has("failed"))
    steps.push({ text: "Changes that succeeded are not repeated. Once you have fixed what failed:", command: apply });
  if (steps.length === 0 && changes.some(({ status, error }) => status === "skipped" && !SAID.has(error?.code ?? "")))
    steps.push({ text: "Skipped changes were not made. Once you have resolved the reasons above:", command: plan });
  return steps;
}
