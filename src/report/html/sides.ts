/**
 * The two sides of a difference. `<del>` is the prior side and `<ins>` the planned one; each line has its sign as well. In a
 * `pair` they stand one below the other, or side by side if the reader wants that.
 */
import type { DiffLine } from "../diff-lines.ts";
import type { Hunk } from "../diff/text-diff.ts";
import { markup, type Markup } from "./markup.ts";

/** Stretches of a text that differ, each with the number of its first line. */
export function hunkPair(hunks: readonly Hunk<DiffLine>[]): Markup {
  const blocks = hunks.map(({ priorStart, plannedStart, lines }) => {
    const where = priorStart === plannedStart ? `line ${plannedStart}` : `line ${priorStart} → ${plannedStart}`;
    return markup`<p class="note">${where}</p>${rowBlocks(lines)}`;
  });
  return markup`<div class="pair">${blocks}</div>`;
}

/** Rows as blocks, one for each run of rows of the same side. Rows without a side are one block. */
export function rowBlocks(rows: readonly DiffLine[]): readonly Markup[] {
  const starts = rows.flatMap(({ sign }, index) => (sign === rows[index - 1]?.sign ? [] : [index]));
  return starts.map((start, index) => {
    const run = rows.slice(start, starts[index + 1]);
    const { sign } = run[0] ?? { sign: "" };
    const lines = run.map((row) => markup`<div>${sign}${sign === "" ? "" : " "}${rowBody(row)}</div>`);
    if (sign === "-" || sign === "+") return side(sign, lines, "lines");
    return markup`<div class="${sign === "" ? "value" : "same"} lines">${lines}</div>`;
  });
}

/** The text of a row at its indent, with the words marked that differ. */
function rowBody({ depth, parts }: DiffLine): Markup {
  const pieces = parts.map(({ text, differs }) => (differs ? markup`<mark>${text}</mark>` : markup`${text}`));
  return markup`${"  ".repeat(depth)}${pieces}`;
}

/** Two short values on one line. */
export function shortPair(prior: string, planned: string): Markup {
  return markup`<span class="pair">${side("-", markup`${prior}`)}<span class="to"> → </span>${side("+", markup`${planned}`)}</span>`;
}

/** Short elements that a set loses and gains, on one line. */
export function shortSet(removed: readonly string[], added: readonly string[]): Markup {
  const sides = (sign: "-" | "+", texts: readonly string[]): readonly Markup[] =>
    texts.map((text) => markup` ${side(sign, markup`${sign} ${text}`)}`);
  return markup`<span class="pair">${sides("-", removed)}${sides("+", added)}</span>`;
}

/** One side, with what is in it. */
function side(sign: "-" | "+", body: Markup | readonly Markup[], name?: "lines"): Markup {
  const attribute = name === undefined ? "" : markup` class="${name}"`;
  return sign === "-" ? markup`<del${attribute}>${body}</del>` : markup`<ins${attribute}>${body}</ins>`;
}
