/**
 * What counts as a difference: which values are equal, how much of a live object is compared, and whether it is still the one
 * that a decision was based on.
 *
 * Terms: a field is compared whole if a live key inside it that is not declared is a difference. Otherwise it is compared
 * in part: such a key is only noted.
 * Premise: other people own what `lifecycle.ignore` names, at any depth. A null and a missing key are the same, and so are
 * queries with different versions.
 */
import { createHash } from "node:crypto";
import { childSchema, declarableFields, type FieldSchema, kindSchema } from "../kinds/fields.ts";
import type { Policy } from "../kinds/comparison.ts";
import type { Kind } from "../kinds/kind.ts";
import { isExact } from "../model/exact-number.ts";
import {
  canonicalJson,
  type Json,
  type JsonObject,
  own,
  pointer,
  pointerKeys,
  type Value,
  type ValueObject,
  writeCanonical,
} from "../model/json.ts";
import type { LiveObject } from "../model/live.ts";

const NO_POLICIES: readonly Policy[] = [];

/** The policies for a path: its own, and those of every pattern `/…/*` above it. */
export function policiesAt({ comparison }: Kind, keys: readonly string[]): readonly Policy[] {
  const policies = comparison?.policies ?? {};
  let found = NO_POLICIES;
  for (const pattern in policies) if (covers(pattern, keys)) found = [...found, ...(policies[pattern] ?? [])];
  return found;
}

/** Whether a pattern matches a path. It is called for every scalar, so it allocates nothing. */
function covers(pattern: string, keys: readonly string[]): boolean {
  let at = 0;
  for (const key of keys) {
    if (at === pattern.length - 2 && pattern.endsWith("/*")) return true;
    if (pattern[at] !== "/" || !pattern.startsWith(key, at + 1)) return false;
    at += key.length + 1;
  }
  return at === pattern.length;
}

/** Whether a path is a version that the service sets, so that it is not compared. */
export function isServiceVersion(policies: readonly Policy[], keys: readonly string[]): boolean {
  return policies.includes("ignore_version") && keys.at(-1) === "version";
}

export interface Scalar {
  readonly schema: FieldSchema | undefined;
  readonly policies: readonly Policy[];
  /** Whether services trim the value. They trim fields and the elements of sets, but nothing inside a free-form value. */
  readonly isTrimmed: boolean;
}

/** Whether a service may return `live` for `declared` without having changed its meaning. */
export function equalScalars(declared: Json, live: Json, scalar: Scalar): boolean {
  if (scalar.policies.includes("scalars_as_strings") && sameAsString(declared, live)) return true;
  return normalize(declared, scalar) === normalize(live, scalar);
}

/** The normal form of a scalar: values with the same form are equal. */
export function normalize(value: Json, { schema, policies, isTrimmed }: Scalar): Json {
  if (value === null && policies.includes("null_is_default")) return schema?.default ?? null;
  if (typeof value !== "string") return value;
  let text = isTrimmed ? value.trim() : value;
  if (policies.includes("lower_case")) text = text.toLowerCase();
  if (policies.includes("without_query_string")) text = text.split("?")[0] ?? text;
  if (policies.includes("blank_is_null") && text === "") return null;
  return schema?.format === "date-time" ? utcTime(text) : text;
}

/**
 * A time in UTC with microseconds, which is the precision of servers. Like them, it reads a time without a zone as UTC.
 */
function utcTime(text: string): string {
  const zoned = /(z|[+-]\d\d:?\d\d)$/i.test(text) || !/[t ]/i.test(text) ? text : `${text}Z`;
  const fraction = /\.(\d{1,6})/.exec(zoned)?.[1]?.replace(/0+$/, "") ?? "";
  const time = Date.parse(zoned.replace(/\.\d+/, ""));
  return Number.isNaN(time) ? text : `${new Date(time).toISOString().slice(0, 19)}.${fraction}`;
}

/** Whether 7 is returned as "7", or true as "True": some servers store such values as text. */
function sameAsString(declared: Json, live: Json): boolean {
  if (typeof live !== "string") return false;
  if (typeof declared === "boolean") return live.toLowerCase() === String(declared);
  return DECIMAL.test(live) && Number(live) === declared && isExact(live);
}

/** Only the characters of a decimal number, so neither 0x0 nor an empty text, which are also 0 for JavaScript. */
const DECIMAL = /^[-+.\de]+$/i;

/** Whether two arrays hold the same elements, regardless of order and repetition. */
export function equalSets(declared: readonly Value[], live: readonly Json[], policies: readonly Policy[]): boolean {
  const declaredItems = normalizedItems(declared, policies);
  const liveItems = normalizedItems(live, policies);
  return declaredItems.size === liveItems.size && [...declaredItems].every((item) => liveItems.has(item));
}

/** The elements of a set in their normal form, as texts. */
export function normalizedItems(items: readonly Value[], policies: readonly Policy[]): ReadonlySet<string> {
  const scalar = { schema: undefined, policies, isTrimmed: true };
  return new Set(items.map((item) => canonicalJson(typeof item === "string" ? normalize(item, scalar) : item)));
}

