/**
 * The differences of a change: the structural difference of its values, and the entries in which a report shows it. Every
 * renderer for people shows these, so none of them can leave something out.
 *
 * Terms: a leaf is anything but a non-empty object or list. A kept element of a list is the same on both sides.
 * Premise: a person approves what is shown, so each leaf that differs must be in the result, and nothing else.
 * Algorithm: objects are compared by key, in the order of the keys. Lists are aligned (see src/diff/align.ts). Sets are compared by
 * their elements. Anything else is replaced as a whole. A secret is never known to be equal, so it is replaced as well.
 */
import { alignLists } from "../../diff/align.ts";
import type { FieldChange } from "../../model/change.ts";
import {
  canonicalJson,
  isJsonArray,
  isJsonObject,
  isSensitive,
  own,
  pointer,
  type Json,
  type JsonObject,
} from "../../model/json.ts";
import { setFields, type KindName } from "../../model/kind-name.ts";
import type { ShownChange } from "../../model/plan.ts";
import { distinguish, flow, inline, namesOfField, NOT_SET, pathText, type ValueNames } from "../escape.ts";
import { isMultiline, isShort } from "../diff-lines.ts";

/** How two values differ. */
export type ValueDiff =
  | { readonly type: "object"; readonly members: readonly MemberDiff[] }
  | { readonly type: "list"; readonly elements: readonly ElementDiff[] }
  /** Elements of a list that is compared as a set. */
  | { readonly type: "set"; readonly removed: readonly Json[]; readonly added: readonly Json[] }
  /** Two texts, for which text-diff.ts finds the lines or words that differ. */
  | { readonly type: "text"; readonly prior: string; readonly planned: string }
  | { readonly type: "replaced"; readonly prior: Json; readonly planned: Json };

/** A member of an object that differs, is new, or is gone. */
export type MemberDiff = { readonly key: string } & (
  | { readonly type: "changed"; readonly diff: ValueDiff }
  | { readonly type: "added"; readonly planned: Json }
  | { readonly type: "removed"; readonly prior: Json }
);

/** An element of a list that is not kept at its place. Indexes start at 0; `from` counts in the prior list, `to` in the planned one. */
export type ElementDiff =
  | {
      readonly type: "changed";
      readonly from: number;
      readonly to: number;
      readonly diff: ValueDiff;
      /** The planned element, if it is also at another place. */
      readonly moved?: Json;
    }
  | { readonly type: "added"; readonly to: number; readonly planned: Json }
  | { readonly type: "removed"; readonly from: number; readonly prior: Json }
  | { readonly type: "moved"; readonly from: number; readonly to: number; readonly value: Json };

/** Where two values are compared. */
interface Place {
  /** JSON Pointer of the values. */
  readonly path: string;
  /** JSON Pointers of the lists that are sets. */
  readonly sets: readonly string[];
}

/** Returns how a field of a planned change differs. */
export function diffField(kind: KindName, { path, prior, planned }: FieldChange): ValueDiff {
  return diffValues(prior, planned, { path, sets: setFields[kind] ?? [] });
}

/** Returns how two values differ. Values that look equal, such as two redacted ones, count as replaced: the document lists the field. */
export function diffValues(prior: Json, planned: Json, place: Place = { path: "", sets: [] }): ValueDiff {
  return difference(prior, planned, place) ?? { type: "replaced", prior, planned };
}

/** Returns undefined if the values are equal. */
function difference(prior: Json, planned: Json, place: Place): ValueDiff | undefined {
  if (isSensitive(prior) || isSensitive(planned)) return { type: "replaced", prior, planned };
  if (isJsonObject(prior) && isJsonObject(planned)) return objectDifference(prior, planned, place);
  if (isJsonArray(prior) && isJsonArray(planned))
    return place.sets.includes(place.path) ? setDifference(prior, planned) : listDifference(prior, planned, place);
  if (canonicalJson(prior) === canonicalJson(planned)) return undefined;
  if (typeof prior === "string" && typeof planned === "string") return { type: "text", prior, planned };
  return { type: "replaced", prior, planned };
}

function objectDifference(prior: JsonObject, planned: JsonObject, { path, sets }: Place): ValueDiff | undefined {
  // The order of the planned object is that of the configuration. Members that are gone follow at the end.
  const names = [...new Set([...Object.keys(planned), ...Object.keys(prior)])];
  const members = names.flatMap((key): readonly MemberDiff[] => {
    const [before, after] = [own(prior, key), own(planned, key)];
    if (before === undefined) return after === undefined ? [] : [{ key, type: "added", planned: after }];
    if (after === undefined) return [{ key, type: "removed", prior: before }];
    const diff = difference(before, after, { path: path + pointer(key), sets });
    return diff === undefined ? [] : [{ key, type: "changed", diff }];
  });
  return members.length === 0 ? undefined : { type: "object", members };
}

/** A set may hold an element twice: only what one side has more of is listed. */
function setDifference(prior: readonly Json[], planned: readonly Json[]): ValueDiff | undefined {
  const [removed, added] = [surplus(prior, planned), surplus(planned, prior)];
  return removed.length === 0 && added.length === 0 ? undefined : { type: "set", removed, added };
}

function surplus(left: readonly Json[], right: readonly Json[]): readonly Json[] {
  const counts = new Map<string, number>();
  for (const item of right) counts.set(canonicalJson(item), (counts.get(canonicalJson(item)) ?? 0) + 1);
  return left.filter((item) => {
    const text = canonicalJson(item);
    const count = counts.get(text) ?? 0;
    counts.set(text, count - 1);
    return count <= 0;
  });
}

