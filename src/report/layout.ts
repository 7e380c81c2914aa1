/**
 * How text is laid out: its style, its width on a terminal in columns, and the lines that it is broken into. Texts are
 * sanitized before; `wrapLine` takes coloured ones, too.
 */
import stringWidth from "string-width";
import { stripVTControlCharacters, styleText } from "node:util";
import type { TextPart } from "./diff/text-diff.ts";
import type { RenderOptions } from "./options.ts";
import type { Row } from "./diff-lines.ts";

/** The style of a piece of text. */
export type Style = "red" | "green" | "yellow" | "cyan" | "magenta" | "bold" | "dim" | "inverse";

/** Styles text, or returns it unchanged if colours are off. */
export type Paint = (style: Style, text: string) => string;

/** The text has to be sanitized before: it is printed as it is. */
export function painter(color: boolean): Paint {
  return (style, text) => {
    if (!color || text === "") return text;
    // The caller has decided on colours, so the stream and the environment are not asked again.
    return styleText(style, text, { validateStream: false });
  };
}

/** The width of a report in columns: the default, the minimum and the maximum. */
const [DEFAULT_REPORT_WIDTH, MIN_REPORT_WIDTH, MAX_REPORT_WIDTH] = [100, 60, 200];

/** The number of columns to lay text out in. */
export function columns({ width = DEFAULT_REPORT_WIDTH }: Pick<RenderOptions, "width">): number {
  return Math.min(MAX_REPORT_WIDTH, Math.max(MIN_REPORT_WIDTH, width));
}

/** The indent of the lines below a change. */
export const INDENT = " ".repeat(8);

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
      const taken = textWidth(piece);
      if (used + taken > width && end > start) close(end);
      end += piece.length;
      used += taken;
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
const MAX_TABLE_COLUMN = 48;

/** The width of the column that holds these texts. They have to be sanitized before. */
export function columnWidth(texts: readonly string[], limit: number = MAX_TABLE_COLUMN): number {
  return texts.map(textWidth).reduce((width, own) => (own <= limit ? Math.max(width, own) : width), 0);
}

/** The narrowest width that is used. On a narrower terminal nearly every word would stand alone. */
const MIN_WRAP_WIDTH = 40;

/**
 * What stays on one line, so that it can be copied: text in quotes or backticks, and a command at the end, such as
 * `To apply it: driftline apply --yes`. Every other word, such as a path or a URL, is kept whole as well.
 */
const UNBREAKABLE = /(?:`[^`]*`|"[^"]*"|(?<=^|[\s(])'[^']*'(?![\w])|(?<=: )(?:driftline [a-z]|--[a-z]).*$|\S)+/gu;

/**
 * Breaks a line between words, so that it has at most `width` columns where that is possible. Colours count as nothing.
 *
 * @param indent the spaces before each line but the first
 */
export function wrapLine(line: string, width: number, indent: number): string {
  const limit = Math.max(MIN_WRAP_WIDTH, width);
  const start = (index: number): string => (index === 0 ? (/^ */u.exec(line)?.[0] ?? "") : " ".repeat(indent));
  const words = Array.from(line.matchAll(UNBREAKABLE), ([word]) => word);
  const lines = fillLines(words, (text, index) => columnsOf(start(index) + text) <= limit);
  return lines.map((text, index) => start(index) + text).join("\n");
}

/**
 * Puts texts into lines, each with as many as fit. No text is broken.
 *
 * @param fits whether a line is short enough, by its text and its index
 */
function fillLines(
  texts: readonly string[],
  fits: (line: string, index: number) => boolean,
  separator = " ",
): readonly string[] {
  const lines: string[] = [];
  for (const text of texts) {
    const last = lines.length - 1;
    const longer = `${lines[last] ?? ""}${separator}${text}`;
    if (last >= 0 && fits(longer, last)) lines[last] = longer;
    else lines.push(text);
  }
  return lines;
}

/** A wide character counts as one column: the bundle loads string-width at its first use, which takes 30 ms (scripts/bundle.ts). */
function columnsOf(text: string): number {
  return [...stripVTControlCharacters(text)].length;
}

/** The text of a row. */
export function rowText({ parts }: Row): string {
  return parts.map(({ text }) => text).join("");
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
