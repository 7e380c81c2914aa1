import { ApiError } from "../../http/errors.ts";
import { asText, isObject } from "../../json.ts";
import { calculateFunnel } from "../../calculations/funnel.ts";
import { calculateTrend } from "../../calculations/trend.ts";
import { calculationTable } from "./usage.ts";
import { stamp } from "../../store/time.ts";
import type { Insight } from "./record.ts";
import type { Json, JsonObject } from "../../json.ts";
import type { Service } from "../../service.ts";
import type { Team } from "../project/record.ts";

/** A result younger than this is not calculated again, in milliseconds. */
const FRESH_MS = 3 * 60 * 1000;

/**
 * Calculates a saved insight again, unless its result is still fresh and the insight has not changed since.
 * @returns true if the insight was calculated
 */
export function refreshInsight(service: Service, team: Team, row: Insight): boolean {
  const known = calculationTable(service).get(row.id);
  const now = service.now();
  if (known !== undefined && known.updated_at === row.updated_at && now.getTime() < known.staleAt) return false;
  calculationTable(service).put({
    id: row.id,
    at: stamp(now),
    staleAt: now.getTime() + FRESH_MS,
    updated_at: row.updated_at,
    result: calculate(service, team, row),
  });
  return true;
}

/**
 * Returns the fields of an insight that come from its last calculation, or undefined if there was none. `is_cached` is
 * false in the answer to the request that calculated it, and true afterwards. A `basic` insight shows only the time.
 */
export function calculatedFields(
  service: Service,
  row: Insight,
  refreshed: boolean,
  basic: boolean,
): JsonObject | undefined {
  const known = calculationTable(service).get(row.id);
  if (known === undefined) return undefined;
  if (basic) return { last_refresh: known.at };
  const next = stamp(new Date(known.staleAt));
  const shared = { last_refresh: known.at, cache_target_age: next, next_allowed_client_refresh: next, timezone: "UTC" };
  if (service.deployed) return { ...shared, result: known.result, is_cached: !refreshed };
  const result = known.result === null ? null : JSON.stringify(known.result);
  return { ...shared, result, is_cached: String(!refreshed) };
}

/** Calculates an insight. Returns null if it is not a trend or funnel, or if the emulator cannot calculate it. */
function calculate(service: Service, team: Team, { filters, query }: Insight): Json {
  const asked = isObject(query) ? requestFromQuery(query) : filters;
  if (!isObject(asked) || (asked["events"] === undefined && asked["actions"] === undefined)) return null;
  const kind = asked["insight"] ?? "TRENDS";
  if (kind !== "TRENDS" && kind !== "FUNNELS") return null;
  try {
    return kind === "FUNNELS" ? calculateFunnel(service, team, asked) : calculateTrend(service, team, asked);
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

const KINDS: Readonly<Record<string, string>> = { TrendsQuery: "TRENDS", FunnelsQuery: "FUNNELS" };

/** Converts a query node to a request. Returns null for a kind that is not calculated. */
function requestFromQuery(query: JsonObject): JsonObject | null {
  const source = isObject(query["source"]) ? query["source"] : query;
  const insight = KINDS[asText(source["kind"] ?? "")];
  const { series, dateRange, breakdownFilter, properties = null } = source;
  if (insight === undefined || !Array.isArray(series)) return null;
  const nodes = series.filter((node: Json) => isObject(node)).map((node: JsonObject, order) => ({ ...node, order }));
  const ofKind = (kind: string, key: string): JsonObject[] =>
    nodes
      .filter((node: JsonObject) => node["kind"] === kind)
      .map((node: JsonObject) => ({ ...node, id: node[key] ?? null }));
  return {
    insight,
    properties,
    events: ofKind("EventsNode", "event"),
    actions: ofKind("ActionsNode", "id"),
    ...(isObject(dateRange)
      ? { date_from: dateRange["date_from"] ?? null, date_to: dateRange["date_to"] ?? null }
      : {}),
    ...(isObject(breakdownFilter) ? { breakdown: breakdownFilter["breakdown"] ?? null } : {}),
  };
}
