import { isJsonObject, isValueObject, type JsonObject, type ValueObject } from "../../model/json.ts";
import type { DeclaredNotation } from "../comparison.ts";

/**
 * Says that the live query decides what an insight shows, and not the filters that are declared. Returns undefined if no query
 * stands in their way. It was stored by an edit in the web interface, or the service generates it from filters: nothing shows
 * which of the two. Server facts 233 and 234.
 */
export function queryOverFilters(declared: ValueObject, live: JsonObject): DeclaredNotation | undefined {
  const { filters, query: wanted = null } = declared;
  if (!isValueObject(filters) || wanted !== null) return undefined;
  if (isJsonObject(live["query"]))
    return {
      values: { ...live, query: null },
      unverifiable: [],
      copied: [],
      precedence: { of: "query", over: "filters" },
    };
  // Today's service shows no filters, also of an insight that has nothing else. Current service 207.
  const isShown = Object.keys(filters).length === 0 || Object.hasOwn(live, "filters");
  return isShown ? undefined : { values: live, unverifiable: ["/filters"], copied: [] };
}
