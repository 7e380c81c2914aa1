import { isMap, isNode, isScalar, isSeq, type Document, type Pair, type YAMLMap } from "yaml";
import type { Holder } from "./write-nodes.ts";
import { writtenKey, ownPairs } from "./source-text.ts";

/** A member of a mapping, with its place. */
export interface FoundPair {
  /** Index of its document. */
  readonly document: number;
  readonly map: YAMLMap;
  readonly pair: Pair;
  /** What holds the mapping; undefined for the top of a document. */
  readonly outer: Holder | undefined;
  /** What holds the mapping of `outer`. */
  readonly around: Holder | undefined;
  /** The keys from the top of the document. */
  readonly path: readonly string[];
}

/** Finds the member whose key is at an offset. */
export function findPair(documents: readonly Document.Parsed[], offset: number): FoundPair | undefined {
  for (const [document, { contents }] of documents.entries()) {
    const place = findPairAt(contents, offset, [], []);
    if (place !== undefined) return { ...place, document };
  }
  return undefined;
}

function findPairAt(
  node: unknown,
  offset: number,
  path: readonly string[],
  holders: readonly Holder[],
): Omit<FoundPair, "document"> | undefined {
  if (!isMap(node)) return undefined;
  // Members stand in the order of their offsets, so only the last one that begins before the key can hold it.
  const pair = node.items.findLast(({ key }) => isNode(key) && (key.range?.[0] ?? Infinity) <= offset);
  if (pair === undefined) return undefined;
  const here = [...path, writtenKey(pair)];
  if (isScalar(pair.key) && pair.key.range?.[0] === offset) {
    const [around, outer] = [holders.at(-2), holders.at(-1)];
    return { map: node, pair, path: here, outer, around };
  }
  return findPairAt(pair.value, offset, here, [...holders, { type: "pair", map: node, pair }]);
}

/** The offset of the last node on the way to a value. For the value of a resource itself it is that of its key. */
export function offsetOf(pair: Pair | undefined, keys: readonly string[]): number | undefined {
  let at: unknown = pair?.value;
  let offset = isNode(pair?.key) ? pair.key.range?.[0] : undefined;
  for (const key of keys) {
    at = isMap(at)
      ? ownPairs(at).find((one) => writtenKey(one) === key)?.value
      : isSeq(at)
        ? at.items[Number(key)]
        : undefined;
    if (isNode(at)) offset = at.range?.[0];
  }
  return offset;
}
