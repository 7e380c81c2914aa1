import { asText, isObject, type Json, type JsonObject, own } from "../json.ts";
import { invalid } from "../http/errors.ts";
import type { ProjectEvent } from "../resources/event.ts";

/** Decides whether an event counts. */
export type Matcher = (event: ProjectEvent) => boolean;

/**
 * Turns property filters into a matcher. All filters of a list must match. A group has the type `AND` or `OR` and may
 * contain groups. A plain object requires equal values.
 * @throws ApiError 400 for a filter on anything but event properties, which the emulator cannot evaluate
 */
export function parseFilter(filter: Json | undefined, attr = "properties"): Matcher {
  if (filter === undefined || filter === null) return () => true;
  if (Array.isArray(filter)) return matchAll(filter.map((item: Json) => parseFilter(item, attr)));
  if (!isObject(filter)) throw invalid("invalid_input", "Property filters are a list or an object.", attr);
  const { values, type } = filter;
  if (Array.isArray(values)) {
    const parts = values.map((item: Json) => parseFilter(item, attr));
    return type === "OR" && parts.length > 0 ? (event) => parts.some((part) => part(event)) : matchAll(parts);
  }
  if (typeof filter["key"] === "string") return matchProperty(filter, filter["key"], attr);
  return matchAll(Object.entries(filter).map(([key, value]) => matchProperty({ value }, key, attr)));
}

function matchAll(parts: readonly Matcher[]): Matcher {
  return (event) => parts.every((part) => part(event));
}

type Operator = (actual: Json | undefined, wanted: readonly Json[]) => boolean;

const OPERATORS: Readonly<Record<string, Operator>> = {
  exact: equal,
  is_not: (actual, wanted) => !equal(actual, wanted),
  icontains: contains,
  not_icontains: (actual, wanted) => !contains(actual, wanted),
  regex: matches,
  not_regex: (actual, wanted) => !matches(actual, wanted),
  gt: (actual, [limit]) => Number(actual) > Number(limit),
  gte: (actual, [limit]) => Number(actual) >= Number(limit),
  lt: (actual, [limit]) => Number(actual) < Number(limit),
  lte: (actual, [limit]) => Number(actual) <= Number(limit),
  is_set: (actual) => actual !== undefined && actual !== null,
  is_not_set: (actual) => actual === undefined || actual === null,
};

function matchProperty(filter: JsonObject, key: string, attr: string): Matcher {
  const { operator, value = null, type } = filter;
  if (type !== undefined && type !== null && type !== "event") {
    throw invalid("invalid_input", `The emulator knows properties of events, not of "${asText(type)}".`, attr);
  }
  const name = typeof operator === "string" ? operator : "exact";
  const test = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;
  if (test === undefined) throw invalid("invalid_choice", `"${name}" is not a valid choice.`, attr);
  const wanted = Array.isArray(value) ? (value as readonly Json[]) : [value];
  if (name.endsWith("regex")) for (const pattern of wanted) checkPattern(asText(pattern), attr);
  return ({ properties }) => test(own(properties, key), wanted);
}

function checkPattern(pattern: string, attr: string): void {
  try {
    RegExp(pattern);
  } catch {
    throw invalid("invalid_input", "This is no regular expression.", attr);
  }
}

/** A number equals its text, because filters are sent as text and events hold numbers. */
function equal(actual: Json | undefined, wanted: readonly Json[]): boolean {
  return actual !== undefined && wanted.some((value) => asText(value) === asText(actual));
}

function contains(actual: Json | undefined, wanted: readonly Json[]): boolean {
  if (actual === undefined || actual === null) return false;
  return wanted.some((value) => asText(actual).toLowerCase().includes(asText(value).toLowerCase()));
}

function matches(actual: Json | undefined, wanted: readonly Json[]): boolean {
  if (actual === undefined || actual === null) return false;
  return wanted.some((value) => RegExp(asText(value)).test(asText(actual)));
}
