/**
 * The one differ: which declared fields does a live object not have?
 *
 * Terms: `declared` is what the configuration says of a resource, `live` what the service shows of its object. A leaf is a
 * path at which they differ. A field is unreadable where the service does not give it back (write-only, or declared as a secret).
 * Premise: only declared keys count, at every depth; what a service does to a value without changing it is no difference
 * (equal.ts); a unreadable field cannot be compared and is never a difference, unless it is to be rotated.
 * Algorithm: walk the declared tree beside the live one and the schema; arrays by element where their lengths agree, as sets
 * where the schema says so; a node of another kind is one leaf.
 */
import type { Kind } from "../kinds/kind.ts";
import { childSchema, isSecretField, kindSchema, type FieldSchema } from "../kinds/fields.ts";
import {
  canonicalJson,
  isJsonObject,
  isValueObject,
  own,
  pointer,
  pointerKeys,
  Secret,
  type Json,
  type JsonObject,
  type Value,
  type ValueObject,
} from "../model/json.ts";
import { isMasked, SECRET_PLACEHOLDER } from "../model/sensitive.ts";
import { equalScalars, equalSets, policiesAt } from "./equal.ts";

/** A field, and keys within its value. */
type Keys = readonly [string, ...string[]];

export interface Difference {
  readonly keys: Keys;
  readonly prior: Json;
  readonly planned: Value;
  readonly schema: FieldSchema | undefined;
}

export interface CompareOptions {
  /** Count unreadable fields as different, so that they are sent again. */
  readonly rotate?: boolean | undefined;
  /** Fields that are managed elsewhere. */
  readonly ignore?: readonly string[] | undefined;
}

/** What a comparison found. */
export interface Comparison {
  /** All leaves at which the live object is not what was declared. */
  readonly differences: readonly Difference[];
  /** What was declared but cannot be compared, as the service does not give it back: it is known only to have been sent. */
  readonly unreadable: readonly Difference[];
}

/** All leaves at which `live` is not what was declared. */
export function compare(
  kind: Kind,
  declared: ValueObject,
  live: JsonObject,
  options: CompareOptions = {},
): readonly Difference[] {
  return inspect(kind, declared, live, options).differences;
}

/** Compares all that can be compared, in one walk. Sealed fields are told whether they are ignored or not. */
export function inspect(kind: Kind, declared: ValueObject, live: JsonObject, options: CompareOptions = {}): Comparison {
  const unreadable: Difference[] = [];
  const leaves: Difference[] = [];
  const schema = kindSchema(kind.name);
  const { values: shown, unverifiable } = kind.toDeclaredNotation?.(declared, live) ?? {
    values: live,
    unverifiable: [],
  };
  const common = { kind, rotate: options.rotate === true, unverifiable: new Set(unverifiable), unreadable };
  for (const [field, value] of Object.entries(declared)) {
    const at: Comparing = { ...common, leaves: options.ignore?.includes(field) === true ? [] : leaves };
    compareValue(at, [field], childSchema(kind.name, schema, field, declared), value, own(shown, field));
  }
  return { differences: leaves, unreadable };
}

/** What was declared under these fields and the service shows in another notation, of which nothing can be told. */
export function unverifiablePaths(
  kind: Kind,
  declared: ValueObject,
  live: JsonObject,
  fields: readonly string[],
): readonly string[] {
  const paths = kind.toDeclaredNotation?.(declared, live)?.unverifiable ?? [];
  return paths.filter((path) => fields.includes(pointerKeys(path)[0] ?? ""));
}

interface Comparing {
  readonly kind: Kind;
  readonly rotate: boolean;
  /** What the service shows in another notation, and does not tell in that one: as good as unreadable. */
  readonly unverifiable: ReadonlySet<string>;
  readonly leaves: Difference[];
  readonly unreadable: Difference[];
}

function compareValue(
  at: Comparing,
  keys: Keys,
  schema: FieldSchema | undefined,
  declared: Value,
  live: Json | undefined,
): void {
  const policies = policiesAt(at.kind, keys);
  const leaf = (): Difference => ({ keys, prior: inStableOrder(schema, live ?? null), planned: declared, schema });
  const differs = (): void => void at.leaves.push(leaf());
  if (policies.includes("ignore_version") && keys.at(-1) === "version") return;
  if (isUnreadable(schema, declared, live) || (at.unverifiable.size > 0 && at.unverifiable.has(pointer(...keys)))) {
    at.unreadable.push(leaf());
    return at.rotate ? differs() : undefined;
  }
  if (policies.includes("absent_is_unknown") && (live === undefined || live === null)) return;
  if (Array.isArray(declared)) return compareArray(at, keys, schema, declared, live, differs);
  if (isValueObject(declared)) {
    if (!isJsonObject(live) || at.kind.isOtherNode?.(keys[0], declared, live) === true) return differs();
    for (const [key, value] of Object.entries(declared)) {
      compareValue(at, [...keys, key], childSchema(at.kind.name, schema, key, declared), value, own(live, key));
    }
    return;
  }
  const scalar = { schema, policies, top: keys.length === 1 };
  if (!equalScalars(declared as Json, live ?? null, scalar)) differs();
}

/** Services give sets back in any order: the same set has to make the same plan, whose hash may be approved. */
function inStableOrder(schema: FieldSchema | undefined, live: Json): Json {
  if (schema?.["x-unordered"] !== true || !Array.isArray(live)) return live;
  const items: readonly Json[] = live;
  return items.toSorted((a, b) =>
    typeof a === "number" && typeof b === "number" ? a - b : canonicalJson(a) < canonicalJson(b) ? -1 : 1,
  );
}

function compareArray(
  at: Comparing,
  keys: Keys,
  schema: FieldSchema | undefined,
  declared: readonly Value[],
  live: Json | undefined,
  differs: () => void,
): void {
  if (!Array.isArray(live)) return differs();
  const items = live as readonly Json[];
  if (schema?.["x-unordered"] === true)
    return equalSets(declared, items, policiesAt(at.kind, keys)) ? undefined : differs();
  if (declared.length !== items.length) return differs();
  declared.forEach((item, index) => compareValue(at, [...keys, String(index)], schema?.items, item, items[index]));
}

/** A field that the service does not show, or shows masked: nothing can be said of it. */
export function isUnreadable(schema: FieldSchema | undefined, declared: Value, live: Json | undefined): boolean {
  if (declared instanceof Secret || declared === SECRET_PLACEHOLDER) return true;
  if (schema?.writeOnly !== true || declared === null) return false;
  return live === undefined || (live === null && isSecretField(schema)) || isMasked(live);
}
