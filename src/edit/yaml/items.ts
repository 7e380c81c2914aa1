/**
 * Elements of lists are added, removed, and replaced by other ones.
 *
 * Terms: the piece of an element in lines is its text, with the comments right above it, and those below it that stand deeper than
 * its dash.
 * Premise: a comment is about its element. It goes with it, and it never comes to another one. What may be about more than the
 * element is not lost: a comment with a line of its own between brackets, and the only one above the elements of a list.
 */
import { isNode, type Node, type YAMLSeq } from "yaml";
import type { Value } from "../../model/json/json.ts";
import { flowAt } from "./flow.ts";
import { formatBeside, formatBlock, formatInline, isLong, isNonEmptyCollection } from "./format.ts";
import { aboveComments, afterComments, dashOf } from "./write-nodes.ts";
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
  spliced,
} from "./source-text.ts";

/** The element whose style a new one has, and the one that it replaces. */
interface Model {
  readonly like: Node | undefined;
  readonly old: Node | undefined;
}

/** The text of a new element. In a block it has its dash. */
export function formatItem(source: SourceText, list: YAMLSeq, value: Value, { like, old }: Model): string {
  if (list.flow === true)
    return old !== undefined && isNonEmptyCollection(value)
      ? flowAt(source, old.range?.[0] ?? 0, value, list)
      : formatInline(value, source, old);
  const [head] = nodesOf(list);
  const sibling = like ?? head;
  const isInline = !isNonEmptyCollection(value) || (sibling !== undefined && isFlow(sibling) && !isLong(value, source));
  const column = columnOf(source.text, dashOf(list, 0) ?? head?.range?.[0] ?? 0);
  const written = isInline ? formatBeside(value, source) : formatBlock(value, column + 2, source);
  return `${" ".repeat(column)}- ${written}\n`;
}

/** The text of an element that goes to another place, with the changes in it. @throws UneditableError if it cannot be taken apart */
export function movedText(source: SourceText, list: YAMLSeq, index: number, splices: readonly Splice[]): string {
  const start = itemRanges(source, list)[0]?.from ?? 0;
  if (list.flow !== true && !isFirstOnLine(source.text, start))
    throw new UneditableError("it shares a line with what is around it", start);
  const text = spliced(source.text, splices, itemPieces(source, list)[index] ?? { from: 0, to: 0 });
  if (text === undefined) throw new UneditableError("its changes overlap");
  return text;
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
