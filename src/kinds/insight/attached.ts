import { compareNaturally } from "../../model/compare-text.ts";
import { isJsonArray, isJsonObject, isValueObject, own, type JsonObject, type ValueObject } from "../../model/json.ts";
import type { Attached } from "../../model/live.ts";
import type { AttachedObjects } from "../kind-parts.ts";
import { asText } from "../keys.ts";

/** Current service 215: a deletion destroys alerts and takes the insight off its dashboards. */
export const ATTACHED: AttachedObjects = {
  destroyed: "alert",
  left: "dashboard",
  mayDestroy: changesKind,
  updateNote: "a query of another kind may have none",
};

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

/**
 * Whether a write changes the kind of the query. Current service 215: kinds that cannot have alerts destroy them. Which kinds
 * those are is not known.
 */
function changesKind(body: ValueObject, live: JsonObject): boolean {
  return Object.hasOwn(body, "query") && kindOf(body) !== kindOf(live);
}

function kindOf(values: ValueObject): unknown {
  const query = own(values, "query");
  const source = isValueObject(query) ? (own(query, "source") ?? query) : null;
  return isValueObject(source) ? (own(source, "kind") ?? null) : null;
}
