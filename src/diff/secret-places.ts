/**
 * Conceals what may be a secret of the configuration.
 *
 * Premise: a live value cannot be compared with a secret that is not given, and the elements of a list move. So in a list that declares
 * a secret, and in a value that replaces such a list or a secret, a live text is shown only if it is declared openly: the text itself, or
 * another one at its place in any element.
 */
import { canonicalJson } from "../model/json/canonical-json.ts";
import {
  isValueObject,
  leavesOf,
  Secret,
  someValue,
  type Value,
  type ValueObject,
  valueAt,
} from "../model/json/json.ts";
import { mapValues } from "../model/json/object.ts";
import { pointer } from "../model/pointer.ts";
import { SENSITIVE } from "../model/secret-values.ts";

/** A value at a path of an object, live or planned, with everything concealed that may be one of the declared secrets. */
export function withoutSecretsOf(declared: ValueObject, keys: readonly string[], value: Value): Value {
  const depth = keys.findIndex((_, index) => isListWithSecret(valueAt(declared, keys.slice(0, index))));
  const around = keys.slice(0, depth === -1 ? keys.length : depth);
  const declaredAround = valueAt(declared, around) ?? null;
  if (!holdsSecret(declaredAround)) return value;
  const leaves = leavesOf(declaredAround).map((leaf) => ({ ...leaf, place: patternOf(leaf.keys) }));
  const open = leaves.filter(({ value: leaf }) => !(leaf instanceof Secret));
  const closed = new Set(leaves.flatMap(({ value: leaf, place }) => (leaf instanceof Secret ? place : [])));
  const places = new Set(open.flatMap(({ place }) => (closed.has(place) ? [] : place)));
  const texts = new Set(open.map(({ value: leaf }) => canonicalJson(leaf)));
  const isShown = (at: readonly string[], leaf: Value): boolean =>
    leaf === null || typeof leaf === "boolean" || places.has(patternOf(at)) || texts.has(canonicalJson(leaf));
  return concealed(keys.slice(around.length), value, isShown);
}

/** Whether a value holds a secret of the configuration. */
export function holdsSecret(value: Value): boolean {
  return someValue(value, (one) => one instanceof Secret);
}

function isListWithSecret(value: Value | undefined): boolean {
  return Array.isArray(value) && holdsSecret(value);
}

/** The same text for a place in each element of a list. */
function patternOf(keys: readonly string[]): string {
  return pointer(...keys.map((key) => (/^\d+$/.test(key) ? "*" : key)));
}

function concealed(
  keys: readonly string[],
  value: Value,
  isShown: (keys: readonly string[], leaf: Value) => boolean,
): Value {
  if (Array.isArray(value))
    return value.map((item: Value, index) => concealed([...keys, String(index)], item, isShown));
  if (isValueObject(value)) return mapValues(value, (item, key) => concealed([...keys, key], item, isShown));
  return value instanceof Secret || isShown(keys, value) ? value : SENSITIVE;
}
