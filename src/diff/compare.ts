/**
 * The only differ: finds the declared fields in which a live object differs.
 *
 * Terms: `declared` is the configuration of a resource, `live` the object as the service returns it. A difference is a
 * path at which they differ. A field is unreadable if the service does not return its value (write-only, or declared as
 * a secret).
 * Premise: only declared fields count, and within most of them only declared keys. In a field that is compared whole, a
 * key that is live and not declared is a difference as well (comparison-rules.ts). If a service rewrites a value without changing
 * its meaning, that is not a difference (equal.ts). An unreadable field cannot be compared and is never a difference,
 * unless it is to be rotated.
 * Algorithm: walk the declared tree together with the live one and the schema. Arrays are compared as sets if the schema says so.
 * Otherwise each declared element has a partner in the live list, or is new (align.ts). If all partners are at their places, the
 * list is compared by element, and a new element is compared whole. Else the list is one difference. A node of another type is one
 * as well.
 */
import type { Policy } from "../kinds/comparison.ts";
import { isSecretField, type FieldSchema } from "../kinds/fields.ts";
import type { Kind } from "../kinds/kind.ts";
import { isUnknownField } from "../kinds/unknown-fields.ts";
import { compareItems } from "../model/json/canonical-json.ts";
import {
  isJsonArray,
  isJsonObject,
  isValueObject,
  type Json,
  type JsonObject,
  mapSecrets,
  own,
  Secret,
  type Value,
  type ValueObject,
} from "../model/json/json.ts";
import { pointer } from "../model/pointer.ts";
import { isMasked, isSecretName, UNKNOWN_SECRET } from "../model/secret-values.ts";
import { findPartners } from "./align.ts";
import { type ComparisonRules, comparisonRules, type RuleOptions } from "./comparison-rules.ts";
import { equalScalars, equalSets, isServiceVersion, policiesAt, scalarAt, withOthers } from "./equal.ts";
import { type FieldPath, fieldPlace, itemPlace, lastKey, memberPlace, type ValuePlace } from "./place.ts";
import { precedenceOf, unverifiablePaths } from "./shown-as.ts";

/** A path at which the live object differs from what was declared. */
export interface Difference {
  readonly keys: FieldPath;
  readonly live: Json;
  readonly planned: Value;
  readonly schema: FieldSchema | undefined;
  /** Set if the live object has a key here that is not declared. `planned` is null. */
  readonly isUndeclared?: boolean;
}

export interface CompareOptions extends RuleOptions {
  /** Count unreadable fields as different, so that they are sent again. */
  readonly rotate?: boolean | undefined;
}

export interface Comparison {
  readonly differences: readonly Difference[];
  /** The declared values that cannot be compared, because the service does not return them. */
  readonly unreadable: readonly Difference[];
  /** JSON Pointers of live keys that are not declared and not compared. */
  readonly uncomparedKeys: readonly string[];
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
  const rules = comparisonRules(kind, options);
  const precedence = precedenceOf(kind, declared, live);
  // Nothing has to give way to a field that is managed elsewhere.
  const of = precedence === undefined || rules.isIgnored([precedence.over]) ? undefined : precedence.of;
  const findings = noFindings();
  const unverifiable = new Set(unverifiablePaths(kind, declared, live));
  const context = { ...findings, rules, rotate: options.rotate, unverifiable };
  const compareField = (field: string, value: Value, values: JsonObject): void =>
    compareValue({ ...fieldPlace(kind, field, declared), ...context }, value, own(values, field));
  const declaredForm = kind.comparison?.toDeclaredNotation?.(declared, live) ?? live;
  for (const [field, value] of Object.entries(declared)) if (field !== of) compareField(field, value, declaredForm);
  if (of !== undefined) compareField(of, null, live);
  return findings;
}

/**
 * Whether another value needs another object.
 *
 * @param isFixed whether the service of the object cannot change a field of it
 */
export function isImmutable({ keys, schema }: Difference, isFixed: (field: string) => boolean): boolean {
  return schema?.["x-immutable"] === true || (keys.length === 1 && isFixed(keys[0]));
}

