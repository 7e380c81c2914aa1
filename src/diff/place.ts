import { childSchema, kindSchema, type FieldSchema } from "../kinds/fields.ts";
import type { Kind } from "../kinds/kind.ts";
import type { Value, ValueObject } from "../model/json/json.ts";

/** The name of a field, followed by keys within its value. */
export type FieldPath = readonly [string, ...string[]];

export function lastKey(keys: FieldPath): string {
  return keys.at(-1) ?? keys[0];
}

/** Where a value stands in an object, and what is known about it there. */
export interface ValuePlace {
  readonly kind: Kind;
  readonly keys: FieldPath;
  readonly schema: FieldSchema | undefined;
}

/** The place of a field in an object with these values. */
export function fieldPlace(kind: Kind, field: string, values: ValueObject): ValuePlace {
  return { kind, keys: [field], schema: childSchema(kind.name, kindSchema(kind.name), field, values) };
}

/** The place of a member. `object` is the value around it, which may decide its schema. */
export function memberPlace<P extends ValuePlace>(place: P, key: string, object: Value): P {
  return { ...place, keys: [...place.keys, key], schema: childSchema(place.kind.name, place.schema, key, object) };
}

export function itemPlace<P extends ValuePlace>(place: P, index: number): P {
  return { ...place, keys: [...place.keys, String(index)], schema: place.schema?.items };
}
