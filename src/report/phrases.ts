import type { Action, Blocked } from "../model/change.ts";
import type { Status, Outcome, OutcomeError, OutcomesDocument } from "../model/outcome.ts";
import type { ShownChange } from "../model/plan.ts";
import type { Style } from "./text/style.ts";
import { sanitize } from "./escape.ts";
import type { FieldExplanation, KindExplanation } from "../model/explain.ts";
import { inline } from "./value.ts";

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
export function isShown({ action, blocked }: ShownChange): boolean {
  return action !== "no_op" || blocked !== null;
}

/** The words, symbol and look of a change. */
export function markOf({ action, blocked }: ShownChange): ActionWords {
  return blocked === null ? ACTIONS[action] : { ...ACTIONS[action], ...BLOCKED };
}

/** Who changed it last and when, as far as the service tells: only drifts have that. */
export function modifiedText({ modified }: ShownChange): string {
  if (modified === undefined) return "";
  const at = modified.at === null ? "" : ` ${modified.at}`;
  return `; last changed${at}${modified.by === null ? "" : ` by ${modified.by}`}`;
}

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

/** The facts about a kind, each with its name; sanitized. */
export function facts(kind: KindExplanation): readonly (readonly [string, string])[] {
  const all: readonly (readonly [string, string])[] = [
    ["declared under", kind.collection === "" ? "organizations" : kind.collection],
    ["lives in", kind.scopes.map((scope) => (scope === "service" ? "the service itself" : scope)).join(" or ")],
    ["told apart by", kind.natural_key],
    ["pinned by", kind.pins.join(" or ")],
    ["created", kind.created],
    ["changed", kind.changed],
    ["removed", kind.removed],
    ["operations", kind.operations.join(", ")],
  ];
  return all.filter(([, text]) => text !== "").map(([name, text]) => [name, sanitize(text)]);
}

/** What sets a field apart, in words: "required", "secret"; sanitized. */
export function traits(field: FieldExplanation): readonly string[] {
  return [
    ...(field.required ? ["required"] : []),
    ...(field.secret ? ["secret: never shown, never compared"] : []),
    ...(field.immutable ? ["a change replaces the object"] : []),
    ...(field.unordered ? ["order does not matter"] : []),
    ...(field.deprecated ? ["deprecated"] : []),
    ...(field.default === undefined ? [] : [`default ${field.default === null ? "null" : inline(field.default)}`]),
  ];
}

/** The values that a field can have, with their names; "" where there is no such list. */
export function valuesText({ values, names }: FieldExplanation): string {
  return values.map((value) => (value === null ? "null" : inline(value, names))).join(", ");
}
