import type { Action } from "../../model/change.ts";
import { isValueObject, own, type Value, type ValueObject } from "../../model/json.ts";
import type { ForeseenRefusal } from "../kind-parts.ts";

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
  if (!isEmpty(own(body, "filters"))) {
    const remedy =
      "declare a query in the place of the filters. If another project has this insight, an export of that project writes its query";
    return { rule: "query_required", remedy };
  }
  const isNew = action === "create" || action === "replace";
  const isMissing = isEmpty(own(body, "query")) && (isNew || Object.hasOwn(body, "query"));
  return isMissing ? { rule: "query_required", remedy: "declare a query", isLive: !isNew } : undefined;
}

function isEmpty(value: Value | undefined): boolean {
  return (value ?? null) === null || (isValueObject(value) && Object.keys(value).length === 0);
}
