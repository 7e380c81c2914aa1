import { insightTable } from "./record.ts";
import { notFound } from "../../http/errors.ts";
import type { Authenticated } from "../../http/call.ts";
import type { Insight } from "./record.ts";
import type { Team } from "../project/record.ts";

/** The insight in the path, a deleted one too. Only its number is an id. */
export function insightAt({ service, params }: Authenticated, team: Team, name = "id"): Insight | undefined {
  const id = params[name] ?? "";
  const row = /^\d+$/.test(id) ? insightTable(service).get(Number(id)) : undefined;
  return row?.team_id === team.id ? row : undefined;
}

/** The insight in the path. @throws ApiError 404 where there is none or it is deleted */
export function presentInsight(call: Authenticated, team: Team): Insight {
  const row = insightAt(call, team);
  if (row === undefined || row.deleted) throw notFound();
  return row;
}
