import { alertsOf } from "../alert.ts";
import { canAlert } from "./current-query.ts";
import { renderInsight, type Insight } from "./record.ts";
import type { Authenticated } from "../../http/call.ts";

/** Fact 218. */
const BASIC = [
  "id",
  "short_id",
  "name",
  "derived_name",
  "query",
  "dashboards",
  "dashboard_tiles",
  "description",
  "last_refresh",
  "refreshing",
  "saved",
  "tags",
  "updated_at",
  "created_by",
  "created_at",
  "last_modified_at",
  "favorited",
  "user_access_level",
  "last_viewed_at",
  "search_match_type",
];

/** Facts 207, 214 and 216 to 218: renders an insight in the `current` dialect. */
export function renderCurrentInsight(call: Authenticated, row: Insight, basic: boolean): object {
  const { service, query } = call;
  const { overrides = {}, hidden_dashboards: hidden = [], ...stored } = row;
  const { filters, dashboards, ...plain }: Record<string, unknown> = { ...renderInsight(stored) };
  const full: Record<string, unknown> = {
    ...plain,
    ...(service.switches.filters_shown ? { filters: row.query === null ? filters : {} } : {}),
    ...(service.switches.dashboards_on_request && query.get("include_dashboards") !== "true" ? {} : { dashboards }),
    dashboard_tiles: [
      ...row.dashboards.map((id) => tileOf(row, id, false)),
      ...hidden.map((id) => tileOf(row, id, true)),
    ],
    refreshing: false,
    hasMore: null,
    is_cached: false,
    user_access_level: "editor",
    hogql: null,
    types: null,
    resolved_date_range: null,
    alerts: canAlert(row.query) ? alertsOf(service, row.team_id, row.id) : [],
    filter_override_context: null,
    last_viewed_at: null,
    search_match_type: null,
    filters_hash: `cache_${row.short_id}`,
    ...overrides,
  };
  const { refreshing: _refreshing, ...shown } = full;
  return basic ? Object.fromEntries(BASIC.flatMap((field) => (field in full ? [[field, full[field]]] : []))) : shown;
}

function tileOf(row: Insight, dashboard: number, deleted: boolean): object {
  return { id: row.id * 1000 + dashboard, dashboard_id: dashboard, deleted };
}
