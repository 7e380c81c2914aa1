import { isObject, type Json } from "../../json.ts";
import { renderInsight, type Insight } from "./record.ts";
import { reorderKeys } from "../batch-export/destinations.ts";
import { shuffled } from "./deployed-order.ts";

const BASIC = [
  "id",
  "short_id",
  "name",
  "derived_name",
  "filters",
  "query",
  "dashboards",
  "dashboard_tiles",
  "description",
  "last_refresh",
  "saved",
  "updated_at",
  "created_by",
  "created_at",
  "last_modified_at",
  "favorited",
  "tags",
];

/**
 * Renders an insight like deployed servers: with a few more fields than in the document, tags in any order, and several
 * fields less with `basic=true`. `serial` decides the order of the tags.
 */
export function renderDeployedInsight(row: Insight, basic: boolean, serial: number): object {
  const { overrides = {}, ...stored } = row;
  const plain: Record<string, unknown> = {
    ...renderInsight(stored, null),
    filters: reorderKeys(basic ? row.filters : withType(row)),
    query: reorderKeys(row.query),
    tags: shuffled(row.tags, String, serial),
    is_cached: false,
    hasMore: null,
    user_access_level: "manager",
    hogql: null,
    types: null,
    filters_hash: `cache_${row.short_id}`,
  };
  if (!basic) return { ...plain, ...overrides };
  const kept = Object.fromEntries(BASIC.map((field) => [field, plain[field]]));
  const shown = Object.entries(overrides).filter(([field]) => BASIC.includes(field) || !Object.hasOwn(plain, field));
  return { ...kept, refreshing: false, user_access_level: "manager", ...Object.fromEntries(shown) };
}

/** Filters have a type in every view but the basic one: a trend if they name none. */
function withType({ filters, query }: Insight): Json {
  return query === null && isObject(filters) && !Object.hasOwn(filters, "insight")
    ? { ...filters, insight: "TRENDS" }
    : filters;
}
