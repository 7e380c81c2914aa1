import { stripVTControlCharacters } from "node:util";

/** The narrowest width that is used. On a narrower terminal nearly every word would stand alone. */
const MIN_WIDTH = 40;

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
  const limit = Math.max(MIN_WIDTH, width);
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
export function fillLines(
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

/** Without string-width, which would be loaded by every command. A wide character counts as one column. */

function columnsOf(text: string): number {
  return [...stripVTControlCharacters(text)].length;
}
