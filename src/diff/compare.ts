/**
 * The only differ: finds the declared fields in which a live object differs.
 *
 * Terms: `declared` is the configuration of a resource, `live` the object as the service returns it. A difference is a
 * path at which they differ. A field is unreadable if the service does not return its value (write-only, or declared as
 * a secret).
 * Premise: only declared fields count, and within most of them only declared keys. In a field that is compared whole, a
 * key that is live and not declared is a difference as well (equal.ts). If a service rewrites a value without changing
 * its meaning, that is not a difference (equal.ts). An unreadable field cannot be compared and is never a difference,
 * unless it is to be rotated.
 * Algorithm: walk the declared tree together with the live one and the schema. Arrays are compared as sets if the schema says so.
 * Otherwise each declared element has a partner in the live list, or is new (align.ts). If all partners are at their places, the
 * list is compared by element, and a new element is compared whole. Else the list is one difference. A node of another type is one
 * as well.
 */
import type { DeclaredNotation } from "../kinds/comparison.ts";
import type { Kind } from "../kinds/kind.ts";
import { childSchema, isSecretField, kindSchema, type FieldSchema } from "../kinds/fields.ts";
import {
  canonicalJson,
  isJsonArray,
  isJsonObject,
  isMasked,
  isValueObject,
  type Json,
  type JsonObject,
  mapSecrets,
  own,
  pointer,
  pointerKeys,
  Secret,
  SECRET_PLACEHOLDER,
  type Value,
  type ValueObject,
} from "../model/json.ts";
import {
  equalScalars,
  equalSets,
  type Extent,
  extentOf,
  type ExtentOptions,
  isServiceVersion,
  policiesAt,
} from "./equal.ts";
import { findPartners } from "./align.ts";

/** The name of a field, followed by keys within its value. */
export type FieldPath = readonly [string, ...string[]];

/** A path at which the live object differs from what was declared. */
export interface Difference {
  readonly keys: FieldPath;
  readonly prior: Json;
  readonly planned: Value;
  readonly schema: FieldSchema | undefined;
  /** Set if the live object has a key here that is not declared. `planned` is null. */
  readonly isUndeclared?: boolean;
}

export interface CompareOptions extends ExtentOptions {
  /** Count unreadable fields as different, so that they are sent again. */
  readonly rotate?: boolean | undefined;
}

/** The result of a comparison. */
export interface Comparison {
  readonly differences: readonly Difference[];
  /** The declared values that cannot be compared, because the service does not return them. */
  readonly unreadable: readonly Difference[];
  /** JSON Pointers of live keys that are not declared and not compared. */
  readonly more: readonly string[];
  /** Declared fields whose other keys the service does not show. A write loses those keys. */
  readonly partlyShown: readonly string[];
}

/** Lists the paths at which `live` differs from what was declared. */
export function compare(
  kind: Kind,
  declared: ValueObject,
  live: JsonObject,
  options: CompareOptions = {},
): readonly Difference[] {
  return inspect(kind, declared, live, options).differences;
}

/** Like {@link compare}, and lists the unreadable values as well, also those of ignored fields. */
export function inspect(kind: Kind, declared: ValueObject, live: JsonObject, options: CompareOptions = {}): Comparison {
  const schema = kindSchema(kind.name);
  const extent = extentOf(kind, options);
  const found = kind.comparison?.toDeclaredNotation?.(declared, live);
  // Nothing has to give way to a field that is managed elsewhere.
  const notation = extent.isIgnored([found?.precedence?.over ?? ""]) ? undefined : found;
  const values = notation?.values ?? live;
  const context: CompareContext = {
    kind,
    rotate: options.rotate === true,
    extent,
    unverifiable: new Set(notation?.unverifiable),
    differences: [],
    unreadable: [],
    more: [],
  };
  for (const [field, value] of Object.entries(declared))
    compareValue(context, [field], childSchema(kind.name, schema, field, declared), value, own(values, field));
  const hiding = notation && hidingField(notation, context);
  if (hiding !== undefined)
    compareValue(context, [hiding], childSchema(kind.name, schema, hiding, declared), null, own(live, hiding));
  const { differences, unreadable, more } = context;
  const partlyShown = notation?.isPartial === true ? [notation.precedence?.over ?? []].flat() : [];
  return { differences, unreadable, more, partlyShown };
}

/** The live field that has to go so that a declared one counts. One that says the same may stay. */
function hidingField({ precedence, isPartial }: DeclaredNotation, { differences }: CompareContext): string | undefined {
  if (precedence === undefined) return undefined;
  const saysTheSame = isPartial === true && !differences.some(({ keys }) => keys[0] === precedence.over);
  return saysTheSame ? undefined : precedence.of;
}

/** Lists the paths under these fields that the service returns in another notation, so that they cannot be compared. */
export function unverifiablePaths(
  kind: Kind,
  declared: ValueObject,
  live: JsonObject,
  fields: readonly string[],
): readonly string[] {
  const paths = kind.comparison?.toDeclaredNotation?.(declared, live)?.unverifiable ?? [];
  return paths.filter((path) => fields.includes(pointerKeys(path)[0] ?? ""));
}

interface CompareContext {
  readonly kind: Kind;
  readonly rotate: boolean;
  readonly extent: Extent;
  /** Paths that the other notation of the service does not show: they count as unreadable. */
  readonly unverifiable: ReadonlySet<string>;
  readonly differences: Difference[];
  readonly unreadable: Difference[];
  readonly more: string[];
  /** Set if only the presence of a difference counts: then lists are compared by index. */
  readonly isProbe?: boolean;
}

