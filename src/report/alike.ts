/**
 * Which changes are read as one, so that 100 equal ones are read once.
 *
 * Terms: the edit of an update is the change of each field, without the old values. Its shape names the fields, without any value.
 * Algorithm: the changes that share a key are one group, if they are enough. The keys are tried one after the other: the edit, all that
 * the change does, the shape. What is in no group stands alone.
 * Premise: a change that is not like others is not lost among them. Only texts and numbers of updates in projects are folded by edit or
 * shape: what stands in an organization says who gets in, and a switch may stop something. A change that does not fit its shape's group
 * stands alone, and so do people with high rights.
 */
import { canonicalJson } from "../model/canonical-json.ts";
import { groupBy } from "../model/group-by.ts";
import type { Json } from "../model/json.ts";
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
/** Fewer values are read as quickly as the line that counts them. */
const MIN_FOLDED = 10;
/** All differences of a group with as few are seen. */
export const FEW = 4;

/** Groups of changes: single ones first, those of people with the highest rights above all, then the largest groups. */
export function groupChanges<T extends ShownChange>(
  changes: readonly T[],
  { verbose = false, effects, type }: GroupingOptions,
): readonly ChangeGroup<T>[] {
  const inOrder = changes.toSorted(byRights);
  const editOf = editsOf(inOrder, type);
  const levels: readonly ((rest: readonly T[]) => readonly (readonly T[])[])[] = [
    (rest) => groupsSharing(rest, MIN_FOLDED, (change) => foldKey(change, effects, editOf(change))),
    (rest) => groupsSharing(rest, MIN_GROUP, (change) => equalKey(change, effects)),
    (rest) =>
      groupsSharing(rest, MIN_FOLDED, (change) => foldKey(change, effects, shapeOf(change))).map(withoutOddOnes),
  ];
  const groupOf = new Map<T, readonly T[]>();
  for (const level of verbose ? [] : levels) {
    const rest = inOrder.filter((change) => !groupOf.has(change) && isGroupable(change));
    for (const group of level(rest)) for (const change of group) groupOf.set(change, group);
  }
  const groups = groupBy(inOrder, (change) => groupOf.get(change) ?? change);
  const size = ({ length }: ChangeGroup): number => (length === 1 ? Infinity : length);
  return [...groups.values()].toSorted((a, b) => (a.length === b.length ? 0 : size(b) - size(a)));
}

/** Changes without differences are one line each, but for removals: what many of them have in common is read once. */
function isGroupable(change: ShownChange): boolean {
  const isLine = change.fields.length === 0 && change.action !== "delete" && change.action !== "unknown";
  return !isLine && rightsChanged(change) === 0;
}

/** The changes that share a key, if they are enough. */
function groupsSharing<T>(
  changes: readonly T[],
  least: number,
  keyOf: (change: T) => string | undefined,
): readonly (readonly T[])[] {
  return [...groupBy(changes, keyOf)].flatMap(([key, group]) =>
    key === undefined || group.length < least ? [] : [group],
  );
}

/** All that a change does. What failed is about the problem. */
function equalKey(change: ShownChange | Outcome, effects: ShownEffects | undefined): string {
  const { kind, action, reason, command: words, blocked } = change;
  const result = "status" in change ? resultText(change) : "";
  if ("status" in change && change.error !== null) return JSON.stringify([kind, result, sharedError(change.error)]);
  const effect = { ...effects?.get(change.address), address: undefined };
  // What fits in a line stands beside each of them.
  const removed = withoutLine(change).removes;
  const entries = entriesOfChange(change).map(endEdit);
  // What could not be compared is about the reason.
  const what = action === "unknown" ? "" : kind;
  return JSON.stringify([what, action, reason, words, blocked, entries, removed, effect, result]);
}

/** An error without the id in the path of its request: the same for all objects that it happened to. */
export function sharedError<E extends Pick<OutcomeError, "message">>(error: E): E {
  return { ...error, message: error.message.replace(/^([A-Z]+ \/\S*\/)[^/\s]*\d[^/\s]*(?=\/? )/u, "$1...") };
}

/** The key of an update by what it does to its fields. What did not succeed, and what has an effect, is not folded. */
function foldKey(
  change: ShownChange | Outcome,
  effects: ShownEffects | undefined,
  does: string | undefined,
): string | undefined {
  const isProblem = "status" in change && change.status !== "applied";
  if (isProblem || effects?.has(change.address) === true || does === undefined) return undefined;
  return JSON.stringify([change.kind, change.reason, change.command, does]);
}

