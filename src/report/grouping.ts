/**
 * Which changes are one group, so that 1,000 equal edits are read once.
 *
 * Algorithm: three or more changes are one group if each of their fields gets the same edit, or the same new value, or values that
 * differ only in digits. Everything else stands alone, above the groups.
 * Premise: a change that is unlike the others is not lost among them. So people with high rights stand alone. What may stand in an
 * organization says who gets in, and where data goes: it is in one group only if the edits are the same.
 */
import { groupBy } from "../model/group-by.ts";
import { kindScopes } from "../model/kind-name.ts";
import type { Outcome, OutcomeError } from "../model/outcome.ts";
import type { ShownChange } from "../model/plan.ts";
import { endEdit } from "./diff/end-edit.ts";
import { entriesOfChange, withoutLine } from "./diff/entries.ts";
import type { Entry } from "./diff/value-diff.ts";
import type { ShownEffects } from "./effect/words.ts";
import { type ReportType, resultText } from "./marks.ts";
import type { RenderOptions } from "./options.ts";
import { byRights, rightsChanged } from "./person.ts";

/** Changes that are read as one. */
export type ChangeGroup<T extends ShownChange = ShownChange> = readonly [T, ...T[]];

export interface GroupingOptions extends Pick<RenderOptions, "verbose"> {
  readonly type: ReportType;
  readonly effects?: ShownEffects | undefined;
}

/** Fewer equal changes are shown one by one: they are read as quickly. */
const MIN_GROUP = 3;

/** Groups of changes: single ones first, those of people with the highest rights above all, then the largest groups. */
export function groupChanges<T extends ShownChange>(
  changes: readonly T[],
  { verbose = false, effects, type }: GroupingOptions,
): readonly ChangeGroup<T>[] {
  const inOrder = changes.toSorted(byRights);
  const groupable = verbose ? [] : inOrder.filter(isGroupable);
  const editsOf = sharedEdits(groupable, type);
  const alike = [...groupBy(groupable, (change) => keyOf(change, effects, editsOf(change))).values()];
  const groupOf = new Map(
    alike.flatMap((group) => (group.length < MIN_GROUP ? [] : group.map((change) => [change, group]))),
  );
  const groups = groupBy(inOrder, (change) => groupOf.get(change) ?? change);
  const size = ({ length }: ChangeGroup): number => (length === 1 ? Infinity : length);
  return [...groups.values()].toSorted((a, b) => (a.length === b.length ? 0 : size(b) - size(a)));
}

/** Changes without differences are one line each, but for removals: what many of them have in common is read once. */
function isGroupable(change: ShownChange): boolean {
  const isLine = change.fields.length === 0 && change.action !== "delete" && change.action !== "unknown";
  return !isLine && rightsChanged(change) === 0;
}

/** All that a change does. What failed is about the problem. */
function keyOf(change: ShownChange | Outcome, effects: ShownEffects | undefined, edits: readonly string[]): string {
  const { kind, action, reason, command: words, blocked } = change;
  const result = "status" in change ? resultText(change) : "";
  if ("status" in change && change.error !== null) return JSON.stringify([kind, result, sharedError(change.error)]);
  const effect = { ...effects?.get(change.address), address: undefined };
  // What could not be compared is about the reason.
  const what = action === "unknown" ? "" : kind;
  return JSON.stringify([what, action, reason, words, blocked, edits, effect, result]);
}

/** An error without the id in the path of its request: the same for all objects that it happened to. */
export function sharedError<E extends Pick<OutcomeError, "message">>(error: E): E {
  return { ...error, message: error.message.replace(/^([A-Z]+ \/\S*\/)[^/\s]*\d[^/\s]*(?=\/? )/u, "$1...") };
}

/** What a change does to each field, in the form that counts: of the edit and the new value, what more changes share; else the digits. */
function sharedEdits(changes: readonly ShownChange[], type: ReportType): (change: ShownChange) => readonly string[] {
  const formsOf = new Map(changes.map((change) => [change, editForms(change, type)]));
  const forms = [...formsOf.values()].flat().flatMap((own) => [...new Set(own)]);
  const counts = groupBy(forms, (form) => form);
  const countOf = (form: string): number => counts.get(form)?.length ?? 0;
  return (change) =>
    (formsOf.get(change) ?? []).map(([edit, value, digits]) => {
      const most = countOf(value) > countOf(edit) ? value : edit;
      return countOf(most) < MIN_GROUP ? digits : most;
    });
}

type EditForms = readonly [edit: string, value: string, digits: string];

/** What a change does to each field. */
function editForms(change: ShownChange, type: ReportType): readonly EditForms[] {
  // What fits in a line stands beside each of them.
  return entriesOfChange(withoutLine(change)).map((entry) => {
    const { kind } = change;
    const edit = `${kind} ${JSON.stringify(endEdit(entry))}`;
    return mayDiffer(change) ? [edit, `${kind} ${newValue(entry, type)}`, withoutDigits(entry)] : [edit, edit, edit];
  });
}

/** Whether a change may be in one group with others that have other values. */
function mayDiffer(change: ShownChange | Outcome): boolean {
  const { action, blocked, kind } = change;
  const isProblem = blocked !== null || ("status" in change && change.status !== "applied");
  return action === "update" && !isProblem && kindScopes[kind].every((scope) => scope === "project");
}

/** The new value of a field. The old one does not matter. */
function newValue(entry: Entry, type: ReportType): string {
  // What is live is newer than the declared value that it drifted from.
  const value = "prior" in entry ? (type === "driftline.drift" ? entry.prior : entry.planned) : entry;
  return JSON.stringify({ label: entry.label, value });
}

/** Both sides without the digits before a point: of two numbers with as many, none is ten times as large as the other. */
function withoutDigits({ path: _path, label, ...sides }: Entry): string {
  return JSON.stringify(["digits", label, JSON.stringify(sides).replaceAll(/(?<!\.\d*)\d/gu, "#")]);
}
