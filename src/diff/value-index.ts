/**
 * Index keys that find the live objects which may equal a declared resource, without comparing every object with every
 * resource.
 *
 * Terms: an indexed path is a path at which a value was declared. A form is a text that is the same for all values that
 * the differ considers equal at that path. A path is blind if the differ may consider values with different forms
 * equal.
 * Premise: an object that equals the declared values has the same form at every path that is not blind. The reverse is
 * not true: objects with the same forms must still be compared.
 */
import type { Policy } from "../kinds/comparison.ts";
import type { Kind } from "../kinds/kind.ts";
import { isObject, isValueObject, type Json, own, Secret, type Value, type ValueObject } from "../model/json/json.ts";
import { compareText } from "../model/compare-text.ts";
import { pointer } from "../model/pointer.ts";
import { UNKNOWN_SECRET } from "../model/secret-values.ts";
import { scalarAt, isServiceVersion, normalize, policiesAt, normalizedItems, type Scalar } from "./equal.ts";
import { fieldPlace, itemPlace, memberPlace, type ValuePlace } from "./place.ts";

export interface IndexedPath {
  readonly keys: readonly string[];
  /** JSON Pointer. */
  readonly path: string;
  readonly type: "list" | "set" | "object" | "null" | "scalar" | "blind";
  readonly scalar: Scalar;
}

/** Lists the paths of the declared values, in an order that depends only on the paths. */
export function indexedPaths(kind: Kind, declared: ValueObject): readonly IndexedPath[] {
  const paths: IndexedPath[] = [];
  const add = (place: ValuePlace, value: Value): void => {
    const { keys } = place;
    const policies = policiesAt(kind, keys);
    const type = typeOf(place, value, policies);
    paths.push({ keys, path: pointer(...keys), type, scalar: scalarAt(kind, place) });
    if (type === "list")
      for (const [index, item] of (value as readonly Value[]).entries()) add(itemPlace(place, index), item);
    if (type === "object")
      for (const [key, item] of Object.entries(value as ValueObject)) add(memberPlace(place, key, value), item);
  };
  for (const [field, value] of Object.entries(declared)) add(fieldPlace(kind, field, declared), value);
  // Deep paths distinguish objects best.
  return paths.toSorted((a, b) => b.keys.length - a.keys.length || compareText(a.path, b.path));
}

function typeOf({ schema, keys }: ValuePlace, value: Value, policies: readonly Policy[]): IndexedPath["type"] {
  if (value instanceof Secret || value === UNKNOWN_SECRET || schema?.writeOnly === true) return "blind";
  if (policies.includes("absent_is_unknown")) return "blind";
  if (isServiceVersion(policies, keys)) return "blind";
  if (Array.isArray(value)) return schema?.["x-unordered"] === true ? "set" : "list";
  if (isValueObject(value)) return "object";
  if (policies.includes("scalars_as_strings")) return "blind";
  return value === null ? "null" : "scalar";
}

/** The form of the value that an object, or a resource, has at a path. */
export function normalizedAt({ keys, type, scalar }: IndexedPath, values: ValueObject): string {
  let value: Value | undefined = values;
  for (const key of keys) value = isObject(value) || Array.isArray(value) ? own(value as ValueObject, key) : undefined;
  if (type === "object") return String(isObject(value));
  if (type === "list") return Array.isArray(value) ? String(value.length) : "";
  if (type === "set") return Array.isArray(value) ? normalizedSet(value as readonly Value[], scalar.policies) : "";
  return isObject(value) || Array.isArray(value) ? "" : JSON.stringify(normalize((value ?? null) as Json, scalar));
}

function normalizedSet(items: readonly Value[], policies: readonly Policy[]): string {
  return JSON.stringify([...normalizedItems(items, policies)].toSorted());
}
