import { insightTable, type Insight } from "./record.ts";
import { notFound } from "../../http/errors.ts";
import { requireAccess } from "./access.ts";
import type { Authenticated } from "../../http/call.ts";
import type { Team } from "../project/record.ts";

/**
 * Finds the insight in the path, even if it is deleted. Only the number is accepted as an id, except in the
 * `current` dialect.
 * @throws ApiError 403 if the caller may not see it
 */
export function findInsight(call: Authenticated, team: Team, name = "id"): Insight | undefined {
  const id = call.params[name] ?? "";
  const numbered = /^\d+$/.test(id) ? insightTable(call.service).get(Number(id)) : undefined;
  const row = numbered ?? (call.service.current ? namedInsight(call, team, id) : undefined);
  if (row?.team_id !== team.id) return undefined;
  requireAccess(call, row);
  return row;
}

/** Fact 219: a short id is accepted where no insight has that number. */
function namedInsight({ service }: Authenticated, team: Team, shortId: string): Insight | undefined {
  return insightTable(service)
    .within(team.id)
    .find((row) => row.short_id === shortId);
}

/** Returns the insight in the path. @throws ApiError 404 if it does not exist or is deleted */
export function requireInsight(call: Authenticated, team: Team): Insight {
  const row = findInsight(call, team);
  if (row === undefined || row.deleted) throw notFound();
  return row;
}
