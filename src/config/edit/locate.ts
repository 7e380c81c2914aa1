import { type Document, isAlias, isMap, isNode, isScalar, isSeq, type Node, type Pair, type YAMLMap } from "yaml";

/** The position of a value in the parsed documents, or the position at which it would be inserted. */
export interface Located {
  /** Index of the document in its file. */
  readonly document: number;
  /** Keys from the top of the document. */
  readonly path: readonly string[];
  /** The present value; undefined if the field is not declared yet. */
  readonly node: Node | undefined;
  /**
   * The offset at which the key of the value ends, the mapping that gets a new key, or "list" for an item of a list.
   */
  readonly parent: { readonly afterKey: number } | { readonly map: YAMLMap } | "list";
}

/**
 * Finds a field of the resource whose key is at the offset. Returns the reason as text if the field cannot be edited.
 */
export function locate(
  documents: readonly Document.Parsed[],
  offset: number,
  keys: readonly string[],
  text: string,
): Located | string {
  for (const [index, document] of documents.entries()) {
    const found = findPairAt(document.contents, offset, []);
    if (found === undefined) continue;
    const value = found.pair.value;
    return isNode(value) ? descend(value, keys, { document: index, path: found.path }, text) : NOT_FOUND;
  }
  return NOT_FOUND;
}

const NOT_FOUND = "its declaration was not found";

function findPairAt(
  node: unknown,
  offset: number,
  path: readonly string[],
): { readonly pair: Pair; readonly path: readonly string[] } | undefined {
  if (!isMap(node)) return undefined;
  for (const pair of node.items) {
    const here = [...path, keyText(pair)];
    if (isScalar(pair.key) && pair.key.range?.[0] === offset) return { pair, path: here };
    const inside = findPairAt(pair.value, offset, here);
    if (inside !== undefined) return inside;
  }
  return undefined;
}

function descend(
  from: Node,
  keys: readonly string[],
  at: { readonly document: number; readonly path: readonly string[] },
  text: string,
): Located | string {
  let node = from;
  let parent: Located["parent"] = "list";
  for (const [depth, key] of keys.entries()) {
    if (isAlias(node)) return `it comes from the alias *${node.source}`;
    if (hasAnchor(node)) return "other values refer to it by an anchor";
    const path = [...at.path, ...keys.slice(0, depth + 1)];
    const isLast = depth === keys.length - 1;
    if (isMap(node)) {
      const pair: Pair | undefined = node.items.find((item) => keyText(item) === key);
      if (pair === undefined)
        return isLast && node.items.length > 0 ? { ...at, path, node: undefined, parent: { map: node } } : NOT_FOUND;
      if (!isScalar(pair.key) || !isNode(pair.value)) return NOT_FOUND;
      parent = { afterKey: pair.key.range?.[1] ?? 0 };
      node = pair.value;
    } else if (isSeq(node)) {
      const item: unknown = node.items[Number(key)];
      if (!isNode(item)) return NOT_FOUND;
      parent = "list";
      node = item;
    } else return expressionReason(node, text) ?? NOT_FOUND;
    if (isLast)
      return (
        expressionReason(node, text) ??
        (hasAnchor(node) ? "other values refer to it by an anchor" : { ...at, path, node, parent })
      );
  }
  return NOT_FOUND;
}

/** The reason not to edit a value that an expression produces: it must be changed at its source. */
function expressionReason(node: Node, text: string): string | undefined {
  const source = text.slice(node.range?.[0] ?? 0, node.range?.[1] ?? 0);
  const expression = /(?<!\$)\$\{[^}]*\}/.exec(source)?.[0];
  return expression === undefined ? undefined : `it comes from ${expression}`;
}

function hasAnchor(node: Node): boolean {
  return "anchor" in node && node.anchor !== undefined;
}

function keyText({ key }: Pair): string {
  return isScalar(key) ? String(key.source ?? key.value) : "";
}
