/**
 * Updates that change the same fields of many objects, each to a value of its own. A terminal shows the smallest and the largest value of
 * each field, how many there are, and which option shows them. The other formats hold all of them.
 *
 * Premise: only texts and numbers in projects are folded. What stands in an organization says who gets in, and a switch may stop
 * something, so each of those is seen. So is a change that does not fit (outliers.ts).
 */
import type { Json } from "../model/json.ts";
import type { KindName } from "../model/kind-name.ts";
import { groupBy } from "../model/group-by.ts";
import { namesOfField } from "../model/levels.ts";
import type { ShownChange } from "../model/plan.ts";
import { plural } from "../model/plural.ts";
import { cut, sanitize } from "../model/quote.ts";
import { commonEntry, endEdit } from "./diff/end-edit.ts";
import { entriesOfChange, type FieldRow, fieldRows } from "./diff/entries.ts";
import type { DiffWork } from "./diff/text-diff.ts";
import type { Entry } from "./diff/value-diff.ts";
import { type DiffLine, limitRows, row } from "./diff-lines.ts";
import { distinguish, inline, NOT_SET } from "./escape.ts";
import type { ReportType } from "./marks.ts";
import { outliers, sidesOf, sizeOf } from "./outliers.ts";

/** Fewer values are read as quickly as the line that counts them. */
export const MIN_FOLDED = 10;

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

/**
 * The edit that an update makes to each field: the new value if many objects get it, else what is added or removed at one end of a text. The old
 * values do not count.
 * Undefined if the values have to be seen.
 */
export function editsOf(
  changes: readonly ShownChange[],
  type: ReportType,
): (change: ShownChange) => string | undefined {
  const isFolded = (change: ShownChange): boolean => shapeOf(change) !== undefined;
  const keys = changes
    .filter(isFolded)
    .flatMap((change) => entriesOfChange(change).map((entry) => newKey(entry, type)));
  const counts = groupBy(keys, (key) => key);
  const isOfMany = (entry: Entry): boolean => (counts.get(newKey(entry, type))?.length ?? 0) >= MIN_FOLDED;
  const editOf = (entry: Entry): string => (isOfMany(entry) ? newKey(entry, type) : JSON.stringify(endEdit(entry)));
  return (change) => (isFolded(change) ? JSON.stringify(entriesOfChange(change).map(editOf)) : undefined);
}

function newKey(entry: Entry, type: ReportType): string {
  return JSON.stringify("prior" in entry ? [entry.label, newOf(entry, type)] : entry);
}

/** What is live is newer than the declared value that it drifted from. */
function newOf({ prior, planned }: Extract<Entry, { readonly prior: unknown }>, type: ReportType): Json | undefined {
  return type === "driftline.drift" ? prior : planned;
}

/** The changes that do not fit into a group. All differences of a group with few are seen. */
export function oddOnes<T extends ShownChange>(changes: readonly T[]): ReadonlySet<T> {
  return byEntries(changes).length <= SAMPLE.rows ? new Set() : outliers(changes);
}

/** The changes whose values differ in the same way. */
function byEntries(changes: readonly ShownChange[]): readonly (readonly [ShownChange, ...ShownChange[]])[] {
  return [...groupBy(changes, (change) => JSON.stringify(entriesOfChange(change))).values()];
}

/** The line that stands for the values of several changes, with the way to see them. */
export function foldedText(changes: readonly [ShownChange, ...ShownChange[]], way = ""): string {
  const values = changes.reduce((sum, { fields }) => sum + fields.length, 0);
  return `${shapeOf(changes[0]) ?? ""} (${plural(values, "value")}${way})`;
}

/** Characters of a value, and of all, in the heading of a group. */
const HEADING = { value: 40, all: 140 };

/** What several changes do alike, in a line: `name + " (v3)"; interval: "week" -> "month"`. Sanitized. */
export function headingText(rows: readonly FieldRow[]): string {
  return cut(rows.map(headingOf).join("; "), HEADING.all);
}

function headingOf({ path, short }: FieldRow): string {
  const value = (text: string): string => cut(text, HEADING.value);
  switch (short?.type) {
    case undefined:
      return `${path} changed`;
    case "value":
      return `${path}: ${value(short.text)}`;
    case "pair":
      return `${path}: ${value(short.prior)} -> ${value(short.planned.replace(WHOSE, ""))}`;
    case "set": {
      const items = [...short.removed.map((one) => `- ${value(one)}`), ...short.added.map((one) => `+ ${value(one)}`)];
      return `${path.replace(/, at the end$/u, "")} ${items.join(" ")}`;
    }
  }
}

interface FoldedOptions {
  /** What all addresses begin with. */
  readonly place: string;
  readonly type: ReportType;
  readonly work: DiffWork;
}

/** The fields of several changes: all of them, each with the address of its object, and those in a terminal. */
interface FoldedRows {
  readonly fields: readonly FieldRow[];
  readonly brief: readonly FieldRow[];
}

