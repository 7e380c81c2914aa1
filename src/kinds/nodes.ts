import type { KindName } from "../model/kind-name.ts";
import { mapValues } from "../model/object.ts";
import { NODE_KEYS, NODE_SETTINGS, NODE_TYPES, NODE_VALUES, OTHER_NODES, words } from "./insight/query-nodes.ts";

/** What is known of the nodes in a free-form field. A node is an object that names its kind. */
export interface NodeTable {
  /** All kinds of nodes. */
  readonly kinds: readonly string[];
  /** By kind, for nodes that are known completely: their keys, in the order in which an export writes them. */
  readonly keys: Readonly<Record<string, readonly string[]>>;
  /** By key of such a node, for keys that hold settings: the names of those settings. */
  readonly settings: Readonly<Record<string, readonly string[]>>;
  /** By key of such a node: the texts that its value may be. */
  readonly values: Readonly<Record<string, readonly string[]>>;
  /** By key of such a node: whether its value is a list or a mapping. */
  readonly types: Readonly<Record<string, "list" | "map">>;
  /** The keys of a node that hold other nodes, or lists of them. */
  readonly inner: readonly string[];
}

const QUERIES: NodeTable = {
  kinds: [...Object.keys(NODE_KEYS), ...words(OTHER_NODES)],
  keys: mapValues(NODE_KEYS, words),
  settings: mapValues(NODE_SETTINGS, words),
  values: mapValues(NODE_VALUES, words),
  types: NODE_TYPES,
  inner: ["source", "series"],
};

/**
 * By free-form field of a kind: the nodes that may stand in it. Others are probably misspelt, which is a warning. Such a field is
 * compared whole: a live key that is not declared is a difference, at every depth.
 */
export function nodesOf(kind: KindName): Readonly<Record<string, NodeTable>> {
  return kind === "insight" ? { query: QUERIES } : {};
}

/** Whether a field is compared whole. */
export function isWhole(kind: KindName, field: string): boolean {
  return Object.hasOwn(nodesOf(kind), field);
}
