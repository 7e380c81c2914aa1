/** A JSON value as the service sends and receives it. */
export type Json = null | boolean | number | string | ExactNumber | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/**
 * A number of the service that JavaScript cannot hold exactly, such as 9007199254740993 or 1e400. It is kept as it was
 * written, so it can be sent back unchanged. It equals no declared value, and documents show it as text.
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

/** Takes the place of a secret value in every document. */
export const SENSITIVE = { sensitive: true } as const;

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

/** Whether a value holds the placeholder {@link SENSITIVE}. */
export function holdsSensitive(value: Json): boolean {
  return someValue(value, (one) => isSensitive(one as Json));
}

/** A copy of a value with another one at a path; undefined removes the key. Objects on the way that are missing are made. */
export function withValueAt(at: Value, [key, ...below]: readonly string[], value: Value | undefined): Value {
  if (key === undefined) return value ?? null;
  if (Array.isArray(at))
    return at.map((item: Value, index) => (String(index) === key ? withValueAt(item, below, value) : item));
  const members = isValueObject(at) ? at : {};
  if (below.length === 0 && value === undefined)
    return Object.fromEntries(Object.entries(members).filter(([name]) => name !== key));
  return { ...members, [key]: withValueAt(own(members, key) ?? null, below, value) };
}

/** Narrows to a readonly array, which Array.isArray does not. */
export function isJsonArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** Whether a value is the placeholder {@link SENSITIVE}. */
export function isSensitive(value: Json): boolean {
  return isJsonObject(value) && value["sensitive"] === true && Object.keys(value).length === 1;
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
  // The result must not inherit a null prototype, and `__proto__` must stay a plain key.
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapSecrets(item, reveal)]));
}

/**
 * JSON text with sorted keys and no white space, so equal values have equal texts. Secrets count as their expressions.
 */
export function canonicalJson(value: Value): string {
  let text = "";
  walkCanonical(value, (piece) => {
    text += piece;
  });
  return text;
}

/** The minimum length of the pieces of {@link writeCanonical}, except for the last one. Characters. */
const PIECE_LENGTH = 64 * 1024;

/** Writes the text of {@link canonicalJson} in pieces, so the text of a large plan is never in memory as a whole. */
export function writeCanonical(value: Value, write: (text: string) => void): void {
  let text = "";
  walkCanonical(value, (piece) => {
    text += piece;
    if (text.length < PIECE_LENGTH) return;
    write(text);
    text = "";
  });
  write(text);
}

function walkCanonical(value: Value, emit: (piece: string) => void): void {
  if (value instanceof Secret) return walkCanonical({ $secret: value.expression }, emit);
  if (Array.isArray(value)) {
    let before = "[";
    for (const item of value as readonly Value[]) {
      emit(before);
      walkCanonical(item, emit);
      before = ",";
    }
    return emit(value.length === 0 ? "[]" : "]");
  }
  if (!isValueObject(value)) return emit(JSON.stringify(value));
  let before = "{";
  for (const key of Object.keys(value).toSorted()) {
    const member: Value | undefined = value[key];
    // As in JSON, an undefined member is left out.
    if (member === undefined) continue;
    emit(`${before}${JSON.stringify(key)}:`);
    walkCanonical(member, emit);
    before = ",";
  }
  emit(before === "{" ? "{}" : "}");
}

/** A JSON Pointer (RFC 6901) of the given keys. */
export function pointer(...keys: readonly (string | number)[]): string {
  return keys.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** The keys of a JSON Pointer. */
export function pointerKeys(text: string): string[] {
  return text
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/**
 * Names under which services store secrets. A body may hold a secret that no schema describes (servers have returned
 * passwords in plain text), so values in messages, plans and files are concealed by name as well.
 */
const SECRET_NAME =
  /secret|password|passwd|passphrase|private_?key|access_?key|api_?key|api_?token|auth_?token|access_?token|refresh_?token|credential|authorization|^token$|_token$/i;

/** Whether the value under a key of this name must be concealed. */
export function isSecretName(key: string): boolean {
  return SECRET_NAME.test(key);
}

/** The least length of a secret, in characters. A shorter value may be an ordinary word, even under the name SECRET. */
export const SHORTEST_SECRET = 8;

/** Three stars anywhere, or nothing but a word for a mask. */
const MASK = /[*•]{3}|^x{4,}$|^[<[(]?(?:redacted|masked|hidden|secret|removed)[>\])]?$/i;

/** Whether a value is a mask that services return instead of a secret. It is never compared and never written back. */
export function isMasked(value: unknown): value is string {
  return typeof value === "string" && MASK.test(value);
}

/**
 * Takes the place of an unknown secret in an exported Pulumi program and its state. It equals any value of the service
 * and is never sent. It must never change, because states contain it.
 */
export const SECRET_PLACEHOLDER = "*** not given back by the service ***";

/** The field that a JSON Pointer leads into. */
export function topField(path: string): string {
  return pointerKeys(path)[0] ?? "";
}
