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
  const lead = /^ */u.exec(line)?.[0] ?? "";
  const lines: string[] = [];
  let current = "";
  for (const [word] of line.matchAll(UNBREAKABLE)) {
    const start = lines.length === 0 ? lead : " ".repeat(indent);
    if (current === "") current = start + word;
    else if (columnsOf(current) + 1 + columnsOf(word) <= limit) current += ` ${word}`;
    else {
      lines.push(current);
      current = " ".repeat(indent) + word;
    }
  }
  return [...lines, current].join("\n");
}

function columnsOf(text: string): number {
  return [...stripVTControlCharacters(text)].length;
}
