import { compare } from "../../diff/compare.ts";
import type { Kind } from "../../kinds/kind.ts";
import { withValueAt, type JsonObject } from "../../model/json.ts";

/**
 * Returns the declared values with the live value at each path that differs. Everything else stays as it was declared,
 * so an equivalent spelling is not a change, and fields that the service does not return are kept.
 */
export function projectLive(kind: Kind, declared: JsonObject, live: JsonObject): JsonObject {
  return compare(kind, declared, live).reduce<JsonObject>(
    (values, { keys, live: value }) => withValueAt(values, keys, value) as JsonObject,
    declared,
  );
}
