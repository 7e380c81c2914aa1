/**
 * The text of a list whose elements stand in another order.
 *
 * Premise: a comment is about its element, so it goes where the element goes.
 */
import type { YAMLSeq } from "yaml";
import type { Value } from "../../model/json.ts";
import { formatItem, itemPieces, itemRanges } from "./items.ts";
import { UneditableError } from "./uneditable.ts";
import {
  isFirstOnLine,
  lineStart,
  type Range,
  type SourceText,
  type Splice,
  spliced,
  withLineEnd,
} from "./source-text.ts";

export type PlacedItem =
  | { readonly type: "new"; readonly value: Value }
  /** An element that is there already, with the changes in it. */
  | { readonly type: "old"; readonly index: number; readonly splices: readonly Splice[] };

/** Writes the elements in the order of `items`. @throws UneditableError if the text cannot be taken apart */
export function reorderItems(source: SourceText, list: YAMLSeq, items: readonly PlacedItem[]): Splice {
  const ranges = itemRanges(source, list);
  const pieces = itemPieces(source, list);
  const indent = list.flow === true ? "" : indentOfLines(source, ranges);
  const texts = items.map((item): string => {
    if (item.type === "new") return indent + formatItem(source, list, item.value);
    const { from, to } = pieces[item.index] ?? { from: 0, to: 0 };
    const text = spliced(source.text, item.splices, { from, to });
    if (text === undefined) throw new UneditableError("its changes overlap");
    return text;
  });
  const [from, to] = [pieces[0]?.from ?? 0, pieces.at(-1)?.to ?? 0];
  if (list.flow === true) return { from, to, text: betweenBrackets(source, list, ranges, texts) };
  const lines = texts.map(withLineEnd).join("");
  return { from, to, text: source.text.slice(0, to).endsWith("\n") ? lines : lines.replace(/\r?\n$/, "") };
}

/** The blanks before elements that have lines of their own. */
function indentOfLines({ text }: SourceText, ranges: readonly Range[]): string {
  const start = ranges[0]?.from ?? 0;
  if (!ranges.every(({ from }) => isFirstOnLine(text, from)))
    throw new UneditableError("it shares a line with what is around it", start);
  return text.slice(lineStart(text, start), start);
}

/** Between brackets, the elements take each other's places. */
function betweenBrackets(
  { text }: SourceText,
  list: YAMLSeq,
  ranges: readonly Range[],
  items: readonly string[],
): string {
  const separators = ranges.slice(1).map(({ from }, index) => text.slice(ranges[index]?.to, from));
  const behind = /^[ \t]*,?[ \t]*(#)?/.exec(text.slice(ranges.at(-1)?.to))?.[1];
  // A comment on the line of the bracket is about the whole list.
  const above = text.slice(text.indexOf("\n", list.range?.[0]), ranges[0]?.from);
  if (behind !== undefined || [above, ...separators].some((between) => between.includes("#")))
    throw new UneditableError("its elements would move away from their comments", ranges[0]?.from);
  return items.map((item, index) => (index === 0 ? item : `${separators[index - 1] ?? ", "}${item}`)).join("");
}
