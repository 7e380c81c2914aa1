/**
 * The differences of two values, each at its own path.
 *
 * Premise: a person approves what is shown, so each leaf that differs must be in the result, and nothing else. A leaf is anything
 * but a non-empty object or list.
 * Algorithm: objects are compared by key, in the order of the keys. Lists are aligned (see src/diff/align.ts). Sets are compared by
 * their elements. Anything else is replaced as a whole. A secret is never known to be equal, so it is replaced as well.
 */
import { alignLists } from "../../diff/align.ts";
import { elementForm } from "../../diff/equal.ts";
import type { FieldChange } from "../../model/change.ts";
import { canonicalJson } from "../../model/json/canonical-json.ts";
import { isJsonArray, isJsonObject, own, type Json, type JsonObject } from "../../model/json/json.ts";
import { isSensitive } from "../../model/secret-values.ts";
import { pointer } from "../../model/pointer.ts";
import { setFields, type KindName } from "../../model/kind-name.ts";

/** A difference at one path. */
export type ValueDifference = {
  /** JSON Pointer from the resource on. Indexes of list elements are those of the planned list. */
  readonly path: string;
} &
  /** Two texts, for which text-diff.ts finds the lines or words that differ. */
  (
    | { readonly type: "text"; readonly prior: string; readonly planned: string }
    /** Elements of a list that is compared as a set. */
    | { readonly type: "set"; readonly removed: readonly Json[]; readonly added: readonly Json[] }
    /** Elements that a list gains or loses, or that are at another place. */
    | { readonly type: "list"; readonly elements: readonly WholeElement[] }
    /** A value that is replaced as a whole. A side that is undefined has no such member. */
    | { readonly type: "value"; readonly prior: Json | undefined; readonly planned: Json | undefined }
  );

/**
 * An element of a list as a whole. Indexes start at 0; `from` counts in the prior list, `to` in the planned one. One that was moved
 * and edited has differences below its path as well.
 */
export type WholeElement =
  | { readonly type: "added"; readonly to: number; readonly planned: Json }
  | { readonly type: "removed"; readonly from: number; readonly prior: Json }
  | { readonly type: "moved"; readonly from: number; readonly to: number; readonly value: Json };

/** Where two values are compared. */
interface ComparedAt {
  /** JSON Pointer of the values. */
  readonly path: string;
  readonly kind: KindName;
}

/**
 * Returns how a field of a planned change differs. Values that look equal, such as two redacted ones, count as replaced: the document
 * lists the field.
 */
export function diffField(kind: KindName, { path, prior, planned }: FieldChange): readonly ValueDifference[] {
  const inside = differences(prior, planned, { path, kind });
  return inside.length > 0 ? inside : [{ type: "value", path, prior, planned }];
}

function differences(prior: Json, planned: Json, place: ComparedAt): readonly ValueDifference[] {
  const { path, kind } = place;
  const whole: ValueDifference = { type: "value", path, prior, planned };
  if (isSensitive(prior) || isSensitive(planned)) return [whole];
  if (isJsonObject(prior) && isJsonObject(planned)) return objectDifferences(prior, planned, place);
  if (isJsonArray(prior) && isJsonArray(planned))
    return setFields[kind]?.includes(path) === true
      ? setDifferences(prior, planned, place)
      : listDifferences(prior, planned, place);
  if (canonicalJson(prior) === canonicalJson(planned)) return [];
  // An empty text has no words and no lines that could be compared.
  if (typeof prior !== "string" || typeof planned !== "string" || prior === "" || planned === "") return [whole];
  return [{ type: "text", path, prior, planned }];
}

function objectDifferences(prior: JsonObject, planned: JsonObject, place: ComparedAt): readonly ValueDifference[] {
  // The order of the planned object is that of the configuration. Members that are gone follow at the end.
  const names = [...new Set([...Object.keys(planned), ...Object.keys(prior)])];
  return names.flatMap((key): readonly ValueDifference[] => {
    const [before, after] = [own(prior, key), own(planned, key)];
    const path = place.path + pointer(key);
    if (before === undefined || after === undefined) return [{ type: "value", path, prior: before, planned: after }];
    return differences(before, after, { ...place, path });
  });
}

/** A set may hold an element twice: only what one side has more of is listed. */
function setDifferences(
  prior: readonly Json[],
  planned: readonly Json[],
  { kind, path }: ComparedAt,
): readonly ValueDifference[] {
  const form = elementForm(kind, path);
  const [removed, added] = [surplusItems(prior, planned, form), surplusItems(planned, prior, form)];
  return removed.length === 0 && added.length === 0 ? [] : [{ type: "set", path, removed, added }];
}

function surplusItems(left: readonly Json[], right: readonly Json[], form: (item: Json) => string): readonly Json[] {
  const counts = new Map<string, number>();
  for (const item of right) counts.set(form(item), (counts.get(form(item)) ?? 0) + 1);
  return left.filter((item) => {
    const text = form(item);
    const count = counts.get(text) ?? 0;
    counts.set(text, count - 1);
    return count <= 0;
  });
}

function listDifferences(
  prior: readonly Json[],
  planned: readonly Json[],
  place: ComparedAt,
): readonly ValueDifference[] {
  const pairs = alignLists(prior, planned);
  const elements = pairs.flatMap(({ from, to, moved }): readonly WholeElement[] => {
    if (from === undefined) return to === undefined ? [] : [{ type: "added", to, planned: planned[to] ?? null }];
    if (to === undefined) return [{ type: "removed", from, prior: prior[from] ?? null }];
    return moved ? [{ type: "moved", from, to, value: planned[to] ?? null }] : [];
  });
  const below = pairs.flatMap(({ from, to }) => {
    if (from === undefined || to === undefined) return [];
    return differences(prior[from] ?? null, planned[to] ?? null, { ...place, path: place.path + pointer(to) });
  });
  return elements.length === 0 ? below : [{ type: "list", path: place.path, elements }, ...below];
}

/** What a change does at one path: what a report shows under that path. */
export type Entry = (
  | ValueDifference
  /** A value with one side: that of a new object, or what a removal takes away. */
  | { readonly type: "whole"; readonly path: string; readonly side: "-" | "+"; readonly value: Json }
) & {
  /** The path as a reader sees it. No other entry of the change looks the same. */
  readonly label: string;
  /** Whether it is a field as a whole. There, null stands for a field that is not set; below, it is a value. */
  readonly isField: boolean;
};
