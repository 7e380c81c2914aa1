/**
 * The structural difference of two values.
 *
 * Premise: a person approves what is shown, so each leaf that differs must be in the result, and nothing else. A leaf is anything
 * but a non-empty object or list.
 * Algorithm: objects are compared by key, in the order of the keys. Lists are aligned (see src/diff/align.ts). Sets are compared by
 * their elements. Anything else is replaced as a whole. A secret is never known to be equal, so it is replaced as well.
 */
import { alignLists } from "../../diff/align.ts";
import { elementForm } from "../../diff/element-form.ts";
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
  readonly kind: KindName;
}

/**
 * Returns how a field of a planned change differs. Values that look equal, such as two redacted ones, count as replaced: the document
 * lists the field.
 */
export function diffField(kind: KindName, { path, prior, planned }: FieldChange): ValueDiff {
  return difference(prior, planned, { path, kind }) ?? { type: "replaced", prior, planned };
}

/** Returns undefined if the values are equal. */
function difference(prior: Json, planned: Json, place: Place): ValueDiff | undefined {
  if (isSensitive(prior) || isSensitive(planned)) return { type: "replaced", prior, planned };
  if (isJsonObject(prior) && isJsonObject(planned)) return objectDifference(prior, planned, place);
  if (isJsonArray(prior) && isJsonArray(planned))
    return setFields[place.kind]?.includes(place.path) === true
      ? setDifference(prior, planned, place)
      : listDifference(prior, planned, place);
  if (canonicalJson(prior) === canonicalJson(planned)) return undefined;
  if (typeof prior === "string" && typeof planned === "string") return { type: "text", prior, planned };
  return { type: "replaced", prior, planned };
}

function objectDifference(prior: JsonObject, planned: JsonObject, { path, kind }: Place): ValueDiff | undefined {
  // The order of the planned object is that of the configuration. Members that are gone follow at the end.
  const names = [...new Set([...Object.keys(planned), ...Object.keys(prior)])];
  const members = names.flatMap((key): readonly MemberDiff[] => {
    const [before, after] = [own(prior, key), own(planned, key)];
    if (before === undefined) return after === undefined ? [] : [{ key, type: "added", planned: after }];
    if (after === undefined) return [{ key, type: "removed", prior: before }];
    const diff = difference(before, after, { path: path + pointer(key), kind });
    return diff === undefined ? [] : [{ key, type: "changed", diff }];
  });
  return members.length === 0 ? undefined : { type: "object", members };
}

/** A set may hold an element twice: only what one side has more of is listed. */
function setDifference(prior: readonly Json[], planned: readonly Json[], { kind, path }: Place): ValueDiff | undefined {
  const form = elementForm(kind, path);
  const [removed, added] = [surplus(prior, planned, form), surplus(planned, prior, form)];
  return removed.length === 0 && added.length === 0 ? undefined : { type: "set", removed, added };
}

function surplus(left: readonly Json[], right: readonly Json[], form: (item: Json) => string): readonly Json[] {
  const counts = new Map<string, number>();
  for (const item of right) counts.set(form(item), (counts.get(form(item)) ?? 0) + 1);
  return left.filter((item) => {
    const text = form(item);
    const count = counts.get(text) ?? 0;
    counts.set(text, count - 1);
    return count <= 0;
  });
}

function listDifference(
  prior: readonly Json[],
  planned: readonly Json[],
  { path, kind }: Place,
): ValueDiff | undefined {
  const elements = alignLists(prior, planned).flatMap((aligned): readonly ElementDiff[] => {
    const { from, to } = aligned;
    const [before, after] = [prior[from ?? -1] ?? null, planned[to ?? -1] ?? null];
    if (from === undefined) return to === undefined ? [] : [{ type: "added", to, planned: after }];
    if (to === undefined) return [{ type: "removed", from, prior: before }];
    const diff = difference(before, after, { path: path + pointer(to), kind });
    if (diff !== undefined) return [{ type: "changed", from, to, diff, ...(aligned.moved ? { moved: after } : {}) }];
    return aligned.moved ? [{ type: "moved", from, to, value: after }] : [];
  });
  return elements.length === 0 ? undefined : { type: "list", elements };
}
