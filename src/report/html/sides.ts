/**
 * The two sides of a difference. `<del>` is the prior side and `<ins>` the planned one; each line has its sign as well. In a
 * `pair` they stand one below the other, or side by side if the reader wants that.
 */
import { diffLines, diffWords, type HunkLine, type TextPart } from "../diff/text-diff.ts";
import { markup, NOTHING, type Markup } from "./markup.ts";

/** Two values share a line if each of them is at most this long. Characters. */
export const MAX_SHORT = 60;
/** Words are marked only if both sides have at least this part in common. Else the marks would be all over the text. */
const MIN_COMMON = 0.25;

/** The lines of two texts that differ, with the lines around them. */
export function textHunks(prior: string, planned: string): Markup {
  const hunks = diffLines(prior, planned).map(({ priorStart, plannedStart, lines }) => {
    const where = priorStart === plannedStart ? `line ${plannedStart}` : `line ${priorStart} → ${plannedStart}`;
    return markup`<p class="note">${where}</p>${hunkBlocks(lines)}`;
  });
  return markup`<div class="pair">${hunks}</div>`;
}

/** Two long texts of one line, with the words marked that differ. */
export function wordPair(prior: string, planned: string): Markup {
  return markup`<div class="pair">${editBlocks([prior], [planned])}</div>`;
}

/** The lines of a hunk: those of both texts, and the two sides of each edit. */
function hunkBlocks(lines: readonly HunkLine[]): readonly Markup[] {
  const blocks: Markup[] = [];
  let index = 0;
  const take = (sign: HunkLine["sign"]): readonly string[] => {
    const start = index;
    while (lines[index]?.sign === sign) index += 1;
    return lines.slice(start, index).map(({ text }) => text);
  };
  while (index < lines.length) {
    const same = take(" ");
    if (same.length > 0)
      blocks.push(markup`<div class="same lines">${same.map((line) => markup`<div>  ${line}</div>`)}</div>`);
    blocks.push(...editBlocks(take("-"), take("+")));
  }
  return blocks;
}

/** The two sides of an edit. Lines are compared by words if there are as many on each side. */
function editBlocks(removed: readonly string[], added: readonly string[]): readonly Markup[] {
  if (removed.length !== added.length) return [lineBlock("-", removed), lineBlock("+", added)];
  const pairs = removed.map((line, index) => marked(line, added[index] ?? ""));
  const lines = (sign: "-" | "+", which: 0 | 1): Markup =>
    pairs.length === 0
      ? NOTHING
      : side(
          sign,
          pairs.map((pair) => markup`<div>${sign} ${pair[which]}</div>`),
          "lines",
        );
  return [lines("-", 0), lines("+", 1)];
}

/** Both texts, with the words marked that differ. */
function marked(prior: string, planned: string): readonly [Markup, Markup] {
  const [left, right] = diffWords(prior, planned);
  const common = left.reduce((sum, { text, differs }) => (differs ? sum : sum + text.length), 0);
  if (common < MIN_COMMON * Math.max(prior.length, planned.length)) return [markup`${prior}`, markup`${planned}`];
  const pieces = (parts: readonly TextPart[]): Markup =>
    markup`${parts.map(({ text, differs }) => (differs ? markup`<mark>${text}</mark>` : markup`${text}`))}`;
  return [pieces(left), pieces(right)];
}

/** Lines of one side, each with its sign. */
export function lineBlock(sign: "-" | "+", lines: readonly string[]): Markup {
  if (lines.length === 0) return NOTHING;
  return side(
    sign,
    lines.map((line) => markup`<div>${sign} ${line}</div>`),
    "lines",
  );
}

/** Two short values on one line. */
export function shortPair(prior: string, planned: string): Markup {
  return markup`<span class="pair">${side("-", markup`${prior}`)}<span class="to"> → </span>${side("+", markup`${planned}`)}</span>`;
}

/** One side, with what is in it. */
export function side(sign: "-" | "+", body: Markup | readonly Markup[], name?: "lines"): Markup {
  const attribute = name === undefined ? NOTHING : markup` class="${name}"`;
  return sign === "-" ? markup`<del${attribute}>${body}</del>` : markup`<ins${attribute}>${body}</ins>`;
}
