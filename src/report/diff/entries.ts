/**
 * The differences of a change in the entries in which a report shows them. Every renderer for people shows these, so none of them
 * can leave something out.
 */
import { type Entry, diffField } from "./value-diff.ts";
import { isUnseen, type FieldValue } from "../../model/change.ts";
import type { Json } from "../../model/json.ts";
import { pathText } from "../../model/pointer.ts";
import { isSensitive } from "../../model/secret-values.ts";
import type { KindName } from "../../model/kind-name.ts";
import type { ShownChange } from "../../model/plan.ts";
import { type DiffLine, isMultiline, isShort, linesOfText, rowsOfEntry, rowsOfValue } from "../diff-lines.ts";
import { namesOfField } from "../../model/levels.ts";
import { distinguish, flow, HIDDEN, inline, NOT_SET, type ValueNames } from "../escape.ts";
import type { ReportType } from "../marks.ts";
import { isOfPerson, personText } from "../person.ts";
import type { DiffWork } from "./text-diff.ts";

/** Returns the differences of all fields, each at its own path, in the order of the planned values. */
export function entriesOfChange({ kind, fields }: ShownChange): readonly Entry[] {
  const entries = fields.flatMap((field) =>
    diffField(kind, field).map((one) => ({ ...one, label: pathText(one.path), isField: one.path === field.path })),
  );
  const show = distinguish(entries.map(({ label }) => label));
  return entries.map((entry) => ({ ...entry, label: show(entry.label) }));
}

/**
 * The values of a change with one side: those of a new object, or what a removal takes away, without the name that stands beside
 * the address, and what a person is said to be. Undefined if it has two sides.
 */
function oneSidedValues(change: ShownChange): readonly FieldValue[] | undefined {
  if (isUnseen(change)) return change.fields.map(({ path, planned }) => ({ path, value: planned }));
  return change.removes?.filter((one) => one.value !== change.name && !isOfPerson(change.kind, one));
}

/**
 * What a removal takes away, in a line, such as `paused: true`; of a person as {@link personText}. Undefined if it does
 * not fit. Sanitized.
 */
export function removedInLine(change: ShownChange): string | undefined {
  if (change.removes === undefined) return undefined;
  const texts = oneSidedValues(change)?.map(({ path, value }) => {
    const text = shortValue(value, namesOfField(change.kind, path));
    return text === undefined ? undefined : `${pathText(path)}: ${text}`;
  });
  const person = personText(change.kind, change.removes);
  const line = [...(person === "" ? [] : [person]), ...(texts ?? [])].join(", ");
  return texts?.includes(undefined) === true || line.length > MAX_REMOVED ? undefined : line;
}

/** Characters. */
const MAX_REMOVED = 120;

/** A change of a group, without what stands beside each of them. */
export function withoutLine<T extends ShownChange>(change: T): T {
  return removedInLine(change) === undefined ? change : { ...change, removes: [] };
}

/** What a report shows of one path: behind it where that fits, else in rows below it. */
export interface FieldRow {
  /** No other path of the change looks the same. Sanitized. */
  readonly path: string;
  /** The sign of a value that has one side: that of a new object, or what a removal takes away. */
  readonly side: "" | "-" | "+";
  /** Undefined if it needs rows. */
  readonly short: ShortRow | undefined;
  /** Whether the rows are the lines of one text. */
  readonly isText: boolean;
  /** Comparing texts takes time, so it is only done for the rows that are shown. */
  readonly rows: () => readonly DiffLine[];
}

/** A difference that fits behind its path. The texts are sanitized. */
export type ShortRow =
  | { readonly type: "value"; readonly text: string }
  | { readonly type: "pair"; readonly prior: string; readonly planned: string }
  | { readonly type: "set"; readonly removed: readonly string[]; readonly added: readonly string[] };

/**
 * Everything that a change does to fields.
 *
 * @param entries its differences, or what it has in common with others
 */
