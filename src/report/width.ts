/** The width of text on a terminal, in columns, and the lines that it is broken into. Texts are sanitized before. */
import stringWidth from "string-width";
import type { TextPart } from "./diff/text-diff.ts";
import { type Row, rowText } from "./rows.ts";
import { fillLines } from "./wrap.ts";

const ASCII = /^[ -~]*$/;

let segmenter: Intl.Segmenter | undefined;

/** Made when it is needed, because making it takes longer than many a command. */
function graphemes(): Intl.Segmenter {
  return (segmenter ??= new Intl.Segmenter());
}

/** The columns that a text takes. Wide characters take two. */
export function textWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  return stretches(text).reduce((sum, stretch) => sum + stringWidth(stretch), 0);
}

/** The text with spaces behind it, up to a width. */
export function padText(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - textWidth(text)));
}

/** More characters than this do not take one column. The width of longer words is not measured as a whole, because that is slow. */
const MAX_CLUSTER = 20;
/** Segmenting is quadratic in the length of a text, so it is done in pieces. */
const MAX_SEGMENTED = 500;
const STRETCH = new RegExp(`[^]{1,${MAX_SEGMENTED}}(?<![\\ud800-\\udbff])|[^]`, "g");

/** A line of a text that was broken: indexes into the text. The end is not part of the line. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Breaks a text into lines of at most `width` columns. It breaks at single spaces, which are left out there. A longer word is
 * broken at the end of the line. Several spaces in a row stay together, so that they are visible.
 */
export function breakText(text: string, width: number): readonly Span[] {
  const spans: Span[] = [];
  let [start, end, used] = [0, 0, 0];
  const close = (next: number): void => {
    spans.push({ start, end });
    [start, end, used] = [next, next, 0];
  };
  for (const [word] of text.matchAll(/(?:(?! (?=\S)(?<=\S )).)+/gsu)) {
    const size = word.length > width * MAX_CLUSTER ? Infinity : textWidth(word);
    const gap = end > start ? 1 : 0;
    if (gap > 0 && used + gap + size > width) close(end + 1);
    else end += gap;
    used += end > start ? gap : 0;
    if (size <= width) {
      end += word.length;
      used += size;
      continue;
    }
    for (const piece of pieces(word)) {
      const columns = textWidth(piece);
      if (used + columns > width && end > start) close(end);
      end += piece.length;
      used += columns;
    }
  }
  close(end);
  return spans;
}

/** The text in lines of at most `width` columns. `hanging` stands before all but the first one. */
export function wrapLines(text: string, width: number, hanging = ""): readonly string[] {
  const spans = breakText(text, width - (textWidth(text) > width ? hanging.length : 0));
  return spans.map(({ start, end }, index) => (index > 0 ? hanging : "") + text.slice(start, end));
}

/** Texts with a separator between them, in lines of at most `width` columns. No text is broken. */
export function wrapList(texts: readonly string[], width: number, separator = ", "): readonly string[] {
  // Each line but the last one ends with the separator.
  const end = separator.trimEnd();
  const lines = fillLines(texts, (line) => textWidth(line) + end.length <= width, separator);
  return lines.map((line, index) => (index < lines.length - 1 ? `${line}${end}` : line));
}

/** The words of a text in lines of at most `width` columns. A longer word stays whole. */
export function wrapWords(text: string, width: number): readonly string[] {
  return fillLines(text.split(/ +/), (line) => textWidth(line) <= width);
}

/** The smallest pieces of a word between which it can be broken. */
function pieces(word: string): readonly string[] {
  if (ASCII.test(word)) return word.split("");
  return stretches(word).flatMap((stretch) => Array.from(graphemes().segment(stretch), ({ segment }) => segment));
}

/** The text in stretches that can be segmented quickly. No surrogate pair is split. */
function stretches(text: string): readonly string[] {
  return text.length <= MAX_SEGMENTED ? [text] : (text.match(STRETCH) ?? []);
}

/** A column is as wide as its longest text. Texts longer than this stick out, so that the other rows keep their place. */
const MAX_COLUMN = 48;

/** The width of the column that holds these texts. They have to be sanitized before. */
export function columnWidth(texts: readonly string[], limit: number = MAX_COLUMN): number {
  return texts.map(textWidth).reduce((width, own) => (own <= limit ? Math.max(width, own) : width), 0);
}

/** A line of a row. A row that is too long has several; `marks` stand below the words that differ. */
export interface RowLine {
  readonly type: "first" | "rest" | "marks";
  readonly parts: readonly TextPart[];
}

/** The indent of the rest of a row that is a value. */
const HANGING = "  ";
/** The least columns for the text of a row. */
const MIN_ROOM = 24;

/** Breaks a row into lines of at most `room` columns. `hasMarks` adds marks, for output without colours. */
export function linesOfRow(row: Row, room: number, hasMarks: boolean): readonly RowLine[] {
  const text = rowText(row);
  const width = Math.max(MIN_ROOM, room);
  const spans = breakText(text, row.type === "value" ? width - HANGING.length : width);
  const isMarked = hasMarks && spans.length > (row.type === "line" ? 1 : 0);
  return spans.flatMap(({ start, end }, index): readonly RowLine[] => {
    const type = index === 0 ? "first" : "rest";
    const own = slice(row.parts, start, end);
    const parts = row.type !== "value" || index === 0 ? own : [{ text: HANGING, differs: false }, ...own];
    const marks = isMarked ? marksBelow(own) : "";
    return marks === ""
      ? [{ type, parts }]
      : [
          { type, parts },
          { type: "marks", parts: [{ text: marks, differs: false }] },
        ];
  });
}

function marksBelow(parts: readonly TextPart[]): string {
  return parts
    .map(({ text, differs }) => (differs ? "^" : " ").repeat(textWidth(text)))
    .join("")
    .trimEnd();
}

/** The parts of a stretch of a text. */
function slice(parts: readonly TextPart[], start: number, end: number): readonly TextPart[] {
  let offset = 0;
  return parts.flatMap(({ text, differs }) => {
    const piece = text.slice(Math.max(0, start - offset), Math.max(0, end - offset));
    offset += text.length;
    return piece === "" ? [] : [{ text: piece, differs }];
  });
}