/** The parts of a lifecycle that limit what is compared. */
export interface ExtentOptions {
  /** Fields, or JSON Pointers in which `*` stands for any one key, that are managed elsewhere. */
  readonly ignore?: readonly string[] | undefined;
  /** Fields that are compared in part, although their kind compares them whole. */
  readonly partial?: readonly string[] | undefined;
}

/** What a live key counts as if it is not declared. */
type Standing = "difference" | "more" | "nothing";

export interface Extent {
  /** Whether the value at a path is managed elsewhere. */
  readonly isIgnored: (keys: readonly string[]) => boolean;
  /** What a live value counts as if its key is not declared. */
  readonly ofUndeclared: (keys: readonly string[], live: Json) => Standing;
}

export function extentOf(kind: Kind, { ignore = [], partial = [] }: ExtentOptions): Extent {
  const patterns = ignore.map((path) => (path.startsWith("/") ? pointerKeys(path) : [path]));
  const isIgnored = (keys: readonly string[]): boolean => patterns.some((pattern) => matches(pattern, keys));
  const isOwn = (keys: readonly string[]): boolean =>
    kind.comparison?.setByService?.includes(pointer(...keys)) === true;
  const isWhole = (field = ""): boolean =>
    kind.comparison?.wholeFields?.includes(field) === true && !partial.includes(field);
  return {
    isIgnored,
    ofUndeclared: (keys, live) => {
      if (live === null || isServiceVersion(policiesAt(kind, keys), keys)) return "nothing";
      if (isIgnored(keys) || isOwn(keys)) return "nothing";
      return isWhole(keys[0]) ? "difference" : "more";
    },
  };
}

function matches(pattern: readonly string[], keys: readonly string[]): boolean {
  return pattern.length === keys.length && pattern.every((key, index) => key === "*" || key === keys[index]);
}

/** SHA-256 of a value's canonical JSON, in the form that documents use. */
export function sha256(value: ValueObject): string {
  const hash = createHash("sha256");
  writeCanonical(value, (text) => hash.update(text));
  return `sha256:${hash.digest("hex")}`;
}

/**
 * Hash of everything that a decision about a live object was based on: its identity and state, and the declared fields
 * in their normal form, with the whole value of a field that would be overlaid, and the fields that a service shows in
 * their place. Changes by others to other fields do not count. Without a resource (a prune) only identity and state count.
 */
export function fingerprint(kind: Kind, live: LiveObject, declared: ValueObject): string {
  return hashOf(kind, live, declared, {});
}

/**
 * The same for a replace, which carries over what is not declared: every field counts but those that the service sets itself.
 */
export function replaceFingerprint(kind: Kind, live: LiveObject, declared: ValueObject): string {
  const others = declarableFields(kind.name).filter((field) => kind.comparison?.setByService?.includes(field) !== true);
  const all = { ...Object.fromEntries(others.map((field) => [field, null])), ...declared };
  return hashOf(kind, live, all, { carried: live.carried ?? null });
}

function hashOf(kind: Kind, live: LiveObject, declared: ValueObject, more: JsonObject): string {
  const values = kind.comparison?.canonical?.(live.values) ?? live.values;
  const compared = new Set([...Object.keys(declared), ...fieldsOfNotation(kind, live.values, declared)]);
  const fields = [...compared].map((field) => [field, canonicalForm(kind, field, declared, values)] as const);
  // These names are part of the hash: `stand_in` must stay, although the property is called `placeholder`.
  const state = { deleted: live.deleted ?? false, expired: live.expired ?? false, stand_in: live.placeholder ?? false };
  return sha256({
    id: live.id,
    keys: live.keys.slice(0, 1),
    parts: partsOf(live),
    ...state,
    ...more,
    fields: Object.fromEntries(fields),
  });
}

/** The fields from which the declared ones are read, or that decide over them. */
function fieldsOfNotation(kind: Kind, live: JsonObject, declared: ValueObject): readonly string[] {
  const notation = kind.comparison?.toDeclaredNotation?.(declared, live);
  if (notation === undefined) return [];
  return Object.keys(notation.values).filter((field) => own(live, field) !== notation.values[field]);
}

function partsOf(live: LiveObject): JsonObject | null {
  return live.parts === undefined ? null : { member: live.parts.member ?? null, invites: live.parts.invites };
}

function canonicalForm(kind: Kind, field: string, declared: ValueObject, values: JsonObject): Json {
  const value = own(values, field) ?? null;
  const schema = childSchema(kind.name, kindSchema(kind.name), field, declared);
  if (Array.isArray(value) && schema?.["x-unordered"] === true)
    return [...normalizedItems(value, policiesAt(kind, [field]))].toSorted();
  return normalize(value, { schema, policies: policiesAt(kind, [field]), isTrimmed: true });
}
