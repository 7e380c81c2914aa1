/** How a text is broken into lines. Texts are sanitized before; `wrapLine` takes coloured ones, too, and `wrapList` links. */
import { stripVTControlCharacters } from "node:util";
import { withoutLinks } from "./hyperlinks.ts";
import { pieces, textWidth } from "./width.ts";

/** More characters than this do not take one column. The width of longer words is not measured as a whole, because that is slow. */
const MAX_CLUSTER = 20;

/** A line of a text that was broken: indexes into the text. The end is not part of the line. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Breaks a text into lines of at most `width` columns. It breaks at single spaces, which are left out there. A longer
 * word is broken after a dot, a slash or an @, as in an address, else at the end of the line. Several spaces in a row
 * stay together, so that they are visible.
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
    const space = end > start ? 1 : 0;
    if (space > 0 && used + space + size > width) close(end + 1);
    else end += space;
    used += end > start ? space : 0;
    if (size <= width) {
      end += word.length;
      used += size;
      continue;
    }
    for (const part of word.split(/(?<=[./@])/u)) {
      const isFitting = part.length <= width * MAX_CLUSTER && textWidth(part) <= width;
      for (const piece of isFitting ? [part] : pieces(part)) {
        const columns = textWidth(piece);
        if (used + columns > width && end > start) close(end);
        end += piece.length;
        used += columns;
      }
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
  const lines = fillLines(texts, (line) => textWidth(withoutLinks(line)) + end.length <= width, separator);
  return lines.map((line, index) => (index < lines.length - 1 ? `${line}${end}` : line));
}

/** The words of a text in lines of at most `width` columns. A longer word stays whole. */
export function wrapWords(text: string, width: number): readonly string[] {
  return fillLines(text.split(/ +/), (line) => textWidth(withoutLinks(line)) <= width);
}

/** The narrowest width that is used. On a narrower terminal nearly every word would stand alone. */
const MIN_WRAP_WIDTH = 40;

/**
 * What stays on one line, so that it can be copied: text in quotes or backticks, a key of `lifecycle` with its value,
 * and a command at the end, such as `To apply it: driftline apply --yes`. Every other word, such as a path or a URL, is
 * kept whole as well.
 */
const UNBREAKABLE =
  /(?:`[^`]*`|lifecycle\.\w+: \w+|"[^"]*"|(?<=^|[\s(])'[^']*'(?![\w])|(?<=: )(?:driftline [a-z]|--[a-z]).*$|\S)+/gu;

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
