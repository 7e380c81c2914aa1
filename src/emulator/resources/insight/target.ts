import { insightTable } from "./record.ts";
import { notFound } from "../../http/errors.ts";
import type { Authenticated } from "../../http/call.ts";
import type { Insight } from "./record.ts";
import type { Team } from "../project/record.ts";

/** Finds the insight in the path, even if it is deleted. Only the number is accepted as an id. */
export function findInsight({ service, params }: Authenticated, team: Team, name = "id"): Insight | undefined {
  const id = params[name] ?? "";
  const row = /^\d+$/.test(id) ? insightTable(service).get(Number(id)) : undefined;
  return row?.team_id === team.id ? row : undefined;
}

/** Returns the insight in the path. @throws ApiError 404 if it does not exist or is deleted */
export function requireInsight(call: Authenticated, team: Team): Insight {
  const row = findInsight(call, team);
  if (row === undefined || row.deleted) throw notFound();
  return row;
}
