import { sanitize } from "../model/text/quote.ts";

/**
 * Rows as CSV (RFC 4180). A spreadsheet takes a cell for a formula that begins with one of these signs, and names come from strangers: an
 * apostrophe in front makes it a text.
 */
export function csvText(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

function cell(text: string): string {
  const shown = sanitize(text);
  const harmless = /^\s*[=+\-@|%＝＋－＠]/u.test(shown) ? `'${shown}` : shown;
  return /[",\r\n']|^\s|\s$/u.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
