import type { JsonObject } from "../../model/json/json.ts";
import { knownPathAt, type LiveObject } from "../../model/live.ts";
import { asText } from "../keys.ts";
import { type RowsAnswer, type RowsRead, answeredRows, type World } from "../world.ts";

/** The read of an insight by its id; undefined if its project is not known. */
export function readOf({ scopes }: World, { scope, id }: LiveObject): RowsRead | undefined {
  const path = knownPathAt(scopes, scope);
  return path && { what: "row", operation: "insights.get", path: { ...path, id } };
}

/** The row in the answer to that read; undefined if it could not be read, or is another one. */
export function rowIn({ id }: LiveObject, answer: RowsAnswer | undefined): JsonObject | undefined {
  const [row] = answeredRows(answer);
  return row === undefined || asText(row["id"]) !== id ? undefined : row;
}
