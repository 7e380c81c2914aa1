import { mapValues } from "../../model/object.ts";
import type { NodeTable } from "../kind-parts.ts";
import { NODE_KEYS, NODE_SETTINGS, NODE_TYPES, NODE_VALUES, OTHER_NODES, words } from "./query-nodes.ts";

/** The nodes of a query. */
export const QUERIES: NodeTable = {
  kinds: [...Object.keys(NODE_KEYS), ...words(OTHER_NODES)],
  keys: mapValues(NODE_KEYS, words),
  settings: mapValues(NODE_SETTINGS, words),
  values: mapValues(NODE_VALUES, words),
  types: NODE_TYPES,
  inner: ["source", "series"],
};
