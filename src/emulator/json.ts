/** Any JSON value. The emulator has its own copy because it shares no type with the client under test. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Reports whether a value is a JSON object, and neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Parses text. Returns `undefined` if the text is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** Formats a value as text: strings unchanged, everything else as JSON. */
export function asText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Reads an own member of an object, never one of its prototype. */
export function own<T>(object: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
