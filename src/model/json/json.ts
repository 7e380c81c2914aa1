import { filterKeys, mapValues } from "./object.ts";

/** A JSON value as the service sends and receives it. */
export type Json = null | boolean | number | string | ExactNumber | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/**
 * A number of the service that JavaScript cannot hold exactly, such as 9007199254740993 or 1e400. It is kept as it was
 * written, so it can be sent back unchanged. It equals no declared value. Hashes see it as text.
 */
export class ExactNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toJSON(): string {
    return this.text;
  }
}

/**
 * A declared value that contains a `${secret:X}`, so it is unknown until it is sent. `expression` is the text with
 * everything but secrets substituted: it holds the names of secrets, never their values.
 */
export class Secret {
  readonly expression: string;
  constructor(expression: string) {
    this.expression = expression;
  }
}

/** A declared value: JSON in which any scalar may be a {@link Secret}. */
export type Value = null | boolean | number | string | ExactNumber | Secret | readonly Value[] | ValueObject;
export interface ValueObject {
  readonly [key: string]: Value;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Secret) &&
    !(value instanceof ExactNumber)
  );
}

/** Reads an own member of an object, never one of its prototype: `constructor` is not a key of `{}`. */
export function own<T>(object: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Whether a declared value is an object, and not an array, a secret or an exact number. */
export function isValueObject(value: Value | undefined): value is ValueObject {
  return isObject(value);
}

/** Whether a declared value says nothing: there is none, it is null, or it is an object without keys. */
export function isBlank(value: Value | undefined): boolean {
  return (value ?? null) === null || (isValueObject(value) && Object.keys(value).length === 0);
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return isObject(value);
}

/** What a value holds at a path; undefined if nothing. */
export function valueAt(value: Value, keys: readonly string[]): Value | undefined {
  return keys.reduce<Value | undefined>((at, key) => {
    if (Array.isArray(at)) return (at as readonly Value[])[Number(key)];
    return isValueObject(at) ? own(at, key) : undefined;
  }, value);
}

/** Whether a value, or one inside it at any depth, passes the test. */
export function someValue(value: Value, test: (value: Value) => boolean): boolean {
  if (test(value)) return true;
  if (Array.isArray(value)) return value.some((item: Value) => someValue(item, test));
  return isValueObject(value) && Object.values(value).some((item) => someValue(item, test));
}

/** The values inside a value that hold no others, each with the keys that lead to it. An empty list or object has none. */
export function leavesOf(
  value: Value,
  keys: readonly string[] = [],
): readonly { readonly keys: readonly string[]; readonly value: Value }[] {
  if (Array.isArray(value)) return value.flatMap((item: Value, index) => leavesOf(item, [...keys, String(index)]));
  if (!isValueObject(value)) return [{ keys, value }];
  return Object.entries(value).flatMap(([key, item]) => leavesOf(item, [...keys, key]));
}

/** Whether a value holds a number that JavaScript cannot hold exactly. */
export function holdsExactNumber(value: Value): boolean {
  return someValue(value, (one) => one instanceof ExactNumber);
}

/** A copy of a value with another one at a path; undefined removes the key. Objects on the way that are missing are made. */
export function withValueAt(at: Value, [key, ...below]: readonly string[], value: Value | undefined): Value {
  if (key === undefined) return value ?? null;
  if (Array.isArray(at))
    return at.map((item: Value, index) => (String(index) === key ? withValueAt(item, below, value) : item));
  const members = isValueObject(at) ? at : {};
  if (below.length === 0 && value === undefined) return filterKeys(members, (name) => name !== key);
  return { ...members, [key]: withValueAt(own(members, key) ?? null, below, value) };
}

/** Narrows to a readonly array, which Array.isArray does not. */
export function isJsonArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** Whether a text or a number in a value, or a key of it, passes the test. Secrets are not tested. */
export function someText(value: Value, test: (text: string) => boolean): boolean {
  if (typeof value === "string" || typeof value === "number") return test(String(value));
  if (Array.isArray(value)) return value.some((item: Value) => someText(item, test));
  return isValueObject(value) && Object.entries(value).some(([key, item]) => test(key) || someText(item, test));
}

/** Returns the value with each secret replaced by the result of `reveal`. */
export function mapSecrets(value: Value, reveal: (secret: Secret) => Json): Json {
  if (value instanceof Secret) return reveal(value);
  if (Array.isArray(value)) return value.map((item: Value) => mapSecrets(item, reveal));
  if (!isValueObject(value)) return value as Json;
  return mapValues(value, (item) => mapSecrets(item, reveal));
}