/** What a comparison has found so far. */
interface Findings {
  readonly differences: Difference[];
  readonly unreadable: Difference[];
  readonly uncomparedKeys: string[];
}

function noFindings(): Findings {
  return { differences: [], unreadable: [], uncomparedKeys: [] };
}

/** A place with the rules of its comparison, and what was found. */
interface ComparedPlace extends ValuePlace, Findings {
  readonly rules: ComparisonRules;
  readonly rotate?: boolean | undefined;
  /** Paths that the other notation of the service does not show: they count as unreadable. */
  readonly unverifiable: ReadonlySet<string>;
  /** Set if the first difference decides: then lists are compared by index. */
  readonly stopsAtFirst?: boolean;
}

function compareValue(place: ComparedPlace, declared: Value, live: Json | undefined): void {
  const { kind, keys, schema, rules } = place;
  const policies = policiesAt(kind, keys);
  // Of a new element, everything is sent.
  if ((isServiceVersion(policies, keys) && rules !== EVERYTHING) || schema?.["x-once"] === true) return;
  // The values inside an ignored one are only looked at because some of them may be unreadable.
  const at = rules.isIgnored(keys) ? { ...place, ...noFindings(), unreadable: place.unreadable } : place;
  if (isHidden(at, declared, live)) return addUnreadable(at, declared, live);
  if (countsAsEqual(policies, declared, live)) return;
  if (Array.isArray(declared)) return compareArray(at, declared, live);
  if (isValueObject(declared)) return compareObject(at, declared, live);
  if (!equalScalars(declared as Json, live ?? null, scalarAt(at.kind, at))) addDifference(at, declared, live);
}

/** Whether the service does not show what a value is. */
function isHidden(at: ComparedPlace, declared: Value, live: Json | undefined): boolean {
  return isUnreadable(at.schema, declared, live) || isHiddenExtra(at, declared, live) || isUnverifiable(at);
}

function addUnreadable(at: ComparedPlace, declared: Value, live: Json | undefined): void {
  at.unreadable.push(differenceAt(at, declared, live));
  if (at.rotate === true) addDifference(at, declared, live);
}

/** Whether a policy says that two values are equal, even if their types differ. */
function countsAsEqual(policies: readonly Policy[], declared: Value, live: Json | undefined): boolean {
  if (policies.includes("blank_is_null") && isNullOrEmptyList(declared) && isNullOrEmptyList(live)) return true;
  return policies.includes("absent_is_unknown") && (live ?? null) === null;
}

function isNullOrEmptyList(value: Value | undefined): boolean {
  return (value ?? null) === null || (Array.isArray(value) && value.length === 0);
}

function addDifference(place: ComparedPlace, declared: Value, live: Json | undefined): void {
  place.differences.push(differenceAt(place, declared, live));
}

function differenceAt({ keys, schema }: ValuePlace, declared: Value, live: Json | undefined): Difference {
  return { keys, live: sorted(schema, live ?? null), planned: declared, schema };
}

/** Most objects have no such path, and then none is made from the keys. */
function isUnverifiable({ unverifiable, keys }: ComparedPlace): boolean {
  return unverifiable.size > 0 && unverifiable.has(pointer(...keys));
}

/** Services return sets in any order, but the same set must give the same plan, because its hash may be approved. */
function sorted(schema: FieldSchema | undefined, live: Json): Json {
  if (schema?.["x-unordered"] !== true || !Array.isArray(live)) return live;
  const items: readonly Json[] = live;
  return items.toSorted(compareItems);
}

/** Lists compare many pairs of elements, most of which differ in the first member. */
function isDecided({ stopsAtFirst, differences }: ComparedPlace): boolean {
  return stopsAtFirst === true && differences.length > 0;
}

function compareObject(place: ComparedPlace, declared: ValueObject, live: Json | undefined): void {
  const { kind, keys } = place;
  if (!isJsonObject(live) || kind.comparison?.isOtherNode?.(keys[0], declared, live) === true)
    return addDifference(place, declared, live);
  for (const [key, value] of Object.entries(declared)) {
    if (isDecided(place)) return;
    compareValue(memberPlace(place, key, declared), value, own(live, key));
  }
  if (isDecided(place)) return;
  for (const [key, value] of Object.entries(live))
    if (!Object.hasOwn(declared, key)) addUndeclared(memberPlace(place, key, declared), value);
}