/** What an update does to each field, without the values: `description added, tags changed`. Undefined if they have to be seen. */
export function shapeOf(change: ShownChange): string | undefined {
  if (change.action !== "update" || change.blocked !== null || !change.address.includes("/projects/")) return undefined;
  const words = entriesOfChange(change).map(shapeOfEntry);
  return words.length === 0 || words.includes(undefined) ? undefined : words.join(", ");
}

function shapeOfEntry(entry: Entry): string | undefined {
  const { type, label } = entry;
  if (type !== "value") return `${label} changed`;
  const { prior, planned } = entry;
  if (!isFoldable(prior) || !isFoldable(planned)) return undefined;
  return `${label} ${isNone(prior) ? "added" : isNone(planned) ? "removed" : "changed"}`;
}

function isFoldable(value: Json | undefined): boolean {
  return isNone(value) || typeof value === "string" || typeof value === "number";
}

function isNone(value: Json | undefined): boolean {
  return (value ?? "") === "";
}

/** Says of an update its edit: of each field the new value, if many objects get it, else what a text loses and gains at one end. */
function editsOf(changes: readonly ShownChange[], type: ReportType): (change: ShownChange) => string | undefined {
  const entriesIf = (change: ShownChange): readonly Entry[] =>
    shapeOf(change) === undefined ? [] : entriesOfChange(change);
  const counts = groupBy(
    changes.flatMap(entriesIf).map((entry) => newKey(entry, type)),
    (key) => key,
  );
  const editOf = (entry: Entry): string => {
    const key = newKey(entry, type);
    return (counts.get(key)?.length ?? 0) >= MIN_FOLDED ? key : JSON.stringify(endEdit(entry));
  };
  return (change) => {
    const entries = entriesIf(change);
    return entries.length === 0 ? undefined : JSON.stringify(entries.map(editOf));
  };
}

/** What an entry comes to, whatever it was before. */
export function newKey(entry: Entry, type: ReportType): string {
  if (!("prior" in entry)) return JSON.stringify(entry);
  // What is live is newer than the declared value that it drifted from.
  return JSON.stringify([entry.label, type === "driftline.drift" ? entry.prior : entry.planned]);
}

/** The changes whose values differ in the same way. */
export function byEntries<T extends ShownChange>(changes: readonly T[]): readonly ChangeGroup<T>[] {
  return [...groupBy(changes, (change) => JSON.stringify(entriesOfChange(change))).values()];
}

/** So many of the values of a group say what is usual there. */
const USUAL = 0.95;
const FACTOR = 10;

/**
 * A group without the changes with a value that is more than ten times as large (a text: as long) as 95 of 100 in the group, or has none
 * of the words that 95 of 100 have.
 */
function withoutOddOnes<T extends ShownChange>(changes: readonly T[]): readonly T[] {
  if (byEntries(changes).length <= FEW) return changes;
  const rows = changes.map((change) => ({ change, values: entriesOfChange(change).flatMap(valuesOfEntry) }));
  const isOdd = rows[0]?.values.map((_, column) =>
    oddIn(rows.flatMap(({ values }) => values.slice(column, column + 1))),
  );
  return rows.flatMap(({ change, values }) =>
    values.some((value, column) => isOdd?.[column]?.(value) === true) ? [] : [change],
  );
}

/** Says of a value whether it is not like these. */
function oddIn(values: readonly Json[]): (value: Json) => boolean {
  const sizes = values.map((value) => Math.abs(sizeOf(value))).toSorted((a, b) => a - b);
  const last = Math.floor(USUAL * (sizes.length - 1));
  const most = FACTOR * (sizes[last] ?? 0);
  const counts = groupBy(values.flatMap(wordsOf), (word) => word);
  const usual = new Set([...counts.values()].flatMap(({ 0: word, length }) => (length > last ? word : [])));
  return (value) =>
    Math.abs(sizeOf(value)) > most || (usual.size > 0 && !wordsOf(value).some((word) => usual.has(word)));
}

/** What an entry takes away, and what it sets. */
export function valuesOfEntry(entry: Entry): readonly Json[] {
  if (entry.type === "set") return [entry.removed, entry.added];
  return entry.type === "list" ? [entry.elements] : [entry.prior ?? "", entry.planned ?? ""];
}

/** A number itself, else the length. */
export function sizeOf(value: Json): number {
  return typeof value === "number" ? value : textOf(value).length;
}

/** Each word once. Short ones, such as "of", say little about a text. */
function wordsOf(value: Json): readonly string[] {
  const words = textOf(value)
    .toLowerCase()
    .match(/\p{L}{4,}/gu);
  return [...new Set(words)];
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : canonicalJson(value);
}
