import { insightTable } from "./record.ts";
import { notFound } from "../../http/errors.ts";
import { requireAccess } from "./access.ts";
import type { Authenticated } from "../../http/call.ts";
import type { Insight } from "./record.ts";
import type { Team } from "../project/record.ts";

/**
 * Finds the insight in the path, even if it is deleted. Only the number is accepted as an id.
 * @throws ApiError 403 if the caller may not see it
 */
export function findInsight(call: Authenticated, team: Team, name = "id"): Insight | undefined {
  const id = call.params[name] ?? "";
  const row = /^\d+$/.test(id) ? insightTable(call.service).get(Number(id)) : undefined;
  if (row?.team_id !== team.id) return undefined;
  requireAccess(call, row);
  return row;
}

/** Returns the insight in the path. @throws ApiError 404 if it does not exist or is deleted */
export function requireInsight(call: Authenticated, team: Team): Insight {
  const row = findInsight(call, team);
  if (row === undefined || row.deleted) throw notFound();
  return row;
}
