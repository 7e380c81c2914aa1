/**
 * The pieces that Markdown reports are made of.
 *
 * Premise: names and messages come from a service, and a comment is rendered with the rights of whoever posts it. So no
 * character of theirs reaches the parser: each one with a meaning in Markdown or HTML becomes an entity, which both a table
 * cell and an HTML block decode to plain text. A mention (`@team`, `#12`) would still be found in the decoded text, so a
 * zero-width space follows its sign; inside <code> nobody looks for mentions.
 */
import { cut, sanitize } from "../escape.ts";

/** A comment may have 65,536 characters on GitHub; what posts it may want to add some. */
export const MOST_CHARACTERS = 60_000;

const SPECIAL = /[&<>`*~|\\$@[]|(?<![a-z0-9])_|_(?![a-z0-9])|:(?=\/\/)|(?<=\bwww)\./gi;
const SPECIAL_IN_PROSE = new RegExp(`${SPECIAL.source}|#`, "gi");

/** The text as part of a sentence or a table cell, cut to `limit` characters. */
export function prose(text: string, limit = 500): string {
  return cut(sanitize(text), limit).replaceAll(
    SPECIAL_IN_PROSE,
    (sign) => `${entity(sign)}${"@#".includes(sign) ? "&#8203;" : ""}`,
  );
}

/** The text where it begins a line: nor does it begin a list, a rule or a block of code there. */
export function paragraph(text: string, limit?: number): string {
  return prose(text.trimStart(), limit).replace(/^[-+=]|(?<=^\d+)[.)](?=\s|$)/, entity);
}

/** The text as code, cut to `limit` characters. */
export function code(text: string, limit = 200): string {
  return `<code>${cut(sanitize(text), limit).replaceAll(SPECIAL, entity)}</code>`;
}

function entity(character: string): string {
  return `&#${character.charCodeAt(0)};`;
}

/** Our own sentence with `code` in backticks, which are ours to interpret: only what stands in them is escaped. */
export function sentence(text: string): string {
  return text
    .split("`")
    .map((part, index) => (index % 2 === 1 ? code(part) : prose(part)))
    .join("");
}

/** A table; the cells have to be escaped before. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** A collapsed section. `summary` is HTML, `body` Markdown; both have to be escaped before. */
export function details(summary: string, body: string, open = false): string {
  return `<details${open ? " open" : ""}><summary>${summary}</summary>\n\n${body}\n\n</details>`;
}

/** A fenced block whose fence no line of it can close. The lines have to be sanitized before. */
export function fence(language: string, lines: readonly string[]): string {
  const runs = lines.flatMap((line) => line.match(/`+/g) ?? []).map((run) => run.length);
  const ticks = "`".repeat(Math.max(3, ...runs.map((length) => length + 1)));
  return `${ticks}${language}\n${lines.join("\n")}\n${ticks}`;
}

/** As many of the pieces as fit into `room` characters, each with its separator; the others are counted. */
export function fit(
  pieces: readonly string[],
  room: number,
): { readonly kept: readonly string[]; readonly left: number } {
  let used = 0;
  const kept = pieces.filter((piece) => {
    if (used + piece.length + 2 > room) return false;
    used += piece.length + 2;
    return true;
  });
  return { kept, left: pieces.length - kept.length };
}
