/** What `explain` says about kinds and fields. */
import type { FieldExplanation, KindExplanation } from "../model/explain.ts";
import { sanitize } from "../model/quote.ts";
import { inline } from "./escape.ts";

/** The facts about a kind, each with its name; sanitized. */
export function facts(kind: KindExplanation): readonly (readonly [string, string])[] {
  const all: readonly (readonly [string, string])[] = [
    ["declared under", kind.collection === "" ? "organizations" : kind.collection],
    ["lives in", kind.scopes.map((scope) => (scope === "service" ? "the service itself" : scope)).join(" or ")],
    ["identified by", kind.natural_key],
    ["pinned by", kind.pins.join(" or ")],
    ["created", kind.created],
    ["changed", kind.changed],
    ["removed", kind.removed],
    ["operations", kind.operations.join(", ")],
  ];
  return all.filter(([, text]) => text !== "").map(([name, text]) => [name, sanitize(text)]);
}

/** The special properties of a field in words, such as "required"; sanitized. */
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

/** The field, with a sentence about the services that have it, unless all do. */
export function withServices(field: FieldExplanation): FieldExplanation {
  const since = field.since === undefined ? [] : [`Services have it since ${field.since}.`];
  const left = field.left === undefined ? [] : [`Today's service does not take it any more: ${field.left}.`];
  return { ...field, description: [field.description, ...since, ...left].join(" ") };
}

/** The values that a field can have, with their names; "" if any value is allowed. */
export function valuesText({ values, names }: FieldExplanation): string {
  return values.map((value) => (value === null ? "null" : inline(value, names))).join(", ");
}
