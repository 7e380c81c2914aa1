/** Which values are equal: a service may change the form of a value without changing its meaning. */
import { typesOf, type FieldSchema } from "../kinds/fields.ts";
import type { Policy } from "../kinds/comparison.ts";
import type { Kind } from "../kinds/kind.ts";
import { kinds } from "../kinds/registry.ts";
import { isExact } from "../model/json/exact-number.ts";
import { canonicalJson } from "../model/json/canonical-json.ts";
import { isValueObject, type Json, own, type Value } from "../model/json/json.ts";
import type { KindName } from "../model/kind-name.ts";
import { pointerKeys } from "../model/pointer.ts";

const NO_POLICIES: readonly Policy[] = [];

/** The policies for a path: its own, and those of every pattern `/…/*` above it. */
export function policiesAt({ comparison }: Kind, keys: readonly string[]): readonly Policy[] {
  const policies = comparison?.policies ?? {};
  let matching = NO_POLICIES;
  for (const pattern in policies) if (covers(pattern, keys)) matching = [...matching, ...(policies[pattern] ?? [])];
  return matching;
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

/** What decides about a scalar at a place. Only the text of a field itself is trimmed. */
export function scalarAt(
  kind: Kind,
  { keys, schema }: { readonly keys: readonly string[]; readonly schema: Scalar["schema"] },
): Scalar {
  return { schema, policies: policiesAt(kind, keys), isTrimmed: keys.length === 1 };
}

/** Whether a service may return `live` for `declared` without having changed its meaning. */
export function equalScalars(declared: Json, live: Json, scalar: Scalar): boolean {
  if (scalar.policies.includes("scalars_as_strings") && mayBeText(declared, live, scalar)) return true;
  return normalize(declared, scalar) === normalize(live, scalar);
}

/** Today's service converts the text back where a setting is a number or a flag, so a text that is declared comes back as that. */
function mayBeText(declared: Json, live: Json, { schema }: Scalar): boolean {
  const isTyped = typesOf(schema).some((type) => type === "integer" || type === "boolean");
  return sameAsString(declared, live) || (isTyped && sameAsString(live, declared));
}

/** The normal form of a scalar: values with the same form are equal. */
export function normalize(value: Json, { schema, policies, isTrimmed }: Scalar): Json {
  if (value === null && policies.includes("null_is_default")) return schema?.default ?? null;
  if (typeof value !== "string") return value;
  let text = isTrimmed ? value.trim() : value;
  if (policies.includes("lower_case")) text = text.toLowerCase();
  if (policies.includes("without_query_string")) text = text.split("?")[0] ?? text;
  if (policies.includes("without_end_slashes")) text = text.replace(/\/+$/u, "");
  if (policies.includes("blank_is_null") && text === "") return null;
  return schema?.format === "date-time" ? utcTime(text) : text;
}

/**
 * A time in UTC with microseconds, which is the precision of servers. Like them, it reads a time without a zone as UTC.
 */
function utcTime(text: string): string {
  const time = Date.parse(/(z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`);
  if (Number.isNaN(time)) return text;
  const [, fraction = ""] = /\.(\d{1,6})/.exec(text) ?? [];
  return `${new Date(time).toISOString().slice(0, -".000Z".length)}.${fraction.replace(/0+$/, "")}`;
}

/** Whether 7 is written as "7", or true as "True": some servers store such values as text, and others read them as what they are. */
function sameAsString(value: Json, text: Json): boolean {
  if (typeof text !== "string") return false;
  if (typeof value === "boolean") return text.toLowerCase() === String(value);
  return DECIMAL.test(text) && Number(text) === value && isExact(text);
}

/** Only the characters of a decimal number, so neither 0x0 nor an empty text, which are also 0 for JavaScript. */
const DECIMAL = /^[-+.\de]+$/i;

/** Whether two arrays hold the same elements, regardless of order and repetition. */
export function equalSets(declared: readonly Value[], live: readonly Json[], policies: readonly Policy[]): boolean {
  const declaredItems = normalizedItems(declared, policies);
  const liveItems = normalizedItems(live, policies);
  return declaredItems.size === liveItems.size && [...declaredItems].every((item) => liveItems.has(item));
}

/** A declared set with the live elements of others. An object with an id is the declared one with this id. */
export function withOthers(
  declared: readonly Value[],
  live: readonly Json[],
  policies: readonly Policy[],
): readonly Value[] {
  const identityOf = (item: Value): string =>
    normalizedItem((isValueObject(item) ? own(item, "id") : undefined) ?? item, policies);
  const known = new Set(declared.map(identityOf));
  return [...declared, ...live.filter((item) => !known.has(identityOf(item)))];
}

/** The elements of a set in their normal form, as texts. */
export function normalizedItems(items: readonly Value[], policies: readonly Policy[]): ReadonlySet<string> {
  return new Set(items.map((item) => normalizedItem(item, policies)));
}

/** The normal form of an element of a set, as a text. */
export function normalizedItem(item: Value, policies: readonly Policy[]): string {
  const scalar = { schema: undefined, policies, isTrimmed: true };
  return canonicalJson(typeof item === "string" ? normalize(item, scalar) : item);
}

/** The form in which the elements of a set are compared, as a text: a tag in upper case is the same tag. */
export function elementForm(kind: KindName, path: string): (item: Json) => string {
  const policies = policiesAt(kinds[kind], pointerKeys(path));
  return (item) => normalizedItem(item, policies);
}
