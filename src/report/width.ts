/** How many columns a text takes on a terminal, and how many there are. Texts are sanitized before. */
import stringWidth from "string-width";
import type { RenderOptions } from "./options.ts";

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

/** Segmenting is quadratic in the length of a text, so it is done in pieces. */
const MAX_SEGMENTED = 500;
const STRETCH = new RegExp(`[^]{1,${MAX_SEGMENTED}}(?<![\\ud800-\\udbff])|[^]`, "g");

/** The smallest pieces of a word between which it can be broken. */
export function pieces(word: string): readonly string[] {
  if (ASCII.test(word)) return word.split("");
  return stretches(word).flatMap((stretch) => Array.from(graphemes().segment(stretch), ({ segment }) => segment));
}

/** The text in stretches that can be segmented quickly. No surrogate pair is split. */
function stretches(text: string): readonly string[] {
  return text.length <= MAX_SEGMENTED ? [text] : (text.match(STRETCH) ?? []);
}

/** A column is as wide as its longest text. Texts longer than this stick out, so that the other rows keep their place. */
const MAX_TABLE_COLUMN = 48;

/** The widths of the columns of addresses and kinds. */
export type ColumnWidths = Readonly<Record<"address" | "kind", number>>;

/** The width of the column that holds these texts. They have to be sanitized before. */
export function columnWidth(texts: readonly string[], limit: number = MAX_TABLE_COLUMN): number {
  return texts.map(textWidth).reduce((width, own) => (own <= limit ? Math.max(width, own) : width), 0);
}

/** Returns how a row of a table is written, below the others. @param rows all of them, sanitized */
export function inColumns(rows: readonly (readonly string[])[], limit?: number): (row: readonly string[]) => string {
  const widths = rows[0]?.map((_, column) =>
    columnWidth(
      rows.map((row) => row[column] ?? ""),
      limit,
    ),
  );
  return (row) => row.map((text, column) => padText(text, widths?.[column] ?? 0)).join("  ");
}
