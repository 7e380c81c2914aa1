import type { Action } from "../../model/change.ts";
import { own, type ValueObject } from "../../model/json.ts";
import { isEmpty } from "./restated.ts";

/**
 * What to declare where a service keeps insights as queries only. Current service 204 to 207: it refuses filters, a new insight without a
 * query, and an empty query. Its rows have no filters.
 */
export function queryRequired(body: ValueObject, action: Action, taken: ReadonlySet<string>): string | undefined {
  if (taken.has("/filters")) return undefined;
  if (!isEmpty(own(body, "filters") ?? null))
    return action === "update"
      ? "declare the query of the insight in the place of the filters. An export writes it, and so does:"
      : "declare a query in the place of the filters. If another project has this insight, an export of that project writes its query";
  const isNew = action === "create" || action === "replace";
  return isEmpty(own(body, "query") ?? null) && (isNew || Object.hasOwn(body, "query")) ? "declare a query" : undefined;
}
