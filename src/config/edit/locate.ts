import { type Document, isAlias, isMap, isNode, isScalar, isSeq, type Node, type Pair, type YAMLMap } from "yaml";

/** Where a value stands, or where it would. */
export interface Located {
  /** Index of the document in its file. */
  readonly document: number;
  /** Keys from the top of the document. */
  readonly path: readonly string[];
  /** The value that is there; undefined where there is none yet. */
  readonly node: Node | undefined;
  /** What it is, or would be, a member of: offset of the end of its key, or the mapping that it would be added to. */
  readonly parent: { readonly afterKey: number } | { readonly map: YAMLMap } | "list";
}

/** Finds the field of the resource whose key stands at the offset, or tells why it cannot be edited. */
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
    if (hasAnchor(node)) return "others refer to it by an anchor";
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
        (hasAnchor(node) ? "others refer to it by an anchor" : { ...at, path, node, parent })
      );
  }
  return NOT_FOUND;
}

/** What is substituted is to be changed where it comes from. */
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
