import { invalidFields } from "../export/index.ts";
import { isValueObject, own, pointerKeys, type Json, type Value, type ValueObject } from "../model/json.ts";
import type { KindName } from "../model/kind-name.ts";

/** A value that is to stand in the configuration, at a JSON Pointer into a resource. */
export interface AcceptedValue {
  readonly path: string;
  readonly value: Json;
}

/**
 * Of each value, why the configuration would not take it in place of the declared one; undefined where it would.
 *
 * What all of the values come to counts before what each of them does by itself: a destination's type and its settings go
 * together.
 */
export function validateAccepted(
  kind: KindName,
  declared: ValueObject,
  all: readonly AcceptedValue[],
): readonly (string | undefined)[] {
  const together = invalidFields(kind, all.reduce<ValueObject>(placed, declared));
  return all.map((one) => {
    const top = topOf(one);
    const why = together.get(top);
    if (why === undefined) return undefined;
    const alone = all.filter((other) => topOf(other) === top && invalidFields(kind, placed(declared, other)).has(top));
    return alone.length === 0 || alone.includes(one) ? `the configuration would not take it (${why})` : undefined;
  });
}

function topOf({ path }: AcceptedValue): string {
  return pointerKeys(path)[0] ?? "";
}

function placed(values: ValueObject, { path, value }: AcceptedValue): ValueObject {
  return put(values, pointerKeys(path), value) as ValueObject;
}

function put(at: Value, [key, ...below]: readonly string[], value: Json): Value {
  if (key === undefined) return value;
  if (Array.isArray(at))
    return at.map((item: Value, index) => (String(index) === key ? put(item, below, value) : item));
  const members = isValueObject(at) ? at : {};
  return { ...members, [key]: put(own(members, key) ?? null, below, value) };
}
