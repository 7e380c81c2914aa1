/**
 * What an insight refers to by numbers and ids that only their own project has: dashboards, and in a query or legacy filters cohorts,
 * actions and variables of SQL. Interface: Insight (dashboards, filters, query). Server facts 236.
 */
import { isValueObject, own, type Value, type ValueObject } from "../../model/json/json.ts";
import type { ProjectReference } from "../kind-parts.ts";

/** The references of an insight, in the order in which they are met. */
export function projectIdsIn({
  dashboards = null,
  query = null,
  filters = null,
}: ValueObject): readonly ProjectReference[] {
  return [
    ...numbersAt("dashboard", dashboards, ["dashboards"]),
    ...referencesIn(query, ["query"]),
    ...referencesIn(filters, ["filters"]),
  ];
}

function referencesIn(value: Value, keys: readonly string[]): readonly ProjectReference[] {
  if (Array.isArray(value)) return value.flatMap((item: Value, index) => referencesIn(item, [...keys, String(index)]));
  if (!isValueObject(value)) return [];
  return [
    ...cohortsOf(value, keys),
    ...actionOf(value, keys),
    ...inSql(value, keys),
    ...variablesOf(value, keys),
    ...Object.entries(value).flatMap(([key, item]) => referencesIn(item, [...keys, key])),
  ];
}

/** The cohorts of a filter (`type`, `value`), of a breakdown (`breakdown_type`, `breakdown`, or `type`, `property`), or of people. */
function cohortsOf(
  { type, value = null, breakdown_type, breakdown = null, property = null, kind, cohort = null }: ValueObject,
  keys: readonly string[],
): readonly ProjectReference[] {
  const isCohort = typeof type === "string" && /(?:^|-)cohort$/.test(type);
  return [
    ...(isCohort ? numbersAt("cohort", value, [...keys, "value"]) : []),
    ...(isCohort ? numbersAt("cohort", property, [...keys, "property"]) : []),
    ...(kind === "PersonsNode" ? numbersAt("cohort", cohort, [...keys, "cohort"]) : []),
    ...(breakdown_type === "cohort" ? numbersAt("cohort", breakdown, [...keys, "breakdown"]) : []),
  ];
}

/** The action of a series, of an entity of legacy filters, or of a goal. */
function actionOf(
  { kind, type, id = null, actionId = null }: ValueObject,
  keys: readonly string[],
): readonly ProjectReference[] {
  const isAction = kind === "ActionsNode" || type === "actions" || keys.at(-2) === "actions";
  return [
    ...(isAction ? numbersAt("action", id, [...keys, "id"]) : []),
    ...numbersAt("action", actionId, [...keys, "actionId"]),
  ];
}

/** What an SQL text names by numbers. */
const IN_SQL = [
  ["cohort", /\bin\s+cohort\s+(\d+)/giu],
  ["action", /\bmatchesAction\(\s*(\d+)/giu],
] as const;

function inSql({ kind, query }: ValueObject, keys: readonly string[]): readonly ProjectReference[] {
  if (kind !== "HogQLQuery" || typeof query !== "string") return [];
  return IN_SQL.flatMap(([what, pattern]) =>
    [...query.matchAll(pattern)].map(([part, id = ""]) => ({ what, id, keys: [...keys, "query"], part })),
  );
}

/** A number, or those in a list. Other texts, such as `all`, are no references. */
function numbersAt(what: string, value: Value, keys: readonly string[]): readonly ProjectReference[] {
  if (Array.isArray(value))
    return value.flatMap((item: Value, index) => numbersAt(what, item, [...keys, String(index)]));
  const isNumber = typeof value === "number" || (typeof value === "string" && /^\d+$/.test(value));
  return isNumber ? [{ what, id: String(value), keys }] : [];
}

/** The SQL variables of a HogQL query: by id, each with its `code_name`, which finds it in another project. */
function variablesOf({ kind, variables = null }: ValueObject, keys: readonly string[]): readonly ProjectReference[] {
  if (kind !== "HogQLQuery" || !isValueObject(variables)) return [];
  return Object.entries(variables).map(([id, variable]) => {
    const name = isValueObject(variable) ? own(variable, "code_name") : undefined;
    return { what: "SQL variable", id: typeof name === "string" ? name : id, keys: [...keys, "variables", id] };
  });
}