function listDifference(
  prior: readonly Json[],
  planned: readonly Json[],
  { path, sets }: Place,
): ValueDiff | undefined {
  const elements = alignLists(prior, planned).flatMap((aligned): readonly ElementDiff[] => {
    const { from, to } = aligned;
    const [before, after] = [prior[from ?? -1] ?? null, planned[to ?? -1] ?? null];
    if (from === undefined) return to === undefined ? [] : [{ type: "added", to, planned: after }];
    if (to === undefined) return [{ type: "removed", from, prior: before }];
    const diff = difference(before, after, { path: path + pointer(to), sets });
    if (diff !== undefined) return [{ type: "changed", from, to, diff, ...(aligned.moved ? { moved: after } : {}) }];
    return aligned.moved ? [{ type: "moved", from, to, value: after }] : [];
  });
  return elements.length === 0 ? undefined : { type: "list", elements };
}

/** A difference at one path of a change: what a report shows under that path. */
export type Entry = EntryBody & {
  /** The path as a reader sees it. No other entry of the change looks the same. */
  readonly label: string;
  /** Whether it is a field as a whole. There, null stands for a field that is not set; below, it is a value. */
  readonly isField: boolean;
};

type EntryBody = {
  /** JSON Pointer from the resource on. Indexes of list elements are those of the planned list. */
  readonly path: string;
} & (
  | { readonly type: "text"; readonly prior: string; readonly planned: string }
  | { readonly type: "set"; readonly removed: readonly Json[]; readonly added: readonly Json[] }
  /** Elements that a list gains or loses, or that are at another place. */
  | { readonly type: "list"; readonly elements: readonly WholeElement[] }
  /** A value that is replaced as a whole. A side that is undefined has no such member. */
  | { readonly type: "value"; readonly prior: Json | undefined; readonly planned: Json | undefined }
);

/** An element of a list as a whole: it has no counterpart at its place. */
export type WholeElement = Exclude<ElementDiff, { readonly type: "changed" }>;

/** Returns the differences of all fields, each at its own path, in the order of the planned values. */
export function entriesOfChange({ kind, fields }: ShownChange): readonly Entry[] {
  const entries = fields.flatMap((field) =>
    entriesOfDiff(diffField(kind, field), field.path).map((entry) => ({
      ...entry,
      label: pathText(entry.path),
      isField: entry.path === field.path,
    })),
  );
  const show = distinguish(entries.map(({ label }) => label));
  return entries.map((entry) => ({ ...entry, label: show(entry.label) }));
}

function entriesOfDiff(diff: ValueDiff, path: string): readonly EntryBody[] {
  switch (diff.type) {
    case "object":
      return diff.members.flatMap((member): readonly EntryBody[] => {
        const inner = path + pointer(member.key);
        if (member.type === "changed") return entriesOfDiff(member.diff, inner);
        const [prior, planned] = member.type === "added" ? [undefined, member.planned] : [member.prior, undefined];
        return [{ type: "value", path: inner, prior, planned }];
      });
    case "list":
      return entriesOfList(diff.elements, path);
    case "replaced":
      return [{ ...diff, type: "value", path }];
    case "text":
      // An empty text has no words and no lines that could be compared.
      return [{ ...diff, type: diff.prior === "" || diff.planned === "" ? "value" : "text", path }];
    default:
      return [{ ...diff, path }];
  }
}

function entriesOfList(elements: readonly ElementDiff[], path: string): readonly EntryBody[] {
  const whole = elements.flatMap((element): readonly WholeElement[] => {
    if (element.type !== "changed") return [element];
    const { from, to, moved } = element;
    return moved === undefined ? [] : [{ type: "moved", from, to, value: moved }];
  });
  const changed = elements.flatMap((element) =>
    element.type === "changed" ? entriesOfDiff(element.diff, path + pointer(element.to)) : [],
  );
  return whole.length === 0 ? changed : [{ type: "list", path, elements: whole }, ...changed];
}

/** A difference that fits behind its path. The texts are sanitized. */
export type ShortEntry =
  | { readonly type: "pair"; readonly prior: string; readonly planned: string }
  | { readonly type: "set"; readonly removed: readonly string[]; readonly added: readonly string[] }
  /** A secret that the service does not show, so it is not known whether it differs. */
  | { readonly type: "secret" };

/** Returns the entry on one line; undefined if it needs rows of its own. */
export function shortEntry(kind: KindName, entry: Entry): ShortEntry | undefined {
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
      if (isSent(prior, planned)) return { type: "secret" };
      if (!isOneLine(prior) || !isOneLine(planned)) return undefined;
      const names = namesOfField(kind, entry.path);
      const text = (value: Json | undefined): string => {
        if (value === undefined) return NOT_SET;
        return value === null && !entry.isField ? flow(value) : inline(value, names);
      };
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

function pair(prior: string, planned: string): ShortEntry {
  const show = distinguish([prior, planned]);
  return { type: "pair", prior: show(prior), planned: show(planned) };
}

/** Returns the value of a new object on one line; undefined if it needs rows of its own. */
export function shortValue(value: Json, names: ValueNames): string | undefined {
  if (!isOneLine(value)) return undefined;
  return typeof value === "string" ? flow(value) : inline(value, names);
}
