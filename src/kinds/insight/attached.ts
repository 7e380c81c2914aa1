import { compareNaturally } from "../../model/compare-text.ts";
import { isJsonArray, isJsonObject, type JsonObject } from "../../model/json/json.ts";
import type { Attached } from "../../model/live.ts";
import { asText } from "../keys.ts";

/**
 * Reads the alerts and dashboards of an insight. Current service 216: full answers have all alerts. A service that shows no such
 * list has none. Undefined if the answer cannot be understood.
 */
export function attachedOf({ alerts = [] }: JsonObject, { dashboards = [] }: JsonObject): Attached | undefined {
  if (!isJsonArray(alerts) || !isJsonArray(dashboards)) return undefined;
  const destroyed = alerts.flatMap((alert) => (isJsonObject(alert) ? (asText(alert["id"]) ?? []) : []));
  if (destroyed.length < alerts.length) return undefined;
  return { destroyed: destroyed.toSorted(compareNaturally), left: dashboards.map(String).toSorted(compareNaturally) };
}
