/** What must not be edited: values that come from somewhere else, and values that others refer to. */
import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  visit,
  type Document,
  type Node,
  type Pair,
  type YAMLMap,
} from "yaml";
import { writtenKey, ownPairs, type SourceText } from "./source-text.ts";

/** Why a value cannot be written. */
export class UneditableError extends Error {
  /** Where the text says what cannot be changed. Undefined if the text does not say it. */
  readonly offset: number | undefined;
  /** The alias that the value comes from, or its anchor, as it is written: `*shared`, `&shared`. */
  readonly reference: string | undefined;
  constructor(message: string, offset?: number, reference?: string) {
    super(message);
    this.name = "UneditableError";
    this.offset = offset;
    this.reference = reference;
  }
}

/** The reason if the text does not hold the value at all. */
export const NOT_FOUND = "its declaration was not found";

/** The reason if brackets would go that have a comment between them. */
export const LOSES_COMMENT = "a comment between its brackets would be lost";

const ANCHORED = "other values refer to it by an anchor";

/** @throws UneditableError if other values refer to the node itself, or if an expression makes it */
export function requireEditable({ text }: SourceText, node: Node): void {
  if (isAlias(node))
    throw new UneditableError(`it comes from the alias *${node.source}`, node.range?.[0], `*${node.source}`);
  if ("anchor" in node && node.anchor !== undefined)
    throw new UneditableError(ANCHORED, node.range?.[0], `&${node.anchor}`);
  if (isScalar(node)) requireNoExpression(text, node);
}

/** @throws UneditableError if something inside of a node that is replaced has an anchor, or comes from an expression */
export function requireLoose({ text }: SourceText, node: Node): void {
  if (isAlias(node)) return;
  requireNoAnchor(node);
  requireNoExpression(text, node);
}

/** @throws UneditableError if other values refer to something inside of a node */
export function requireNoAnchor(node: Node): void {
  visit(node, {
    Node: (_key, inner) => {
      const isReferredTo = "anchor" in inner && inner.anchor !== undefined;
      if (isReferredTo) throw new UneditableError(ANCHORED, inner.range?.[0]);
    },
  });
}

/** A value that an expression makes has to be changed at its source. */
function requireNoExpression(text: string, { range }: Node): void {
  const start = range?.[0] ?? 0;
  const expression = /(?<!\$)\$\{[^}]*\}/.exec(text.slice(start, range?.[1] ?? 0));
  if (expression !== null) throw new UneditableError(`it comes from ${expression[0]}`, start + expression.index);
}

/** @throws UneditableError if other values refer to something inside of a member */
export function requireRemovable({ value }: Pair): void {
  if (isNode(value)) requireNoAnchor(value);
}

/** Whether a mapping takes a member from a merge key. */
export function mergesKey(document: Document, map: YAMLMap, key: string): boolean {
  const merges = map.items.filter((pair) => !ownPairs(map).includes(pair));
  return merges
    .flatMap(({ value }): readonly unknown[] => (isSeq(value) ? value.items : [value]))
    .map((one) => (isAlias(one) ? one.resolve(document) : one))
    .some((one) => isMap(one) && (one.has(key) || mergesKey(document, one, key)));
}

/** The refusal of a member that a merge key brings. */
export function mergedUneditable(map: YAMLMap): UneditableError {
  const key = map.items.find((pair) => writtenKey(pair) === "<<")?.key;
  return new UneditableError("it comes from a merge key", isNode(key) ? key.range?.[0] : undefined);
}
