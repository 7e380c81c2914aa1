import { isJsonObject, type JsonObject } from "../../../model/json/json.ts";

/** What an insight's numbers come from. */
export type CalculationSource =
  | { readonly type: "query"; readonly kind: string; readonly query: JsonObject }
  | { readonly type: "filters"; readonly filters: JsonObject };

/** Server facts 233: results come from the query whenever there is one. A node that only shows a query has it as its source. */
export function calculationSource({ query, filters }: JsonObject): CalculationSource | undefined {
  if (isJsonObject(query)) {
    const inner = isJsonObject(query["source"]) ? query["source"] : query;
    return { type: "query", kind: typeof inner["kind"] === "string" ? inner["kind"] : "", query: inner };
  }
  return isJsonObject(filters) && Object.keys(filters).length > 0 ? { type: "filters", filters } : undefined;
}

/** The values of an insight after a write: what is written of query and filters decides, and else what is there. */
export function valuesAfter(live: JsonObject, body: JsonObject): JsonObject {
  const isFiltersAlone = Object.hasOwn(body, "filters") && !isJsonObject(body["query"]);
  return { ...live, ...(isFiltersAlone ? { query: null } : {}), ...body };
}
