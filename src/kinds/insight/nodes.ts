import { own, type JsonObject, type ValueObject } from "../../model/json/json.ts";
import { mapValues } from "../../model/json/object.ts";
import type { NodeTable } from "../kind-parts.ts";
import { NODE_KEYS, NODE_SETTINGS, NODE_TYPES, NODE_VALUES, OTHER_NODES, words } from "./query-nodes.ts";

/** The nodes of a query. */
export const QUERIES: NodeTable = {
  keys: { ...mapValues(NODE_KEYS, words), ...Object.fromEntries(words(OTHER_NODES).map((kind) => [kind, undefined])) },
  settings: mapValues(NODE_SETTINGS, words),
  values: { ...mapValues(NODE_VALUES, words), ...NODE_TYPES },
};

/** Whether a declared node replaces the live one, instead of being merged into it: it is of another type, or empty. */
export function isOtherNode(field: string, declared: ValueObject, live: JsonObject): boolean {
  return isOtherQueryNode(field, declared, live) || isEmptied(field, declared, live);
}

/**
 * Whether two nodes of a query have different types. Services validate queries strictly: a funnel with a `trendsFilter`, or a
 * HogQL filter with an `operator`, would be refused.
 */
function isOtherQueryNode(field: string, declared: ValueObject, live: JsonObject): boolean {
  if (field !== "query") return false;
  const isOther = (key: string): boolean => {
    const [wanted, found] = [own(declared, key), own(live, key)];
    return typeof wanted === "string" && typeof found === "string" && wanted !== found;
  };
  // The `type` of a filter is its kind. A node without a key is a group, whose `type` is how it combines its members.
  const isFilter = own(declared, "key") !== undefined && own(live, "key") !== undefined;
  return isOther("kind") || (isFilter && isOther("type"));
}

/** Whether declared filters `{}` stand against live filters: they replace them instead of being merged into them. */
function isEmptied(field: string, declared: ValueObject, live: JsonObject): boolean {
  if (field !== "filters" || Object.keys(declared).length > 0) return false;
  const { insight: type = "TRENDS", ...others } = live;
  return type !== "TRENDS" || Object.keys(others).length > 0;
}
