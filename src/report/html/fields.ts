/**
 * The fields of a change, one for each value that differs. Nothing that differs is cut: what is approved is what is shown.
 *
 * Terms: `<del>` is the prior side of a field and `<ins>` the planned one; each line has its sign as well. In a `pair` they stand one
 * below the other, or side by side if the reader wants that.
 */
import { type ShownField, pathOfField } from "../diff/entries.ts";
import type { Row } from "../diff/rows.ts";
import { markup, type Markup } from "./markup.ts";

/** Two values share a line if each of them is at most this long. Characters. */
const MAX_SHORT = 60;
/** The elements of a set share a line if they have at most this many characters together. A longer path stands above its values. */
const MAX_SET = 72;

export function fieldMarkup(field: ShownField): Markup {
  const { side, short, rows } = field;
  const path = pathOfField(field);
  const beside = short === undefined ? undefined : shortMarkup(short);
  const body = beside ?? (side === "" ? markup`<div class="pair">${rowBlocks(rows())}</div>` : rowBlocks(rows()));
  return markup`<div class="row${beside === undefined || path.length > MAX_SET ? " block" : ""}"><code class="path">${path}</code> ${body}</div>`;
}

/** Undefined if it is too long for a line. */
function shortMarkup(short: NonNullable<ShownField["short"]>): Markup | undefined {
  switch (short.type) {
    case "value":
      return markup`<span class="value">${short.text}</span>`;
    case "pair":
      if (Math.max(short.prior.length, short.planned.length) > MAX_SHORT) return undefined;
      return shortPair(short.prior, short.planned);
    case "set":
      if ([...short.removed, ...short.added].join("    ").length > MAX_SET) return undefined;
      return shortSet(short.removed, short.added);
  }
}

/** Rows as blocks, one for each run of rows of the same side. Rows without a side are one block. */
function rowBlocks(rows: readonly Row[]): readonly Markup[] {
  const starts = rows.flatMap(({ sign }, index) => (sign === rows[index - 1]?.sign ? [] : [index]));
  return starts.map((start, index) => {
    const run = rows.slice(start, starts[index + 1]);
    const { sign } = run[0] ?? { sign: "" };
    if (sign === "@@") return markup`<p class="note">${run.map(rowBody)}</p>`;
    const lines = run.map((row) => markup`<div>${sign}${sign === "" ? "" : " "}${rowBody(row)}</div>`);
    if (sign === "-" || sign === "+") return sideMarkup(sign, lines, "lines");
    return markup`<div class="${sign === "" ? "value" : "same"} lines">${lines}</div>`;
  });
}

/** The text of a row at its indent, with the words marked that differ. */
function rowBody({ depth, parts }: Row): Markup {
  const pieces = parts.map(({ text, differs }) => (differs ? markup`<mark>${text}</mark>` : markup`${text}`));
  return markup`${"  ".repeat(depth)}${pieces}`;
}

/** Two short values on one line. */
function shortPair(prior: string, planned: string): Markup {
  return markup`<span class="pair">${sideMarkup("-", markup`${prior}`)}<span class="to"> → </span>${sideMarkup("+", markup`${planned}`)}</span>`;
}

/** Short elements that a set loses and gains, on one line. */
function shortSet(removed: readonly string[], added: readonly string[]): Markup {
  const sides = (sign: "-" | "+", texts: readonly string[]): readonly Markup[] =>
    texts.map((text) => markup` ${sideMarkup(sign, markup`${sign} ${text}`)}`);
  return markup`<span class="pair">${sides("-", removed)}${sides("+", added)}</span>`;
}

/** One side, with what is in it. */
function sideMarkup(sign: "-" | "+", body: Markup | readonly Markup[], name?: "lines"): Markup {
  const attribute = name === undefined ? "" : markup` class="${name}"`;
  return sign === "-" ? markup`<del${attribute}>${body}</del>` : markup`<ins${attribute}>${body}</ins>`;
}
