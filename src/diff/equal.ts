import type { FieldSchema } from "../kinds/fields.ts";
import type { Kind, Policy } from "../kinds/kind.ts";
import { isExact } from "../model/exact-number.ts";
import { canonicalJson, type Json, type Value } from "../model/json.ts";

const NONE: readonly Policy[] = [];

/** The policies that hold at a path: its own, and those of every `/…/*` above it. */
export function policiesAt({ policies }: Kind, keys: readonly string[]): readonly Policy[] {
  let found = NONE;
  for (const pattern in policies) if (covers(pattern, keys)) found = [...found, ...(policies[pattern] ?? [])];
  return found;
}

/** Whether a pattern is a path, or ends in `/*` above it. Asked of every scalar there is, so nothing is made for it. */
function covers(pattern: string, keys: readonly string[]): boolean {
  let at = 0;
  for (const key of keys) {
    if (at === pattern.length - 2 && pattern.endsWith("/*")) return true;
    if (pattern[at] !== "/" || !pattern.startsWith(key, at + 1)) return false;
    at += key.length + 1;
  }
  return at === pattern.length;
}

export interface Scalar {
  readonly schema: FieldSchema | undefined;
  readonly policies: readonly Policy[];
  /** A field of the resource itself, not a key inside a free-form value: services trim these. */
  readonly top: boolean;
}

/** Whether a service that was sent `declared` may answer `live` without having changed anything. */
export function equalScalars(declared: Json, live: Json, scalar: Scalar): boolean {
  if (scalar.policies.includes("scalars_as_strings") && sameAsString(declared, live)) return true;
  return normalize(declared, scalar) === normalize(live, scalar);
}

/** The one spelling of a scalar by which equal values are recognised. */
export function normalize(value: Json, { schema, policies, top }: Scalar): Json {
  if (typeof value !== "string") return value;
  let text = top ? value.trim() : value;
  if (policies.includes("lower_case")) text = text.toLowerCase();
  if (policies.includes("without_query_string")) text = text.split("?")[0] ?? text;
  if (policies.includes("blank_is_null") && text === "") return null;
  return schema?.format === "date-time" ? instant(text) : text;
}

/**
 * The same time in one zone, to the microsecond, the finest that servers keep; one without a zone is taken as UTC, as they
 * do.
 */
function instant(text: string): string {
  const zoned = /(z|[+-]\d\d:?\d\d)$/i.test(text) || !/[t ]/i.test(text) ? text : `${text}Z`;
  const fraction = /\.(\d{1,6})/.exec(zoned)?.[1]?.replace(/0+$/, "") ?? "";
  const time = Date.parse(zoned.replace(/\.\d+/, ""));
  return Number.isNaN(time) ? text : `${new Date(time).toISOString().slice(0, 19)}.${fraction}`;
}

/** 7 against "7", true against "True": how some servers give back what they keep as text. */
function sameAsString(declared: Json, live: Json): boolean {
  if (typeof live !== "string") return false;
  if (typeof declared === "boolean") return live.toLowerCase() === String(declared);
  return typeof declared === "number" && DECIMAL.test(live) && Number(live) === declared && isExact(live);
}

/** How any language writes a number: not 0x10, nor blank. */
const DECIMAL = /^[-+]?\d+(?:\.\d*)?(?:e[-+]?\d+)?$/i;

/** Whether two arrays hold the same elements, whatever their order and however often. */
export function equalSets(declared: readonly Value[], live: readonly Json[], policies: readonly Policy[]): boolean {
  const [wanted, found] = [normalizedItems(declared, policies), normalizedItems(live, policies)];
  return wanted.size === found.size && [...wanted].every((form) => found.has(form));
}

/** The elements of a set, each in its one spelling, as texts. */
export function normalizedItems(items: readonly Value[], policies: readonly Policy[]): ReadonlySet<string> {
  const scalar = { schema: undefined, policies, top: true };
  return new Set(items.map((item) => canonicalJson(typeof item === "string" ? normalize(item, scalar) : item)));
}
