import { isJsonObject, isValueObject, type JsonObject, type ValueObject } from "../../model/json.ts";
import type { DeclaredNotation } from "../comparison.ts";

/** Filters without a type are a trend. Lists of deployed servers show what is stored, all other views add the type. */
export function withoutDefaultType(live: JsonObject): JsonObject {
  const { filters } = live;
  if (!isJsonObject(filters) || filters["insight"] !== "TRENDS") return live;
  const { insight: _type, ...others } = filters;
  return { ...live, filters: others };
}

/** Adds the type that the view left out, if it is declared and there is no query in the place of the filters. */
export function withDeclaredType(declared: ValueObject, live: JsonObject): DeclaredNotation | undefined {
  const [{ filters }, { filters: shown, query = null }] = [declared, live];
  if (!isValueObject(filters) || !Object.hasOwn(filters, "insight")) return undefined;
  if (query !== null || !isJsonObject(shown) || Object.hasOwn(shown, "insight")) return undefined;
  return { values: { ...live, filters: { ...shown, insight: "TRENDS" } }, unverifiable: [], copied: [] };
}