/** The fields of one edit of many objects: what it does, with the old values counted where they differ. Undefined if it is no such edit. */
export function editRows(
  changes: readonly [ShownChange, ...ShownChange[]],
  options: FoldedOptions,
): FoldedRows | undefined {
  const [first] = changes;
  const read = changes.map((change) => ({ change, entries: entriesOfChange(change) }));
  const rows = entriesOfChange(first).map((own, index): FoldedRows | undefined => {
    const column = read.flatMap(({ change, entries }) =>
      entries.slice(index, index + 1).map((entry) => ({ change, entry })),
    );
    const common = commonEntry([own, ...column.map(({ entry }) => entry)]);
    if (common !== undefined) {
      const fields = fieldRows(first, [common], options);
      return { fields, brief: fields };
    }
    if (groupBy(column, ({ entry }) => newKey(entry, options.type)).size > 1) return undefined;
    const alike = [...groupBy(column, ({ entry }) => JSON.stringify(entry)).values()];
    return {
      fields: alike.flatMap((group) =>
        rowsOf(
          group.map(({ change }) => change),
          [group[0].entry],
          options,
        ),
      ),
      brief: countedRows(
        first.kind,
        alike.map(([{ entry }]) => entry),
        options.type,
      ),
    };
  });
  if (rows.length === 0 || rows.includes(undefined)) return undefined;
  return { fields: rows.flatMap((one) => one?.fields ?? []), brief: rows.flatMap((one) => one?.brief ?? []) };
}

/** So many old values are shown, if they have at most so many characters together. */
const MAX_OLD = { values: 4, length: 60 };

const WHOSE = " (--verbose shows whose)";

/** A row of a field that gets one value: `3 old values -> "new"`. */
function countedRows(kind: KindName, entries: readonly Entry[], type: ReportType): readonly FieldRow[] {
  const isDrift = type === "driftline.drift";
  const sides = entries.flatMap((entry) => ("prior" in entry ? [entry] : []));
  return sides.slice(0, 1).map((entry) => {
    const names = namesOfField(kind, entry.path);
    const text = (value: Json | undefined): string => (value === undefined ? NOT_SET : inline(value, names));
    const old = [...new Set(sides.map(({ prior, planned }) => text(isDrift ? planned : prior)))];
    const all = old.map(distinguish(old)).join(", ");
    const counted = old.length > MAX_OLD.values || all.length > MAX_OLD.length;
    const before = counted ? plural(old.length, isDrift ? "declared value" : "old value") : all;
    const [prior, planned] = isDrift ? [text(newOf(entry, type)), before] : [before, text(newOf(entry, type))];
    const short = { type: "pair", prior, planned: planned + WHOSE } as const;
    const rows = (): readonly DiffLine[] => [row("-", 0, short.prior), row("+", 0, short.planned)];
    return { path: entry.label, side: "", short, isText: false, rows };
  });
}

/** The fields of all changes, each with the address of its object. */
export function foldedRows(changes: readonly ShownChange[], options: FoldedOptions): FoldedRows {
  return {
    fields: changes.flatMap((change) => rowsOf([change], entriesOfChange(change), options)),
    brief: sampleRows(changes, options),
  };
}

/** The fields of changes with the same entries, with the addresses of their objects. */
function rowsOf(
  changes: readonly ShownChange[],
  entries: readonly Entry[],
  options: FoldedOptions,
): readonly FieldRow[] {
  const addresses = changes.map(({ address }) => sanitize(address.slice(options.place.length))).join(", ");
  const rows = changes.slice(0, 1).flatMap((change) => fieldRows(change, entries, options));
  return rows.map((one) => ({
    ...one,
    path: changes.length > 1 ? `${one.path} of ${addresses}` : `${addresses}: ${one.path}`,
  }));
}

/** Of more fields, no samples are shown. */
const MAX_SAMPLED = 3;
const SAMPLE = { ofRow: 140, ofAll: 280, rows: 4 };

/** All differences if they are few, else the smallest and the largest value of each field. Long values are cut. */
function sampleRows(changes: readonly ShownChange[], options: FoldedOptions): readonly FieldRow[] {
  const alike = byEntries(changes);
  if (alike.length <= SAMPLE.rows)
    return alike.flatMap(([change, ...others]) =>
      fieldRows(change, entriesOfChange(change), options).map((one) => ({
        ...one,
        path: `${one.path} (${String(1 + others.length)})`,
      })),
    );
  const read = changes.map((change) => ({ change, entries: entriesOfChange(change) }));
  const fields = read[0]?.entries.slice(0, MAX_SAMPLED) ?? [];
  return fields.flatMap((_, index) => {
    const sized = read.flatMap(({ change, entries }) =>
      entries.slice(index, index + 1).map((entry) => ({ change, entry, sizes: sidesOf(entry).map(sizeOf) })),
    );
    const inOrder = sized.toSorted((a, b) => compareSizes(a.sizes, b.sizes));
    return [...inOrder.slice(0, 1), ...inOrder.slice(-1)].flatMap(({ change, entry }) =>
      rowsOf([change], [entry], options).map((one) => ({
        ...one,
        rows: () => limitRows(one.rows(), options.type, SAMPLE),
      })),
    );
  });
}

/** By what is planned. */
function compareSizes(a: readonly number[], b: readonly number[]): number {
  return (a.at(-1) ?? 0) - (b.at(-1) ?? 0) || (a[0] ?? 0) - (b[0] ?? 0);
}
