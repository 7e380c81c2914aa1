import { ApiError } from "../../http/errors.ts";
import { isObject, type Json, type JsonObject } from "../../json.ts";
import { calculateFunnel } from "../../calculations/funnel.ts";
import { calculateQuery } from "../query/calculate.ts";
import { calculateTrend } from "../../calculations/trend.ts";
import { calculationTable } from "./usage.ts";
import { stamp } from "../../store/time.ts";
import type { Insight } from "./record.ts";
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
  if (service.isRealServer) return { ...shared, result: known.result, is_cached: !refreshed };
  const result = known.result === null ? null : JSON.stringify(known.result);
  return { ...shared, result, is_cached: String(!refreshed) };
}

/** Calculates an insight. Returns null if the emulator cannot calculate it. */
function calculate(service: Service, team: Team, { filters, query }: Insight): Json {
  try {
    if (isObject(query)) return calculateQuery(service, team, query)["results"] ?? null;
    return isObject(filters) ? calculateFilters(service, team, filters) : null;
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

function calculateFilters(service: Service, team: Team, filters: JsonObject): Json {
  if (filters["events"] === undefined && filters["actions"] === undefined) return null;
  const kind = filters["insight"] ?? "TRENDS";
  if (kind === "FUNNELS") return calculateFunnel(service, team, filters);
  return kind === "TRENDS" ? calculateTrend(service, team, filters) : null;
}
