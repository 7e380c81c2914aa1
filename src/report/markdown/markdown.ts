/**
 * The building blocks of Markdown reports.
 *
 * Premise: names and messages come from a service, and a comment is rendered with the rights of the account that posts it. So
 * every character with a meaning in Markdown or HTML becomes an entity. Table cells and HTML blocks both decode entities to
 * plain text. Mentions (`@team`, `#12`) are searched in the decoded text, so a zero-width space follows their sign. Inside
 * <code> there are no mentions. Behind a letter or a digit, `@` begins none: it is that of an e-mail address, which stays whole, so that
 * it breaks nowhere and can be copied.
 */
import { pasteable, type Step } from "../command.ts";
import type { PlanDocument } from "../../model/plan.ts";
import { plural } from "../../model/text/plural.ts";
import { cut, sanitize } from "../../model/text/quote.ts";
import type { RenderOptions } from "../options.ts";

/** GitHub allows 65,536 characters in a comment. The rest is room for the tool that posts it. */
const MAX_CHARACTERS = 60_000;
/** Where a reader finds what has no room here. */
export const WHERE_ALL_IS = "--format html=FILE and --format json=FILE have all";
/** Reserved for the note on changes that were left out. */
const NOTES_ROOM = 500;

const SPECIAL = /[&<>`*~|\\$@[]|(?<![a-z0-9])_|_(?![a-z0-9])|:(?=\/\/)|(?<=\bwww)\./gi;
const SPECIAL_IN_PROSE = new RegExp(`${SPECIAL.source}|#`, "gi");

/** The text as part of a sentence or a table cell, cut to `limit` characters. */
export function prose(text: string, limit = 500): string {
  return cut(sanitize(text), limit).replaceAll(
    SPECIAL_IN_PROSE,
    (sign, index: number, whole: string) => `${entity(sign)}${mayMention(sign, whole[index - 1]) ? "&#8203;" : ""}`,
  );
}

function mayMention(sign: string, before = ""): boolean {
  return sign === "#" || (sign === "@" && !/[A-Za-z0-9]/u.test(before));
}

/** The text at the start of a line. It cannot start a list, a rule or a code block there. */
export function paragraph(text: string, limit?: number): string {
  return prose(text.trimStart(), limit).replace(/^[-+=]|(?<=^\d+)[.)](?=\s|$)/, entity);
}

/** The text as code, cut to `limit` characters. */
export function code(text: string, limit = 200): string {
  return `<code>${cut(sanitize(text), limit).replaceAll(SPECIAL, entity)}</code>`;
}

/** A piece of HTML as a link, if there is a page. It stands in text and in HTML blocks alike. */
export function linked(html: string, page: string | undefined): string {
  return page === undefined ? html : `<a href="${page.replaceAll(/[&<>"'`|]/g, entity)}">${html}</a>`;
}

function entity(character: string): string {
  return `&#${character.charCodeAt(0)};`;
}

/** A sentence with its command at its end. Only that becomes code that is to be copied. */
export function sentence({ text, command }: Step, limit?: number): string {
  return [text === "" ? [] : prose(text, limit), command === undefined ? [] : code(pasteable(command), 1000)]
    .flat()
    .join(" ");
}

/** Blocks of Markdown, one below the other. An empty one is left out. */
export function joinBlocks(blocks: readonly string[]): string {
  return blocks.filter((block) => block !== "").join("\n\n");
}

/** A table. The cells have to be escaped before. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map(tableRow).join("\n");
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** A table of the rows that fit into `room` characters, with the number of the others below it. */
export function tableWithin(room: number, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const { kept, omitted } = fitPieces(rows.map(tableRow), room);
  const left = omitted.length === 0 ? [] : ["", `… and ${omitted.length} more.`];
  return [table(head, []), ...kept, ...left].join("\n");
}

/** The last line of a comment: what the report is about, and what made it. */
export function reportFooter(
  { url, hash, tool_version: version }: Pick<PlanDocument, "url" | "hash" | "tool_version">,
  { footer }: Pick<RenderOptions, "footer">,
): string {
  const facts = [code(url), `plan ${code(hash)}`, `driftline ${prose(version, 40)}`];
  return `<sub>${[...facts, ...(footer === undefined ? [] : [prose(footer)])].join(" · ")}</sub>`;
}

