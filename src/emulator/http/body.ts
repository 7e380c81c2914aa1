import { invalid, unparsable, unsupportedMedia } from "./errors.ts";
import { isObject, parseJson, type Json, type JsonObject } from "../json.ts";
import type { Authenticated } from "./call.ts";

/**
 * Reads the body of a call as JSON. Deployed servers also read forms if the rules allow it.
 * @throws ApiError 415 or 400 `parse_error`
 */
export function jsonBody(call: Authenticated): Json {
  if (call.text === "") return {};
  const type = call.contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  if (call.service.isRealServer && call.rules.forms && type === "application/x-www-form-urlencoded") {
    return Object.fromEntries(new URLSearchParams(call.text));
  }
  if (type !== "application/json") throw unsupportedMedia(call.contentType);
  const value = parseJson(call.text);
  if (value === undefined) throw unparsable("JSON parse error: the body is not JSON.");
  return value;
}

/**
 * Reads the body of a call as an object, without the fields that a fault ignores.
 * @throws ApiError 415, or 400 if the body is not an object
 */
export function objectBody(call: Authenticated): JsonObject {
  return asObject(jsonBody(call), call.tweaks.ignoredFields);
}

/** Returns a JSON value if it is an object. @throws ApiError 400 */
export function asObject(value: Json, ignored: readonly string[] = []): JsonObject {
  if (!isObject(value)) {
    throw invalid("invalid_input", `Invalid data. Expected a dictionary, but got ${typeName(value)}.`);
  }
  if (ignored.length === 0) return value;
  return Object.fromEntries(Object.entries(value).filter(([field]) => !ignored.includes(field)));
}

/** Returns the type name that the service, which is written in Python, uses in its messages. */
export function typeName(value: Json): string {
  if (value === null) return "NoneType";
  if (Array.isArray(value)) return "list";
  if (typeof value === "string") return "str";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number") return Number.isInteger(value) ? "int" : "float";
  return "dict";
}
