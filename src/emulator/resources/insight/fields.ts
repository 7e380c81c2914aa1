import { blankInsight, renderInsight, type Insight } from "./record.ts";
import { calculatedFields } from "./refresh.ts";
import { currentPlanHas } from "../../deployed/plan-limits.ts";
import { flag, free, integer, list, nullable, text, type Fields } from "../../http/fields.ts";
import { renderCurrentInsight } from "./current-render.ts";
import { renderDeployedInsight } from "./deployed-render.ts";
import { withGeneratedQuery } from "./deployed-query.ts";
import type { Answer, Authenticated } from "../../http/call.ts";
import type { Json } from "../../json.ts";
import type { Team } from "../project/record.ts";

/** The writable fields of an insight. */
export const INSIGHT_FIELDS = {
  name: nullable(text({ max: 400, blank: true })),
  derived_name: nullable(text({ max: 400, blank: true })),
  filters: free(),
  query: free(),
  order: nullable(integer()),
  deleted: flag(),
  dashboards: list(integer()),
  description: nullable(text({ max: 400, blank: true })),
  tags: list(free()),
  favorited: flag(),
  saved: flag(),
} satisfies Fields;

/** Renders an insight in the dialect. `refreshed` is true if this call has just calculated the insight. */
export function renderForCall(call: Authenticated, row: Insight, refreshed = false): object {
  const { service, query, serial } = call;
  const basic = service.isRealServer && query.get("basic") === "true";
  const calculated = calculatedFields(service, row, refreshed, basic);
  const shown = calculated === undefined ? row : { ...row, overrides: { ...calculated, ...row.overrides } };
  if (!service.isRealServer) return renderInsight(shown);
  const tagged = currentPlanHas(call, "tagging") ? shown : { ...shown, tags: [] };
  if (service.current) return renderCurrentInsight(call, tagged, basic);
  return renderDeployedInsight(service.replaceFilters ? withGeneratedQuery(tagged) : tagged, basic, serial);
}

/**
 * Answers with the shape of an insight for an operation about something else, because the document shows that shape.
 * The actual answer is in `result`, as JSON text, because the document types the field as a string.
 */
export function placeholderInsight({ service }: Authenticated, team: Team, result: Json): Answer {
  const shown = result === null ? null : JSON.stringify(result);
  return {
    status: 200,
    body: renderInsight({ ...blankInsight(service), team_id: team.id, overrides: { result: shown } }),
  };
}
