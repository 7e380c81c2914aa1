import type { Outcome, OutcomeError, OutcomesDocument, Status } from "../model/outcome.ts";
import { sanitize } from "./escape.ts";
import { ACTIONS, plural, ruleText, STATUSES } from "./phrases.ts";

const PROBLEMS = ["failed", "unverified", "unknown", "skipped"] as const satisfies readonly Status[];

/** What became of one change: "created, id 7", "update: failed"; sanitized. */
export function resultText({ action, status, id }: Outcome): string {
  if (action === "unknown") return "skipped: it could not be determined what to do";
  if (status !== "applied") return `${ACTIONS[action].verb}: ${STATUSES[status].word}`;
  return action === "create" && id !== null ? `created, id ${sanitize(id)}` : ACTIONS[action].done;
}

/** What went wrong with it, or what held it back. */
export function problemOf({ error, blocked }: Outcome): OutcomeError | undefined {
  if (blocked !== null)
    return { code: `blocked (${blocked.rule})`, message: ruleText(blocked.rule), hint: blocked.lift };
  return error ?? undefined;
}

/** Everything that was done, and everything that was not. */
export function outcomePhrases({ changes }: OutcomesDocument): readonly string[] {
  const done = Object.entries(ACTIONS).flatMap(([action, words]) => {
    const count = changes.filter((change) => change.action === action && change.status === "applied").length;
    return count === 0 || action === "no_op" ? [] : [`${count} ${words.done}`];
  });
  const open = PROBLEMS.flatMap((status) => {
    const count = changes.filter((change) => change.status === status).length;
    return count === 0 ? [] : [`${count} ${STATUSES[status].word}`];
  });
  const same = changes.filter(({ action, status }) => action === "no_op" && status === "applied").length;
  return [...done, ...open, ...(same > 0 ? [`${same} unchanged`] : [])];
}

/** How the run went, in two or three words. */
export function verdict({ changes }: OutcomesDocument): string {
  const tried = changes.filter(({ action }) => action !== "no_op");
  const done = tried.filter(({ status }) => status === "applied").length;
  if (changes.every(({ status }) => status === "applied")) return tried.length === 0 ? "Nothing to do" : "Applied";
  return done === 0 ? "Not applied" : "Applied in part";
}

/** The verdict, the counts and the cost in one sentence. */
export function outcomeSentence(document: OutcomesDocument): string {
  const phrases = outcomePhrases(document);
  const counted = phrases.length === 0 ? "nothing is declared" : phrases.join(", ");
  return `${verdict(document)}: ${counted}. ${plural(document.requests, "request")} sent.`;
}

/** What to do now, one sentence per line. */
export function outcomeSteps({ changes }: OutcomesDocument): readonly string[] {
  const has = (status: Status): boolean => changes.some((change) => change.status === status);
  const steps: string[] = [];
  if (has("unknown"))
    steps.push("Some changes may or may not have happened: `driftline plan` shows what the service holds now.");
  if (has("unverified"))
    steps.push("Some changes were accepted, but do not show yet: `driftline plan` tells whether they do by now.");
  if (has("failed")) steps.push("See to what failed and run `driftline apply` again: what is done is not done twice.");
  if (steps.length === 0 && has("skipped"))
    steps.push("What was skipped is still as it was: see to the reasons above, then plan again.");
  return steps;
}
