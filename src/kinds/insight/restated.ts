/** What the parts of filters have in common when they are read from a query. */
import { isValueObject, type Json, type JsonObject, type Value, type ValueObject } from "../../model/json.ts";
import { pointer } from "../../model/pointer.ts";

/** Collects JSON Pointers for a {@link DeclaredNotation}. */
export interface Notes {
  readonly unverifiable: string[];
  readonly copied: string[];
}

/** What a query says about a declared key: null if it says nothing, undefined if no place for the key is known. */
type Read = (key: string, path: readonly string[]) => Json | undefined;

/** Returns what a query says about the declared keys of filters, or of an element in one of their lists. */
export function restateKeys(declared: ValueObject, path: readonly string[], notes: Notes, read: Read): JsonObject {
  const entries = Object.entries(declared).flatMap(([key, value]): [string, Json][] => {
    const at = [...path, key];
    const found = read(key, at);
    if (found === undefined) return (notes.unverifiable.push(pointer(...at)), []);
    if (found !== null || !saysNothing(value)) return [[key, found]];
    // What is off, or empty, may be left out of a query.
    return [[key, copied(value, at, notes)]];
  });
  return Object.fromEntries(entries);
}

/** Returns a declared value for one that means the same. */
export function copied(declared: Value | undefined, path: readonly string[], notes: Notes): Json {
  notes.copied.push(pointer(...path));
  return (declared ?? null) as Json;
}

/** The kind of a node; "" if it names none. */
export function kindOf({ kind }: JsonObject): string {
  return typeof kind === "string" ? kind : "";
}

/** The form that a name has in snake case and in camel case. */
export function spellingOf(name: string): string {
  return name.replaceAll("_", "").toLowerCase();
}

/** Whether a value says no more than its absence. */
export function saysNothing(value: Value): boolean {
  if (isValueObject(value) || Array.isArray(value)) return Object.keys(value).length === 0;
  return value === null || value === false || value === "";
}
