/**
 * Elements of lists are added, removed, and replaced by other ones.
 *
 * Terms: the piece of an element in lines is its text, with the comments right above it, and those below it that stand deeper than
 * its dash.
 * Premise: a comment is about its element. It goes with it, and it never comes to another one. What may be about more than the
 * element is not lost: a comment with a line of its own between brackets, and the only one above the elements of a list.
 */
import { isNode, type Node, type YAMLSeq } from "yaml";
import type { Value } from "../../model/json.ts";
import { afterFlow, beforeFlow, removeFlow, tailOf } from "./flow.ts";
import { formatBlock, formatInline, isLong, isNonEmptyCollection } from "./format.ts";
import { aboveComments, afterComments, dashOf, lines, removeLines, replaceNode } from "./write-nodes.ts";
import { LOSES_COMMENT, UneditableError } from "./uneditable.ts";
import {
  columnOf,
  commentsIn,
  contentEnd,
  isFirstOnLine,
  isFlow,
  lineStart,
  type Range,
  type SourceText,
  type Splice,
} from "./source-text.ts";

/** Inserts an element after `index`; -1 inserts it first. */
export function insertItem(source: SourceText, list: YAMLSeq, index: number, value: Value): readonly Splice[] {
  const { text } = source;
  const nodes = nodesOf(list);
  const [head] = nodes;
  const before = nodes[index];
  if (head === undefined) return [];
  const content = formatItem(source, list, value, before);
  const start = dashOf(list, 0) ?? head.range?.[0] ?? 0;
  if (before === undefined) return [insertFirst(source, list, start, content)];
  if (list.flow === true) return afterFlow(source, start, before.range?.[1] ?? 0, { text: content });
  const block = `${" ".repeat(columnOf(text, start))}${content}\n`;
  return [lines(source, itemPieces(source, list)[index]?.to ?? 0, block)];
}

/** Adds an element before the first one, and before the comments above that. */
function insertFirst(source: SourceText, list: YAMLSeq, start: number, content: string): Splice {
  const { text } = source;
  const at = aboveComments(source, start);
  const isCommented = at < lineStart(text, start);
  if (list.flow === true && !isCommented) return beforeFlow(text, start, content);
  const end = list.flow === true ? "," : "";
  const indent = " ".repeat(columnOf(text, start));
  return isCommented
    ? { from: at, to: at, text: `${indent}${content}${end}\n` }
    : { from: start, to: start, text: `${content}\n${indent}` };
}

/** The text of a new element, in the style of one that is there. In a block it has its dash. */
export function formatItem(source: SourceText, list: YAMLSeq, value: Value, like?: Node): string {
  if (list.flow === true) return formatInline(value, source);
  const [head] = nodesOf(list);
  const sibling = like ?? head;
  const isInline = !isNonEmptyCollection(value) || (sibling !== undefined && isFlow(sibling) && !isLong(value, source));
  const column = columnOf(source.text, dashOf(list, 0) ?? head?.range?.[0] ?? 0);
  return `- ${isInline ? formatInline(value, source) : formatBlock(value, column + 2, source)}`;
}

/** Writes another element in the place of one, without the comments of that. */
export function replaceItem(source: SourceText, list: YAMLSeq, index: number, value: Value): readonly Splice[] {
  const { text } = source;
  const node = nodesOf(list)[index];
  const piece = itemPieces(source, list)[index];
  if (node === undefined || piece === undefined) return [];
  if (list.flow === true) {
    const { commaEnd, end } = tailOf(text, piece.to);
    return [...replaceNode(source, node, { type: "item", list, index }, value), { from: commaEnd, to: end, text: "" }];
  }
  const start = dashOf(list, index) ?? piece.from;
  const indent = isFirstOnLine(text, start) ? text.slice(lineStart(text, start), start) : "";
  const end = text[piece.to - 1] === "\n" ? "\n" : "";
  return [{ ...piece, text: `${indent}${formatItem(source, list, value, node)}${end}` }];
}

/** Removes elements. At least one other element stays. */
export function removeItems(source: SourceText, list: YAMLSeq, indexes: readonly number[]): readonly Splice[] {
  const ranges = itemRanges(source, list);
  if (list.flow === true) return removeFlow(source, indexes, ranges);
  const isLined = (index: number): boolean => isFirstOnLine(source.text, ranges[index]?.from ?? 0);
  const gone = itemPieces(source, list).filter((_, index) => indexes.includes(index) && isLined(index));
  const shared = indexes.filter((index) => !isLined(index));
  for (const { from, to } of shared.flatMap((index) => ranges[index] ?? []))
    if (commentsIn(source, from, to) !== "")
      throw new UneditableError("a comment in it would come to another element", from);
  return [...gone.map((piece) => ({ ...piece, text: "" })), ...removeLines(source, shared, ranges)];
}

/**
 * Returns what goes with elements: their pieces, or nothing between brackets.
 *
 * @throws UneditableError if a comment would go that may be about more than one of them
 */
export function goneWith(source: SourceText, list: YAMLSeq, gone: readonly number[]): readonly Range[] {
  const ranges = itemRanges(source, list);
  const hasAbove = ({ from }: Range): boolean =>
    isFirstOnLine(source.text, from) && aboveComments(source, from) < lineStart(source.text, from);
  for (const index of list.flow === true ? gone : []) {
    const { from = 0, to = 0 } = ranges[index] ?? {};
    const behind = ranges[index - 1]?.to ?? list.range?.[0] ?? 0;
    if (commentsIn(source, behind, to) !== "") throw new UneditableError(LOSES_COMMENT, from);
  }
  if (list.flow === true) return [];
  const [head, ...others] = ranges;
  if (gone.includes(0) && head !== undefined && hasAbove(head) && !others.some(hasAbove))
    throw new UneditableError("the comment above it may be about the whole list", head.from);
  const pieces = itemPieces(source, list);
  return gone.flatMap((index) => pieces[index] ?? []);
}

/** Where the elements of a list are. In a block they start with their dash. */
export function itemRanges({ text }: SourceText, list: YAMLSeq): readonly Range[] {
  return nodesOf(list).map((node, index) => {
    const from = (list.flow === true ? undefined : dashOf(list, index)) ?? node.range?.[0] ?? 0;
    return { from, to: Math.max(contentEnd(node, text), from + 1) };
  });
}

/** The elements of a block with the comments that belong to them; between brackets, the elements alone. */
export function itemPieces(source: SourceText, list: YAMLSeq): readonly Range[] {
  const ranges = itemRanges(source, list);
  if (list.flow === true) return ranges;
  const pieces: Range[] = [];
  for (const { from, to } of ranges) {
    const above = isFirstOnLine(source.text, from) ? aboveComments(source, from) : from;
    const end = afterComments(source, to, columnOf(source.text, from));
    pieces.push({ from: Math.max(above, pieces.at(-1)?.to ?? 0), to: end });
  }
  return pieces;
}

function nodesOf(list: YAMLSeq): readonly Node[] {
  return list.items.filter((item): item is Node => isNode(item));
}