export function fieldRows(
  change: ShownChange,
  entries: readonly Entry[],
  { type, work }: { readonly type: ReportType; readonly work: DiffWork },
): readonly FieldRow[] {
  const { kind, action } = change;
  const side = action === "delete" ? "-" : "+";
  return (
    oneSidedValues(change)?.map(({ path, value }) => {
      const text = shortValue(value, namesOfField(kind, path));
      const short = text === undefined ? undefined : ({ type: "value", text } as const);
      const rows = (): readonly DiffLine[] => (isMultiline(value) ? linesOfText(value, "", 0) : rowsOfValue(value, ""));
      return { path: pathText(path), side, short, isText: isMultiline(value), rows };
    }) ??
    entries.map((entry) => {
      const rows = (): readonly DiffLine[] => rowsOfEntry(entry, work);
      return {
        path: entry.label,
        side: "",
        short: undeclaredEntry(change, entry) ?? shortEntry(kind, entry, type),
        isText: false,
        rows,
      };
    })
  );
}

/**
 * A live value that is reported because no file declares it: null would be a value of its own. It is either side, as a report about
 * what is accepted has them the other way round. Undefined if it needs rows, or is declared.
 */
function undeclaredEntry({ kind, more = [] }: ShownChange, entry: Entry): ShortRow | undefined {
  if (entry.type !== "value" || !more.includes(entry.path)) return undefined;
  const value = entry.prior ?? entry.planned ?? null;
  if (!isOneLine(value)) return undefined;
  const live = inline(value, namesOfField(kind, entry.path));
  return { type: "value", text: `live ${live}, not declared` };
}

/** Returns the entry on one line; undefined if it needs rows of its own. */
function shortEntry(kind: KindName, entry: Entry, type: ReportType): ShortRow | undefined {
  switch (entry.type) {
    case "text":
      if (isMultiline(entry.prior) || isMultiline(entry.planned)) return undefined;
      return pair(inline(entry.prior), inline(entry.planned));
    case "set": {
      if (![...entry.removed, ...entry.added].every(isShort)) return undefined;
      const [removed, added] = [entry.removed.map(flow), entry.added.map(flow)];
      const show = distinguish([...removed, ...added]);
      return { type: "set", removed: removed.map(show), added: added.map(show) };
    }
    case "list":
      return undefined;
    case "value": {
      const { prior, planned } = entry;
      // The service does not show the secret, so it is not known whether it differs. Only what is planned will be sent.
      if (isSent(prior, planned))
        return { type: "pair", prior: HIDDEN, planned: type === "driftline.plan" ? `${HIDDEN}, will be sent` : HIDDEN };
      if (!isOneLine(prior) || !isOneLine(planned)) return undefined;
      const text = textsOf(kind, entry.path);
      return pair(text(prior), text(planned));
    }
  }
}

/** Says of a side of a field what it is, on one line. */
export function textsOf(kind: KindName, path: string): (value: Json | undefined) => string {
  const names = namesOfField(kind, path);
  return (value) => (value === undefined ? NOT_SET : inline(value, names));
}

function isOneLine(value: Json | undefined): boolean {
  return typeof value === "string" ? !isMultiline(value) : isShort(value ?? null);
}

/** Whether a secret is sent whose earlier value is unknown. */
function isSent(prior: Json | undefined, planned: Json | undefined): boolean {
  if (planned === undefined || !isSensitive(planned)) return false;
  return prior === undefined || prior === null || isSensitive(prior);
}

function pair(prior: string, planned: string): ShortRow {
  const show = distinguish([prior, planned]);
  return { type: "pair", prior: show(prior), planned: show(planned) };
}

/** Returns the value of a new object on one line; undefined if it needs rows of its own. */
function shortValue(value: Json, names: ValueNames): string | undefined {
  if (!isOneLine(value)) return undefined;
  return typeof value === "string" ? flow(value) : inline(value, names);
}
