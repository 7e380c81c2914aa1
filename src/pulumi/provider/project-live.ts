import { compare } from "../../diff/compare.ts";
import type { Kind } from "../../kinds/kind.ts";
import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";

/**
 * Returns the declared values with the live value at each path that differs. Everything else stays as it was declared,
 * so an equivalent spelling is not a change, and fields that the service does not return are kept.
 */
export function projectLive(kind: Kind, declared: JsonObject, live: JsonObject): JsonObject {
  return compare(kind, declared, live).reduce<JsonObject>(
    (values, { keys, live: value }) => replaceAt(values, keys, value) as JsonObject,
    declared,
  );
}

function replaceAt(at: Json | undefined, keys: readonly string[], value: Json): Json {
  const [key, ...below] = keys;
  if (key === undefined) return value;
  if (Array.isArray(at))
    return at.map((item: Json, index) => (String(index) === key ? replaceAt(item, below, value) : item));
  const object = isJsonObject(at) ? at : {};
  return { ...object, [key]: replaceAt(object[key], below, value) };
}
