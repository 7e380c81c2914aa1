/**
 * What a group of changes shows of its fields.
 *
 * Terms: a column is one field of all changes.
 * Algorithm: if all columns are the same, they are shown once: the whole values, or the edit at one end of texts. So they are if all get
 * one new value: then the old ones are counted. Otherwise a terminal shows the smallest and the largest value of each column, and says
 * which option shows the others. The other formats hold all of them.
 */
import { groupBy } from "../model/group-by.ts";
import type { KindName } from "../model/kind-name.ts";
import type { ShownChange } from "../model/plan.ts";
import { plural } from "../model/plural.ts";
import { cut, sanitize } from "../model/quote.ts";
import { byEntries, type ChangeGroup, FEW, newKey, shapeOf, valuesOfEntry, sizeOf } from "./alike.ts";
import { commonEntry } from "./diff/end-edit.ts";
import { entriesOfChange, type FieldRow, fieldRows, textsOf, withoutLine } from "./diff/entries.ts";
import type { DiffWork } from "./diff/text-diff.ts";
import type { Entry } from "./diff/value-diff.ts";
import { type DiffLine, limitRows, row } from "./diff-lines.ts";
import { distinguish } from "./escape.ts";
import type { ReportType } from "./marks.ts";

/** The rows of fields: all of them, and those in a terminal. */
interface Rows {
  readonly fields: readonly FieldRow[];
  readonly brief: readonly FieldRow[];
}

export interface GroupRows extends Rows {
  /** What the changes do, in a line. Sanitized. */
  readonly heading: string;
  /** Whether a terminal shows only samples. */
  readonly isSampled: boolean;
}

interface RowOptions {
  /** What all addresses begin with. */
  readonly place: string;
  readonly type: ReportType;
  readonly work: DiffWork;
}

interface Cell {
  readonly change: ShownChange;
  readonly entry: Entry;
}

type Columns = readonly (readonly Cell[])[];

export function rowsOfGroup(group: ChangeGroup, options: RowOptions): GroupRows {
  const changes = group.map(withoutLine);
  const columns = columnsOf(changes);
  const isWhole = columns.every(({ length }) => length === group.length);
  const rows = isWhole ? (equalRows(group, columns, options) ?? editRows(columns, options)) : undefined;
  if (rows !== undefined) return { ...rows, heading: headingText(rows.brief), isSampled: false };
  return {
    fields: changes.flatMap((change) => rowsOfAlike([change], entriesOfChange(change), options)),
    brief: sampleRows(changes, columns, options),
    heading: foldedText(group),
    isSampled: true,
  };
}

function columnsOf(changes: readonly ShownChange[]): Columns {
  const rows = changes.map((change) => entriesOfChange(change).map((entry) => ({ change, entry })));
  const count = rows.reduce((most, { length }) => Math.max(most, length), 0);
  return Array.from({ length: count }, (_, column) => rows.flatMap((cells) => cells.slice(column, column + 1)));
}

/** The rows of changes that do the same. Undefined if they do not, or remove different values that need rows. */
function equalRows(group: ChangeGroup, columns: Columns, options: RowOptions): Rows | undefined {
  const [first] = group;
  const removed = new Set(group.map((change) => JSON.stringify(withoutLine(change).removes)));
  const common = columns.flatMap((column) => commonEntry(column.map(({ entry }) => entry)) ?? []);
  if (removed.size > 1 || common.length < columns.length) return undefined;
  const fields = fieldRows(group.length === 1 ? first : withoutLine(first), common, options);
  return { fields, brief: fields };
}

/** The rows of one edit of many objects. Undefined if it is no such edit. */
function editRows(columns: Columns, options: RowOptions): Rows | undefined {
  const rows = columns.flatMap((column) => alikeRows(column, options) ?? []);
  if (rows.length === 0 || rows.length < columns.length) return undefined;
  return { fields: rows.flatMap(({ fields }) => fields), brief: rows.flatMap(({ brief }) => brief) };
}

