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

/** An element in its new place. */
export type PlacedItem =
  | { readonly type: "new"; readonly value: Value }
  /** An element that is there already, with the changes in it. */
  | { readonly type: "old"; readonly index: number; readonly splices: readonly Splice[] };

/** Writes the elements in the order of `items`. @throws UneditableError if the text cannot be taken apart */
export function reorderItems(source: SourceText, list: YAMLSeq, items: readonly PlacedItem[]): Splice {
  const pieces = list.flow === true ? flowPieces(source, list) : blockPieces(source, list);
  const [first, last] = [pieces.parts[0], pieces.parts.at(-1)];
  const texts = items.map((item): string => {
    if (item.type === "new") return pieces.ofNew(formatItem(source, list, item.value));
    const { from, to } = pieces.parts[item.index] ?? { from: 0, to: 0 };
    const text = spliced(source.text, item.splices, { from, to });
    if (text === undefined) throw new UneditableError("its changes overlap");
    return text;
  });
  return { from: first?.from ?? 0, to: last?.to ?? 0, text: pieces.join(texts) };
}

interface Pieces {
  readonly parts: readonly Range[];
  readonly ofNew: (text: string) => string;
  readonly join: (texts: readonly string[]) => string;
}

/** Each element has lines of its own. The comment lines above it belong to it. */
function blockPieces(source: SourceText, list: YAMLSeq): Pieces {
  const { text } = source;
  const starts = itemRanges(source, list).map(({ from }) => from);
  const [first = 0] = starts;
  if (!starts.every((start) => isFirstOnLine(text, start)))
    throw new UneditableError("it shares a line with what is around it", first);
  const parts = itemPieces(source, list);
  const isOpen = !text.slice(0, parts.at(-1)?.to).endsWith("\n");
  const join = (texts: readonly string[]): string => texts.map(withLineEnd).join("");
  return {
    parts,
    ofNew: (item) => `${text.slice(lineStart(text, first), first)}${item}\n`,
    join: (texts) => (isOpen ? join(texts).replace(/\r?\n$/, "") : join(texts)),
  };
}

/** Between brackets, the elements take each other's places. */
function flowPieces(source: SourceText, list: YAMLSeq): Pieces {
  const ranges = itemRanges(source, list);
  const between = ranges.slice(1).map(({ from }, index) => source.text.slice(ranges[index]?.to, from));
  const behind = /^[ \t]*,?[ \t]*(#)?/.exec(source.text.slice(ranges.at(-1)?.to))?.[1];
  if (behind !== undefined || between.some((gap) => gap.includes("#")))
    throw new UneditableError("its elements would move away from their comments", ranges[0]?.from);
  return {
    parts: ranges,
    ofNew: (item) => item,
    join: (texts) => texts.map((text, index) => (index === 0 ? text : `${between[index - 1] ?? ", "}${text}`)).join(""),
  };
}
