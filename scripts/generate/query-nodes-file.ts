import { NODE_KEYS, NODE_SETTINGS, NODE_TYPES, NODE_VALUES, words } from "../../src/kinds/insight/query-nodes.ts";
import { HEADER } from "./source.ts";

/** `src/generated/query-nodes.ts`: the nodes of queries that are known completely, as types for programs. */
export function queryNodesFile(): string {
  const kinds = Object.entries(NODE_KEYS);
  return `// ${HEADER}

/** What is analysed. It ends in a node that may have any kind and any keys, because services know more of them. */
export type QueryNode =
${kinds.map(([kind]) => `  | ${kind}\n`).join("")}  | OpenNode;

/** A node whose keys driftline does not know completely. */
export type OpenNode = Readonly<Record<string, unknown>>;

type Node<Kind extends string, Keys extends string> = { readonly kind: Kind } & {
  readonly [Key in Exclude<Keys, "kind">]?: Key extends keyof Values ? Values[Key] | null : unknown;
};

type Settings<Keys extends string> = Readonly<Partial<Record<Keys, unknown>>>;

interface Values {
${Object.entries(NODE_TYPES)
  .filter(([, type]) => type !== "map")
  .map(([key, type]) => `  readonly ${key}: ${type === "node" ? "QueryNode" : "readonly QueryNode[]"};\n`)
  .join("")}${Object.entries(NODE_VALUES)
    .map(([key, values]) => `  readonly ${key}:\n    | ${union(words(values))}\n    | (string & {});\n`)
    .join("")}${Object.entries(NODE_SETTINGS)
    .map(([key, keys]) => `  readonly ${key}: Settings<${union(words(keys))}>;\n`)
    .join("")}}

${kinds.map(([kind, keys]) => `export type ${kind} = Node<"${kind}", ${union(words(keys))}>;\n`).join("\n")}`;
}

function union(all: readonly string[]): string {
  return all.map((word) => JSON.stringify(word)).join(" | ");
}