/** A collapsed section. `summary` is HTML, `body` Markdown; both have to be escaped before. */
export function details(summary: string, body: string, state: "open" | "closed" = "closed"): string {
  return `<details${state === "open" ? " open" : ""}><summary>${summary}</summary>\n\n${body}\n\n</details>`;
}

/** A fenced block that none of its lines can close. The lines have to be sanitized before. */
export function fence(language: string, lines: readonly string[]): string {
  const runs = lines.flatMap((line) => line.match(/`+/g) ?? []).map((run) => run.length);
  const ticks = "`".repeat(Math.max(3, ...runs.map((length) => length + 1)));
  return `${ticks}${language}\n${lines.join("\n")}\n${ticks}`;
}

/** A piece of a report in its forms: all of it first, and the least that has to be there last. */
export interface Forms {
  readonly forms: readonly [string, ...string[]];
}

/**
 * The pieces that fit into `room` characters together with their separators, each in its longest form that has room beside those before
 * it, and the pieces that do not fit.
 */
export function fitPieces<T extends string | Forms>(
  pieces: readonly T[],
  room: number,
): { readonly kept: readonly string[]; readonly textOf: ReadonlyMap<T, string>; readonly omitted: readonly T[] } {
  let left = room;
  const [kept, textOf, omitted]: [string[], Map<T, string>, T[]] = [[], new Map(), []];
  for (const piece of pieces) {
    const forms = typeof piece === "string" ? [piece] : piece.forms;
    const text = forms.find((form) => form.length + 2 <= left);
    if (text === undefined) omitted.push(piece);
    else {
      left -= text.length + 2;
      kept.push(text);
      textOf.set(piece, text);
    }
  }
  return { kept, textOf, omitted };
}

/** A piece about some changes. */
export interface Block extends Forms {
  readonly count: number;
}

/** The blocks in the longest forms that have room beside the least of the others, and notes on what is left out. */
export function fitForms(blocks: readonly Block[], room: number): readonly string[] {
  const leastOf = ({ forms }: Forms): string => forms.at(-1) ?? "";
  let left = blocks.reduce((rest, block) => rest - leastOf(block).length - 2, room);
  const chosen = blocks.map(({ forms, count }): Block & { readonly shortened: number } => {
    const least = leastOf({ forms });
    const text = forms.find((form) => form.length - least.length <= left) ?? least;
    left -= text.length - least.length;
    return { forms: [text], count, shortened: text === forms[0] ? 0 : count };
  });
  const { kept, textOf, omitted } = fitPieces(chosen, room);
  const shortened = chosen.reduce((sum, one) => sum + (textOf.has(one) ? one.shortened : 0), 0);
  const note = `**Values or names of ${plural(shortened, "change")}** left out to fit into a comment. ${WHERE_ALL_IS}.`;
  return [...kept, shortened === 0 ? "" : note, omittedNote(omitted.reduce((sum, { count }) => sum + count, 0))];
}

/** The characters that these blocks leave for the changes. */
export function roomBeside(blocks: readonly string[]): number {
  return MAX_CHARACTERS - NOTES_ROOM - blocks.reduce((sum, block) => sum + (block === "" ? 0 : block.length + 2), 0);
}

/** The note on changes that were left out, with the counts of each sort if they are given; "" if all fit. */
export function omittedNote(omitted: number, phrases: readonly string[] = []): string {
  if (omitted === 0) return "";
  const sorts = phrases.length === 0 ? "" : `: ${phrases.join(", ")}`;
  return `**${plural(omitted, "more change")}** left out to fit into a comment${sorts}. ${WHERE_ALL_IS}.`;
}

/** Counts as a table: "1 to create" is a column "to create" with the number 1 below it. Empty without them. */
export function countsTable(phrases: readonly string[]): string {
  if (phrases.length === 0) return "";
  const cells = phrases.map((phrase) => phrase.split(/ (.*)/s));
  const head = cells.map(([, words]) => prose(words ?? ""));
  return table(head, [cells.map(([count]) => count ?? "")]);
}
