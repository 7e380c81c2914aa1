/**
 * What an insight refers to by numbers and ids that only their own project has: dashboards, and in a query or legacy filters cohorts,
 * actions and variables of SQL. Interface: Insight (dashboards, filters, query). Server facts 236.
 */
import { isValueObject, own, type Value, type ValueObject } from "../../model/json.ts";
import type { ProjectReference } from "../kind-parts.ts";

/** The references of an insight, in the order in which they are met. */
export function referencesOf({
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
    ...variablesOf(value, keys),
    ...Object.entries(value).flatMap(([key, item]) => referencesIn(item, [...keys, key])),
  ];
}

/** The cohorts of a filter (`type`, `value`) or of a breakdown (`breakdown_type`, `breakdown`). */
function cohortsOf(
  { type, value = null, breakdown_type, breakdown = null }: ValueObject,
  keys: readonly string[],
): readonly ProjectReference[] {
  const isCohort = typeof type === "string" && /(?:^|-)cohort$/.test(type);
  return [
    ...(isCohort ? numbersAt("cohort", value, [...keys, "value"]) : []),
    ...(breakdown_type === "cohort" ? numbersAt("cohort", breakdown, [...keys, "breakdown"]) : []),
  ];
}

/** The action of a series, or of an entity of legacy filters. */
function actionOf({ kind, type, id = null }: ValueObject, keys: readonly string[]): readonly ProjectReference[] {
  const isAction = kind === "ActionsNode" || type === "actions" || keys.at(-2) === "actions";
  return isAction ? numbersAt("action", id, [...keys, "id"]) : [];
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
