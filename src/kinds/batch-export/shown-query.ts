import { isJsonObject, type Json, type JsonObject, type ValueObject } from "../../model/json/json.ts";
import { compareQueries } from "./compare-queries.ts";

/**
 * Reads the query of an export from its `schema`, where services show it in a form of their own. Returns undefined if no query is
 * declared, or the service shows it as it was written. A query that cannot be compared is left out, as if it were not shown.
 */
export function queryFromSchema(declared: ValueObject, live: JsonObject): JsonObject | undefined {
  const { hogql_query: query } = declared;
  if (query !== null && typeof query !== "string") return undefined;
  const { hogql_query: own, schema, ...others } = live;
  const inSchema = shownIn(schema);
  if (typeof own === "string" || inSchema === undefined) return undefined;
  // The schema speaks for the query, so a fingerprint has to cover it.
  const values = { ...others, schema: null };
  switch (standingOf(query, inSchema)) {
    case "equal":
      return { ...values, hogql_query: query };
    case "different":
      return { ...values, hogql_query: inSchema };
    case "unknown":
      return values;
  }
}

/** A live export with the null that its `schema` stands for: services show the query, or what they made of it. */
export function withNoQuery(live: JsonObject): JsonObject {
  return live["schema"] === null ? { hogql_query: null, ...live } : live;
}

/** The text of the query, or null if there is none; undefined if the service does not show it. */
function shownIn(schema: Json | undefined): string | null | undefined {
  if (schema === null) return null;
  const text = isJsonObject(schema) ? schema["hogql_query"] : undefined;
  return typeof text === "string" ? text : undefined;
}

function standingOf(declared: string | null, shown: string | null): ReturnType<typeof compareQueries> {
  if (declared !== null && shown !== null) return compareQueries(declared, shown);
  return (declared ?? "").trim() === (shown ?? "").trim() ? "equal" : "different";
}
