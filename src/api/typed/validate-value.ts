import { isJsonObject, type Json } from "../../model/json.ts";
import { suggest } from "../../model/suggest.ts";
import type { Field } from "../operations/index.ts";

/** Why a value cannot be sent, and what can. */
export interface Problem {
  readonly problem: string;
  readonly hint: string;
}

/** Holds a value to its field; `all` are the values of the fields beside it. */
export function problemOf(field: Field, value: Json, all: Readonly<Record<string, Json>>): Problem | undefined {
  if (field.type === "date") return isDate(value) ? undefined : DATE;
  if (field.type === "breakdown") return breakdownProblem(value, all["breakdown_type"]);
  if (!IS_TYPE[field.type](value))
    return { problem: `is not ${NAMED[field.type]}`, hint: `It takes ${NAMED[field.type]}.` };
  const { values } = field;
  if (values === undefined || (typeof value === "string" && values.includes(value))) return undefined;
  const close = suggest(typeof value === "string" ? value : "", values);
  const hint = close === undefined ? `It takes one of: ${values.join(", ")}.` : `Did you mean ${close}?`;
  return { problem: `takes no ${JSON.stringify(value)}`, hint };
}

const IS_TYPE: Readonly<Record<Exclude<Field["type"], "date" | "breakdown">, (value: Json) => boolean>> = {
  string: (value) => typeof value === "string",
  integer: (value) => Number.isSafeInteger(value),
  number: (value) => typeof value === "number",
  boolean: (value) => typeof value === "boolean",
  array: isList,
  object: isJsonObject,
  json: () => true,
};

const NAMED = {
  string: "a text",
  integer: "an integer",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  json: "JSON",
} as const;

const DATE: Problem = {
  problem: "is no date",
  hint: "It takes a date (2024-05-31), days or months back (-7d, -1m), mStart or yStart.",
};

/** Interface: Funnel request parameters, date_from. */
function isDate(value: Json): boolean {
  if (typeof value !== "string") return false;
  if (/^(-[1-9]\d{0,4}[dm]|mStart|yStart)$/u.test(value)) return true;
  // Days that no month has are moved into the next one by the parser.
  const time = /^\d{4}-\d{2}-\d{2}$/u.test(value) ? Date.parse(`${value}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}

function breakdownProblem(value: Json, type: Json | undefined): Problem | undefined {
  if (typeof value === "string") return undefined;
  const cohorts = isList(value) && value.every((id) => Number.isSafeInteger(id));
  if (cohorts && type === "cohort") return undefined;
  return {
    problem: "is neither a text nor, with the breakdown_type cohort, a list of ids",
    hint: "It takes a property's key, or breakdown_type=cohort and a list of cohort ids.",
  };
}

/** Narrowing that TypeScript's own does not do for lists that are not to be changed. */
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