function compareValue(
  context: CompareContext,
  keys: FieldPath,
  schema: FieldSchema | undefined,
  declared: Value,
  live: Json | undefined,
): void {
  const policies = policiesAt(context.kind, keys);
  const difference: Difference = { keys, prior: sorted(schema, live ?? null), planned: declared, schema };
  // The values inside an ignored one are only looked at because some of them may be unreadable.
  if (context.extent.isIgnored(keys)) context = { ...context, differences: [], more: [] };
  const addDifference = (): void => void context.differences.push(difference);
  if (isServiceVersion(policies, keys) || schema?.["x-once"] === true) return;
  if (isUnreadable(schema, declared, live) || isUnverifiable(context, keys)) {
    context.unreadable.push(difference);
    return context.rotate ? addDifference() : undefined;
  }
  if (policies.includes("absent_is_unknown") && (live === undefined || live === null)) return;
  if (Array.isArray(declared)) return compareArray(context, keys, schema, declared, live, addDifference);
  if (isValueObject(declared)) {
    if (!isJsonObject(live) || context.kind.comparison?.isOtherNode?.(keys[0], declared, live) === true)
      return addDifference();
    for (const [key, value] of Object.entries(declared)) {
      const child = childSchema(context.kind.name, schema, key, declared);
      compareValue(context, [...keys, key], child, value, own(live, key));
    }
    return addUndeclared(context, keys, schema, declared, live);
  }
  const scalar = { schema, policies, isTrimmed: keys.length === 1 };
  if (!equalScalars(declared as Json, live ?? null, scalar)) addDifference();
}

/** Adds the keys of a live object that are not declared: they are differences, or noted, or do not count at all. */
function addUndeclared(
  context: CompareContext,
  keys: FieldPath,
  schema: FieldSchema | undefined,
  declared: ValueObject,
  live: JsonObject,
): void {
  for (const [key, prior] of Object.entries(live)) {
    if (Object.hasOwn(declared, key)) continue;
    const path: FieldPath = [...keys, key];
    const standing = context.extent.ofUndeclared(path, prior);
    if (standing === "difference") {
      const child = childSchema(context.kind.name, schema, key, declared);
      context.differences.push({ keys: path, prior, planned: null, schema: child, isUndeclared: true });
    } else if (standing === "more") context.more.push(pointer(...path));
  }
}

function isUnverifiable({ unverifiable }: CompareContext, keys: FieldPath): boolean {
  return unverifiable.size > 0 && unverifiable.has(pointer(...keys));
}

/** Services return sets in any order, but the same set must give the same plan, because its hash may be approved. */
function sorted(schema: FieldSchema | undefined, live: Json): Json {
  if (schema?.["x-unordered"] !== true || !Array.isArray(live)) return live;
  const items: readonly Json[] = live;
  return items.toSorted((a, b) =>
    typeof a === "number" && typeof b === "number" ? a - b : canonicalJson(a) < canonicalJson(b) ? -1 : 1,
  );
}

function compareArray(
  context: CompareContext,
  keys: FieldPath,
  schema: FieldSchema | undefined,
  declared: readonly Value[],
  live: Json | undefined,
  addDifference: () => void,
): void {
  if (!isJsonArray(live)) return addDifference();
  if (schema?.["x-unordered"] === true)
    return equalSets(declared, live, policiesAt(context.kind, keys)) ? undefined : addDifference();
  const partners =
    context.isProbe === true ? declared.map((_, index) => index) : livePartners(context, keys, schema, declared, live);
  const isInPlace = partners.every((from, index) => from === undefined || from === index);
  if (declared.length !== live.length || !isInPlace) return addDifference();
  declared.forEach((item, index) => {
    const path: FieldPath = [...keys, String(index)];
    // Nothing of the live one stays in the place of a new one, so all of that is a difference.
    const inside = partners[index] === undefined ? { ...context, extent: EVERYTHING } : context;
    compareValue(inside, path, schema?.items, item, live[index]);
  });
}

/**
 * The index of the live element that each declared one is compared with, and gets the keys from that others own; undefined for a
 * new element. Elements that are managed elsewhere stay at their places.
 */
export function livePartners(
  { kind, extent, unverifiable }: Pick<CompareContext, "kind" | "extent" | "unverifiable">,
  keys: FieldPath,
  schema: FieldSchema | undefined,
  declared: readonly Value[],
  live: readonly Json[],
): readonly (number | undefined)[] {
  const isEqual = (from: number, to: number): boolean => {
    const probe = {
      kind,
      extent,
      unverifiable,
      rotate: false,
      differences: [],
      unreadable: [],
      more: [],
      isProbe: true,
    };
    compareValue(probe, [...keys, String(to)], schema?.items, declared[to] ?? null, live[from]);
    return probe.differences.length === 0;
  };
  if (declared.length === live.length && declared.every((_, index) => isEqual(index, index)))
    return declared.map((_, index) => index);
  // Nothing is known about a secret.
  const shown = declared.map((item) => mapSecrets(item, () => null));
  const partners = findPartners(live, shown, { isEqual, partial: true });
  const staysAt = (index: number): boolean => index < live.length && extent.isIgnored([...keys, String(index)]);
  return declared.map((_, index) => (staysAt(index) ? index : partners.get(index)));
}

const EVERYTHING: Extent = {
  isIgnored: () => false,
  ofUndeclared: (_keys, live) => (live === null ? "nothing" : "difference"),
};

/** Whether the service does not return the value of a field, or returns it masked. */
export function isUnreadable(schema: FieldSchema | undefined, declared: Value, live: Json | undefined): boolean {
  if (declared instanceof Secret || declared === SECRET_PLACEHOLDER) return true;
  if (schema?.writeOnly !== true || declared === null) return false;
  return live === undefined || (live === null && isSecretField(schema)) || isMasked(live);
}
