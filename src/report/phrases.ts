import type { Action, Blocked } from "../model/change.ts";
import type { Status } from "../model/outcome.ts";
import type { PlanDocument, ShownChange } from "../model/plan.ts";
import type { Style } from "./text/style.ts";

export { plural } from "../model/plural.ts";

/** A change as documents hold it. */
export type Shown = ShownChange;

/** What is said of each action: before it (`todo`), after it (`done`), and where the live side moved (`drift`). */
export interface ActionWords {
  readonly symbol: string;
  readonly style: Style;
  readonly verb: string;
  readonly todo: string;
  readonly done: string;
  readonly drift: string;
}

/** In the order in which they are counted. */
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

/** How each status of an outcome is marked. */
export const STATUSES: Readonly<
  Record<Status, { readonly mark: string; readonly style: Style; readonly word: string }>
> = {
  applied: { mark: "✓", style: "green", word: "applied" },
  failed: { mark: "✗", style: "red", word: "failed" },
  unverified: { mark: "?", style: "yellow", word: "unverified" },
  unknown: { mark: "?", style: "magenta", word: "outcome unknown" },
  skipped: { mark: "·", style: "dim", word: "skipped" },
};

const RULES: Readonly<Record<Blocked["rule"], string>> = {
  protect: "lifecycle.protect keeps it from being deleted or replaced",
  prune: "what nobody declared is deleted only when asked for",
  delete_limit: "so many removals at once need approval",
  confirm_organization: "an organization is deleted only with its name typed",
  organization_create: "an organization is created only when asked for, since a mistyped name must not found one",
  forgotten_rename: "an object that nothing declares is the same in all but its name, so this looks like a rename",
  last_owner: "the organization would lose its last owner",
  own_user: "this may be the very user whose key is in use",
  incomplete: "the object that takes its place could not be created from what is declared",
  parent: "what it belongs to will not be there",
};

/** Why a rule exists, for the one whose change it holds back. */
export function ruleText(rule: Blocked["rule"]): string {
  // A saved plan may come from a newer version, with a rule that this one has not heard of.
  return (RULES as Readonly<Record<string, string | undefined>>)[rule] ?? "a safety rule holds it back";
}

/** Resources that are as declared are only counted. */
export function isShown({ action, blocked }: Shown): boolean {
  return action !== "no_op" || blocked !== null;
}

/** The words, symbol and look of a change. */
export function markOf({ action, blocked }: Shown): ActionWords {
  return blocked === null ? ACTIONS[action] : { ...ACTIONS[action], ...BLOCKED };
}

/** The reason, led by what the symbol alone does not say: what is held back, or in which way the live side moved. */
export function reasonText(change: Shown, type: PlanDocument["type"]): string {
  const { action, blocked, reason } = change;
  if (type === "driftline.drift") return `${ACTIONS[action].drift}: ${reason}${modifiedText(change)}`;
  return blocked === null ? reason : `${ACTIONS[action].verb}: ${reason}`;
}

/** Who changed it last and when, as far as the service tells: only drifts have that. */
export function modifiedText({ modified }: Shown): string {
  if (modified === undefined) return "";
  const at = modified.at === null ? "" : ` ${modified.at}`;
  return `; last changed${at}${modified.by === null ? "" : ` by ${modified.by}`}`;
}
