import { own, type JsonObject, type ValueObject } from "../model/json.ts";

/**
 * Whether two nodes of a query are of different kinds. Services check queries strictly, so that a setting of the one kind
 * would be refused in the other: a funnel has no `trendsFilter`, a filter by HogQL no `operator`.
 */
export function isOtherQueryNode(field: string, declared: ValueObject, live: JsonObject): boolean {
  if (field !== "query") return false;
  const isOther = (key: string): boolean => {
    const [wanted, found] = [own(declared, key), own(live, key)];
    return typeof wanted === "string" && typeof found === "string" && wanted !== found;
  };
  // A filter says what it is by its `type`; what has no key is a group, whose `type` says how it is put together.
  const isFilter = own(declared, "key") !== undefined && own(live, "key") !== undefined;
  return isOther("kind") || (isFilter && isOther("type"));
}