/** What a column has in common, or its new value. */
function alikeRows(column: readonly Cell[], options: RowOptions): Rows | undefined {
  const common = commonEntry(column.map(({ entry }) => entry));
  const [first] = column;
  if (first === undefined) return undefined;
  if (common !== undefined) {
    const fields = fieldRows(first.change, [common], options);
    return { fields, brief: fields };
  }
  if (new Set(column.map(({ entry }) => newKey(entry, options.type))).size > 1) return undefined;
  const alike = [...groupBy(column, ({ entry }) => JSON.stringify(entry)).values()];
  const fields = alike.flatMap((cells) =>
    rowsOfAlike(
      cells.map(({ change }) => change),
      [cells[0].entry],
      options,
    ),
  );
  return {
    fields,
    brief: countedRows(
      first.change.kind,
      alike.map(([{ entry }]) => entry),
    ),
  };
}

/** So many old values are shown, if they have at most so many characters together. */
const MAX_OLD = { values: 4, length: 60 };

const WHOSE = " (--verbose shows whose)";

/** A row of a field that gets one value: `3 old values -> "new"`. */
function countedRows(kind: KindName, entries: readonly Entry[]): readonly FieldRow[] {
  const sides = entries.flatMap((entry) => ("prior" in entry ? [entry] : []));
  return sides.slice(0, 1).map((entry) => {
    const text = textsOf(kind, entry.path);
    const sideText = (side: "prior" | "planned", noun: string): string => {
      const texts = [...new Set(sides.map((one) => text(one[side])))];
      const all = texts.map(distinguish(texts)).join(", ");
      const isCounted = texts.length > 1 && (texts.length > MAX_OLD.values || all.length > MAX_OLD.length);
      return isCounted ? plural(texts.length, noun) : all;
    };
    const planned = sideText("planned", "declared value");
    const short = { type: "pair", prior: sideText("prior", "old value"), planned: planned + WHOSE } as const;
    const rows = (): readonly DiffLine[] => [row("-", 0, short.prior), row("+", 0, short.planned)];
    return { path: entry.label, side: "", short, isText: false, rows };
  });
}

/** The rows of changes with the same entries, with the addresses of their objects. */
function rowsOfAlike(
  changes: readonly ShownChange[],
  entries: readonly Entry[],
  options: RowOptions,
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
function sampleRows(changes: readonly ShownChange[], columns: Columns, options: RowOptions): readonly FieldRow[] {
  const alike = byEntries(changes);
  if (alike.length <= FEW)
    return alike.flatMap(([change, ...others]) =>
      fieldRows(change, entriesOfChange(change), options).map((one) => ({
        ...one,
        path: `${one.path} (${String(1 + others.length)})`,
      })),
    );
  return columns.slice(0, MAX_SAMPLED).flatMap((column) => {
    const inOrder = column.toSorted((a, b) => compareSizes(a.entry, b.entry));
    return [...inOrder.slice(0, 1), ...inOrder.slice(-1)].flatMap(({ change, entry }) =>
      rowsOfAlike([change], [entry], options).map((one) => ({
        ...one,
        rows: () => limitRows(one.rows(), options.type, SAMPLE),
      })),
    );
  });
}

/** By what is planned. */
function compareSizes(a: Entry, b: Entry): number {
  const [one, other] = [a, b].map((entry) => valuesOfEntry(entry).map(sizeOf));
  return (one?.at(-1) ?? 0) - (other?.at(-1) ?? 0) || (one?.[0] ?? 0) - (other?.[0] ?? 0);
}

/** Characters of a value, and of all, in the heading of a group. */
const HEADING = { value: 40, all: 140 };

/** What several changes do alike, in a line: `name + " (v3)"; interval: "week" -> "month"`. */
function headingText(rows: readonly FieldRow[]): string {
  return cut(rows.map(headingOf).join("; "), HEADING.all);
}

function headingOf({ path, short }: FieldRow): string {
  const value = (text: string): string => cut(text, HEADING.value);
  if (short === undefined) return `${path} changed`;
  if (short.type === "value") return `${path}: ${value(short.text)}`;
  if (short.type === "pair") return `${path}: ${value(short.prior)} -> ${value(short.planned.replace(WHOSE, ""))}`;
  const items = [...short.removed.map((one) => `- ${value(one)}`), ...short.added.map((one) => `+ ${value(one)}`)];
  return `${path.replace(/, at the end$/u, "")} ${items.join(" ")}`;
}

/** The line that stands for the values of several changes, with the way to see them. */
export function foldedText(changes: ChangeGroup, way = ""): string {
  const values = changes.reduce((sum, { fields }) => sum + fields.length, 0);
  return `${shapeOf(changes[0]) ?? ""} (${plural(values, "value")}${way})`;
}
