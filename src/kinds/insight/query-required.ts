import type { Action } from "../../model/change.ts";
import { own, type ValueObject } from "../../model/json.ts";
import type { ForeseenRefusal } from "../kind-parts.ts";
import { saysNothing } from "./restated.ts";

/**
 * What to declare where a service keeps insights as queries only. Current service 204 to 207: it refuses filters, a new insight
 * without a query, and an empty query. Its rows have no filters.
 */
export function queryRequired(
  body: ValueObject,
  action: Action,
  taken: ReadonlySet<string>,
): ForeseenRefusal | undefined {
  if (taken.has("/filters")) return undefined;
  const isLive = action === "update";
  if (!saysNothing(own(body, "filters") ?? null)) {
    const remedy = isLive
      ? "declare the query of the insight in the place of the filters. An export writes it, and so does:"
      : "declare a query in the place of the filters. If another project has this insight, an export of that project writes its query";
    return { rule: "query_required", remedy, isLive };
  }
  const isNew = action === "create" || action === "replace";
  const isMissing = saysNothing(own(body, "query") ?? null) && (isNew || Object.hasOwn(body, "query"));
  return isMissing ? { rule: "query_required", remedy: "declare a query", isLive } : undefined;
}