/** Adds a live value that is not declared: it is a difference, or noted, or does not count at all. */
function addUndeclared({ keys, schema, rules, differences, uncomparedKeys }: ComparedPlace, live: Json): void {
  const undeclared = rules.ofUndeclared(keys, live);
  if (undeclared === "difference") differences.push({ keys, live, planned: null, schema, isUndeclared: true });
  if (undeclared === "noted") uncomparedKeys.push(pointer(...keys));
}

function compareArray(place: ComparedPlace, declared: readonly Value[], live: Json | undefined): void {
  const { kind, keys, schema } = place;
  if (!isJsonArray(live)) return addDifference(place, declared, live);
  if (schema?.["x-unordered"] === true) {
    const policies = policiesAt(kind, keys);
    const wanted = place.rules.isPartial(keys) ? withOthers(declared, live, policies) : declared;
    if (!equalSets(wanted, live, policies)) addDifference(place, wanted, live);
    return;
  }
  const partners =
    place.stopsAtFirst === true ? declared.map((_, index) => index) : livePartners(place, declared, live);
  const isInPlace = partners.every((from, index) => from === undefined || from === index);
  if (declared.length !== live.length || !isInPlace) return addDifference(place, declared, live);
  for (const [index, item] of declared.entries()) {
    if (isDecided(place)) return;
    const at = itemPlace(place, index);
    // Nothing of the live one stays in the place of a new one, so all of that is a difference.
    compareValue(partners[index] === undefined ? { ...at, rules: EVERYTHING } : at, item, live[index]);
  }
}

/**
 * For each declared element, the index of its live one; undefined for a new element. The two are compared, and a body keeps the keys
 * of the live one that others own. Elements that are managed elsewhere stay at their places.
 */
export function livePartners(
  place: ValuePlace & Pick<ComparedPlace, "rules"> & Partial<Pick<ComparedPlace, "unverifiable">>,
  declared: readonly Value[],
  live: readonly Json[],
): readonly (number | undefined)[] {
  const { kind, keys, schema, rules, unverifiable = new Set() } = place;
  const isEqual = (from: number, to: number): boolean => {
    const pair = { kind, keys, schema, rules, unverifiable, stopsAtFirst: true, ...noFindings() };
    compareValue(itemPlace(pair, to), declared[to] ?? null, live[from]);
    return pair.differences.length === 0;
  };
  if (declared.length === live.length && declared.every((_, index) => isEqual(index, index)))
    return declared.map((_, index) => index);
  // Nothing is known about a secret.
  const withoutSecrets = declared.map((item) => mapSecrets(item, () => null));
  const partners = findPartners(live, withoutSecrets, { isEqual, partial: true });
  const staysAt = (index: number): boolean => index < live.length && rules.isIgnored([...keys, String(index)]);
  return declared.map((_, index) => (staysAt(index) ? index : partners.get(index)));
}

const EVERYTHING: ComparisonRules = {
  isIgnored: () => false,
  isPartial: () => false,
  ofUndeclared: (_keys, live) => (live === null ? undefined : "difference"),
};

/** Whether the service does not return the value of a field, or returns it masked. */
function isUnreadable(schema: FieldSchema | undefined, declared: Value, live: Json | undefined): boolean {
  if (declared instanceof Secret || declared === UNKNOWN_SECRET) return true;
  if (schema?.writeOnly !== true || declared === null) return false;
  return live === undefined || (live === null && isSecretField(schema)) || isMasked(live);
}

/** Whether a field that driftline has no name for sounds like a secret, and the service does not return it in clear. */
function isHiddenExtra({ kind, keys }: ValuePlace, declared: Value, live: Json | undefined): boolean {
  if (!isUnknownField(kind.name, keys[0]) || !isSecretName(lastKey(keys))) return false;
  return declared !== null && typeof declared !== "boolean" && (live === undefined || isMasked(live));
}
