/** The symbols and words of changes and of their results. */
import { isRemoval, type Action } from "../model/change.ts";
import type { Outcome, OutcomesDocument, Status } from "../model/outcome.ts";
import type { PlanDocument, ShownChange } from "../model/plan.ts";
import { cut, quoted, sanitize } from "../model/text/quote.ts";
import type { Style } from "./color.ts";
import { personAddress, rightsText } from "./person.ts";

/** The type of a document that has changes. */
export type ReportType = (PlanDocument | OutcomesDocument)["type"];

/** The words for an action: before it (`todo`), after it (`done`), and in a drift report (`drift`). */
export interface ActionWords {
  readonly symbol: string;
  readonly style: Style;
  readonly verb: string;
  readonly todo: string;
  readonly done: string;
  readonly drift: string;
}

/** In the order in which reports count them. */
export const ACTIONS: Readonly<Record<Action, ActionWords>> = {
  create: { symbol: "+", style: "green", verb: "create", todo: "to create", done: "created", drift: "missing" },
  update: { symbol: "~", style: "yellow", verb: "update", todo: "to update", done: "updated", drift: "drifted" },
  replace: { symbol: "-/+", style: "magenta", verb: "replace", todo: "to replace", done: "replaced", drift: "drifted" },
  delete: { symbol: "-", style: "red", verb: "delete", todo: "to delete", done: "deleted", drift: "unexpected" },
  restore: { symbol: "^", style: "cyan", verb: "restore", todo: "to restore", done: "restored", drift: "missing" },
  unknown: { symbol: "?", style: "magenta", verb: "unknown", todo: "unknown", done: "unknown", drift: "unknown" },
  no_op: { symbol: "=", style: "dim", verb: "no change", todo: "unchanged", done: "unchanged", drift: "as declared" },
};

/** In the order in which reports count them. */
export const STATUSES: Readonly<
  Record<Status, { readonly symbol: string; readonly style: Style; readonly word: string }>
> = {
  applied: { symbol: "✓", style: "green", word: "applied" },
  yielded: { symbol: "=", style: "green", word: "yielded to another run" },
  failed: { symbol: "✗", style: "red", word: "failed" },
  unverified: { symbol: "?", style: "yellow", word: "unverified" },
  unknown: { symbol: "?", style: "magenta", word: "outcome unknown" },
  skipped: { symbol: "·", style: "dim", word: "skipped" },
  unchanged: { symbol: "=", style: "dim", word: "unchanged" },
};

/** Whether a change is listed. Resources that match their declaration are only counted. */
export function isShown({ action, blocked }: ShownChange): boolean {
  return action !== "no_op" || blocked !== null;
}

/** What stands before a change. */
export interface Mark {
  readonly symbol: string;
  /** Its colour on a terminal. */
  readonly style: Style;
  /** What it stands for, as a class of a page. */
  readonly tone: string;
  /** The action or its result in words, or how the live object differs. */
  readonly word: string;
}

/** The mark of a change: the symbol of a block hides that of any action but a removal. */
export function markOf(change: ShownChange | Outcome, type: ReportType): Mark {
  const { action, blocked } = change;
  const { symbol, style } = ACTIONS[action];
  const word = actionWord(action, type);
  if ("status" in change) {
    const { status } = change;
    return { ...STATUSES[status], tone: status, word: status === "applied" ? ACTIONS[action].done : word };
  }
  if (blocked === null) return { symbol, style, tone: action, word };
  const shown = isRemoval(change) ? { symbol, tone: "delete" as const } : { symbol: "!", tone: "blocked" as const };
  return { ...shown, style: "red", word: `${word}, blocked` };
}

/** An action in a word, or how the live object differs. */
export function actionWord(action: Action, type: ReportType): string {
  return ACTIONS[action][type === "driftline.drift" ? "drift" : "verb"];
}

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

/** Longer names are cut. Characters. */
const MAX_NAME = 60;

/** The object's name in quotes. Empty if the address that is shown or the reason says it already. Safe. */
export function nameText({ name, reason, address }: ShownChange, shown: string): string {
  const isSaid = name === undefined || shown !== address || reason.includes(quoted(name));
  return isSaid ? "" : quoted(cut(name, MAX_NAME));
}

/** The address, followed by the object's name if the address does not say it. Safe. */
export function addressAndName(change: ShownChange): string {
  const address = personAddress(change);
  return `${sanitize(address)} ${nameText(change, address)}`.trimEnd();
}
