import { compare } from "../../diff/compare.ts";
import type { Kind } from "../../kinds/kind.ts";
import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";

/**
 * What was declared, as the service shows it now: each place at which it differs has the live value, everything else is as it
 * was declared, so that an equivalent spelling is no change, and what the service does not give back is kept.
 */
export function projectLive(kind: Kind, declared: JsonObject, live: JsonObject): JsonObject {
  return compare(kind, declared, live).reduce<JsonObject>(
    (values, { keys, prior }) => replaced(values, keys, prior) as JsonObject,
    declared,
  );
}

function replaced(at: Json | undefined, keys: readonly string[], value: Json): Json {
  const [key, ...below] = keys;
  if (key === undefined) return value;
  if (Array.isArray(at))
    return at.map((item: Json, index) => (String(index) === key ? replaced(item, below, value) : item));
  const object = isJsonObject(at) ? at : {};
  return { ...object, [key]: replaced(object[key], below, value) };
}
