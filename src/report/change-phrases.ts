import { isRemoval, type Action } from "../model/change.ts";
import type { PlanDocument, ShownChange } from "../model/plan.ts";
import { cut, quoted, sanitize } from "../model/quote.ts";
import type { Style } from "./color.ts";

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

const BLOCKED: Pick<ActionWords, "symbol" | "style"> = { symbol: "!", style: "red" };

/** Whether a change is listed. Resources that match their declaration are only counted. */
export function isShown({ action, blocked }: ShownChange): boolean {
  return action !== "no_op" || blocked !== null;
}

/** The words, symbol and style of a change. */
export function markOf(change: ShownChange): ActionWords {
  const words = ACTIONS[change.action];
  if (change.blocked === null) return words;
  return { ...words, ...BLOCKED, ...(isRemoval(change) ? { symbol: words.symbol } : {}) };
}

/** Whether no live object was seen, so that the fields have no live side: those of a create, or of a restore that no list shows. */
export function isUnseen({ action, fingerprint }: Pick<ShownChange, "action" | "fingerprint">): boolean {
  return action === "create" || (action === "restore" && fingerprint === null);
}

/** Whether a reader needs the id: where an object goes or comes back, and its address does not have the id already. */
export function needsId(change: Pick<ShownChange, "action" | "address">): boolean {
  return (isRemoval(change) || change.action === "restore") && !change.address.includes("/id=");
}

/** Longer names are cut. Characters. */
const MAX_NAME = 60;

/** The object's name in quotes. Empty if its address or the reason says it already. Sanitized. */
export function nameText({ name, reason }: ShownChange): string {
  return name === undefined || reason.includes(quoted(name)) ? "" : quoted(cut(name, MAX_NAME));
}

/** The address, followed by the object's name if the address does not say it. Sanitized. */
export function labelText(change: ShownChange): string {
  return `${sanitize(change.address)} ${nameText(change)}`.trimEnd();
}

/** The command that shows a plan or a drift report with every value in full. */
export function documentCommand(type: PlanDocument["type"]): string {
  return `driftline ${type === "driftline.drift" ? "drift" : "plan"} --format json`;
}

/** Who changed the object last, when, and with which client, as far as the service reports it. Only drift reports have this. */
export function modifiedText({ modified }: ShownChange): string {
  if (modified === undefined) return "";
  // Fractions of a second would only make the line longer.
  const at = modified.at === null ? "" : ` ${modified.at.replace(/\.\d+(?=Z|[+-]|$)/u, "")}`;
  const by = modified.by === null ? "" : ` by ${modified.by}`;
  return `; last changed${at}${by}${modified.client === undefined ? "" : ` with ${modified.client}`}`;
}
