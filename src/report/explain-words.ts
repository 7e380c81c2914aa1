import type { FieldExplanation, KindExplanation } from "../model/explain.ts";
import { sanitize } from "./escape.ts";
import { inline } from "./value.ts";

/** The facts about a kind, each with its name; sanitized. */
export function facts(kind: KindExplanation): readonly (readonly [string, string])[] {
  const all: readonly (readonly [string, string])[] = [
    ["declared under", kind.collection === "" ? "organizations" : kind.collection],
    ["lives in", kind.scopes.map((scope) => (scope === "service" ? "the service itself" : scope)).join(" or ")],
    ["told apart by", kind.natural_key],
    ["pinned by", kind.pins.join(" or ")],
    ["created", kind.created],
    ["changed", kind.changed],
    ["removed", kind.removed],
    ["operations", kind.operations.join(", ")],
  ];
  return all.filter(([, text]) => text !== "").map(([name, text]) => [name, sanitize(text)]);
}

/** What sets a field apart, in words: "required", "secret"; sanitized. */
export function traits(field: FieldExplanation): readonly string[] {
  return [
    ...(field.required ? ["required"] : []),
    ...(field.secret ? ["secret: never shown, never compared"] : []),
    ...(field.immutable ? ["a change replaces the object"] : []),
    ...(field.unordered ? ["order does not matter"] : []),
    ...(field.deprecated ? ["deprecated"] : []),
    ...(field.default === undefined ? [] : [`default ${field.default === null ? "null" : inline(field.default)}`]),
  ];
}

/** The values that a field can have, with their names; "" where there is no such list. */
export function valuesText({ values, names }: FieldExplanation): string {
  const words = Object.entries(names ?? {});
  const named = values.map((value) => {
    const word = words.find(([, other]) => other === value)?.[0];
    return value === null ? "null" : `${inline(value)}${word === undefined ? "" : ` (${sanitize(word)})`}`;
  });
  return named.join(", ");
}
