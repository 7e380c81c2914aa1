/**
 * What a query or legacy filters refer to by numbers and ids that only their own project has: cohorts, and variables of SQL.
 * Interface: Insight (filters, query). Server facts 236.
 */
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import type { Reference } from "../kind-parts.ts";

/** The references of an insight, each once, in the order in which they are met. */
export function referencesOf({ query = null, filters = null }: JsonObject): readonly Reference[] {
  const found = new Map<string, Reference>();
  for (const reference of [...referencesIn(query), ...referencesIn(filters)]) found.set(reference.name, reference);
  return [...found.values()];
}

function referencesIn(value: Json): readonly Reference[] {
  if (isJsonArray(value)) return value.flatMap(referencesIn);
  if (!isJsonObject(value)) return [];
  return [...cohortsOf(value), ...variablesOf(value), ...Object.values(value).flatMap(referencesIn)];
}

/** The cohorts of a filter (`type`, `value`) or of a breakdown (`breakdown_type`, `breakdown`). */
function cohortsOf({ type, value = null, breakdown_type, breakdown = null }: JsonObject): readonly Reference[] {
  const ids = [...(isCohort(type) ? [value].flat() : []), ...(breakdown_type === "cohort" ? [breakdown].flat() : [])];
  return ids.flatMap((id) =>
    typeof id === "number" || (typeof id === "string" && /^\d+$/.test(id))
      ? [{ what: "cohorts", name: `cohort ${String(id)}` }]
      : [],
  );
}

function isCohort(type: Json | undefined): boolean {
  return typeof type === "string" && /(?:^|-)cohort$/.test(type);
}

/** The SQL variables of a HogQL query: by id, each with its `code_name`. */
function variablesOf({ kind, variables = null }: JsonObject): readonly Reference[] {
  if (kind !== "HogQLQuery" || !isJsonObject(variables)) return [];
  return Object.entries(variables).map(([id, variable]) => {
    const name = isJsonObject(variable) && typeof variable["code_name"] === "string" ? variable["code_name"] : id;
    return { what: "SQL variables", name: `SQL variable ${name}` };
  });
}
