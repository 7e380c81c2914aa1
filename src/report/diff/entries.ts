/**
 * The differences of a change in the entries in which a report shows them. Every renderer for people shows these, so none of them
 * can leave something out.
 */
import { type Entry, diffField, type ValueDifference } from "./value-diff.ts";
import { type FieldChange, isUnseen, type FieldValue } from "../../model/change.ts";
import type { Json } from "../../model/json/json.ts";
import { pathText } from "../../model/pointer.ts";
import { isSensitive } from "../../model/secret-values.ts";
import type { KindName } from "../../model/kind-name.ts";
import type { ShownChange } from "../../model/plan.ts";
import { type Row, isMultiline, isShort, rowsOfEntry } from "./rows.ts";
import { namesOfField } from "../../model/levels.ts";
import { distinguish, flow, HIDDEN, inline, NOT_SET, type ValueNames } from "../escape.ts";
import type { ReportType } from "../marks.ts";
import { isOfPerson, personText } from "../person.ts";
import type { DiffWork } from "./text-diff.ts";

/** What a change does to all fields, each at its own path, in the order of the planned values. */
export function entriesOfChange(change: ShownChange): readonly Entry[] {
  const { kind, fields, action } = change;
  const side = action === "delete" ? "-" : "+";
  const whole = oneSidedValues(change)?.map((one) => ({ ...one, type: "whole", side, isField: true }) as const);
  const differences = (field: FieldChange): readonly (ValueDifference & Pick<Entry, "isField">)[] =>
    diffField(kind, field).map((one) => ({ ...one, isField: one.path === field.path }));
  const entries = whole ?? fields.flatMap(differences);
  const show = distinguish(entries.map(({ path }) => pathText(path)));
  return entries.map((entry) => ({ ...entry, label: show(pathText(entry.path)) }));
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
export function withoutLine(change: ShownChange): ShownChange {
  return removedInLine(change) === undefined ? change : { ...change, removes: [] };
}

/** What a report shows of one path: behind it where that fits, else in rows below it. */
export interface ShownField {
  /** No other path of the change looks the same. Sanitized. */
  readonly path: string;
  /** The objects of a group that it is true of, if that is not all of them. Sanitized. */
  readonly of: readonly string[];
  /** The sign of a value that has one side: that of a new object, or what a removal takes away. */
  readonly side: "" | "-" | "+";
  /** Undefined if it needs rows. */
  readonly short: ShortField | undefined;
  /** Whether the rows are the lines of one text. */
  readonly isText: boolean;
  /** Comparing texts takes time, so it is only done for the rows that are shown. */
  readonly rows: () => readonly Row[];
}

/** The path with its objects. Sanitized. */
export function pathOfField({ path, of }: ShownField): string {
  return of.length === 0 ? path : `${path} of ${of.join(", ")}`;
}

/** A difference that fits behind its path. The texts are sanitized. */
export type ShortField =
  | { readonly type: "value"; readonly text: string }
  | { readonly type: "pair"; readonly prior: string; readonly planned: string }
  | { readonly type: "set"; readonly removed: readonly string[]; readonly added: readonly string[] };

export interface FieldOptions {
  readonly type: ReportType;
  readonly work: DiffWork;
}

/** @param entry one of the change, or what it has in common with others */
export function shownField(change: ShownChange, entry: Entry, { type, work }: FieldOptions): ShownField {
  const isWhole = entry.type === "whole";
  return {
    path: entry.label,
    of: [],
    side: isWhole ? entry.side : "",
    short: undeclaredEntry(change, entry) ?? shortEntry(change.kind, entry, type),
    isText: isWhole && isMultiline(entry.value),
    rows: () => rowsOfEntry(entry, work),
  };
}

/**
 * A live value that is reported because no file declares it: null would be a value of its own. It is either side, as a report about
 * what is accepted has them the other way round. Undefined if it needs rows, or is declared.
 */
function undeclaredEntry({ kind, more = [] }: ShownChange, entry: Entry): ShortField | undefined {
  if (entry.type !== "value" || !more.includes(entry.path)) return undefined;
  const value = entry.prior ?? entry.planned ?? null;
  if (!isOneLine(value)) return undefined;
  const live = inline(value, namesOfField(kind, entry.path));
  return { type: "value", text: `live ${live}, not declared` };
}

/** Returns the entry on one line; undefined if it needs rows of its own. */
function shortEntry(kind: KindName, entry: Entry, type: ReportType): ShortField | undefined {
  switch (entry.type) {
    case "whole": {
      const text = shortValue(entry.value, namesOfField(kind, entry.path));
      return text === undefined ? undefined : { type: "value", text };
    }
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
      const names = namesOfField(kind, entry.path);
      const text = (value: Json | undefined): string => (value === undefined ? NOT_SET : inline(value, names));
      return pair(text(prior), text(planned));
    }
  }
}

function isOneLine(value: Json | undefined): boolean {
  return typeof value === "string" ? !isMultiline(value) : isShort(value ?? null);
}

/** Whether a secret is sent whose earlier value is unknown. */
function isSent(prior: Json | undefined, planned: Json | undefined): boolean {
  if (planned === undefined || !isSensitive(planned)) return false;
  return prior === undefined || prior === null || isSensitive(prior);
}

function pair(prior: string, planned: string): ShortField {
  const show = distinguish([prior, planned]);
  return { type: "pair", prior: show(prior), planned: show(planned) };
}

/** Returns the value of a new object on one line; undefined if it needs rows of its own. */
function shortValue(value: Json, names: ValueNames): string | undefined {
  if (!isOneLine(value)) return undefined;
  return typeof value === "string" ? flow(value) : inline(value, names);
}
