import { isObject } from "../json.ts";
import type { Answer } from "./call.ts";

/** One line of a table: the text of each column. */
type Line = Readonly<Record<string, string>>;

/**
 * Converts an answer to CSV. The rows are the results of a list, the series of a trend, the elements of an array, or
 * the object itself. Nested values get their own columns, such as `created_by.email` or `tags.0`. Columns are sorted,
 * and lines end in CRLF.
 */
export function toCsv(answer: Answer): Answer {
  if (answer.body === undefined) return answer;
  const lines = csvRows(answer.body).map(lineOf);
  const isSeries = lines.some((line) => "series" in line);
  const names = [...new Set(lines.flatMap((line) => Object.keys(line)))];
  const columns = isSeries ? names : names.toSorted();
  const table = [columns, ...lines.map((line) => columns.map((column) => line[column] ?? ""))];
  const raw = table.map((cells) => `${cells.map(quoted).join(",")}\r\n`).join("");
  const { body: _body, ...others } = answer;
  return { ...others, raw, headers: { ...answer.headers, "content-type": "text/csv; charset=utf-8" } };
}

function csvRows(body: unknown): readonly unknown[] {
  if (Array.isArray(body)) return body;
  if (!isObject(body)) return [body];
  const { results, result } = body;
  if (Array.isArray(results)) return results;
  // An insight may have a `result` too. Only a calculation, which has no id, is reduced to its result.
  return Array.isArray(result) && !("id" in body) ? result : [body];
}

/** A series of a trend becomes one line with a column for each day. Anything else is flattened. */
function lineOf(row: unknown): Line {
  if (!isObject(row)) return { value: cellOf(row) };
  const { label, labels, data } = row;
  if (!Array.isArray(labels) || !Array.isArray(data)) return Object.fromEntries(flat(row, ""));
  const days = labels.map((day: unknown, index) => [cellOf(day), cellOf(data[index])] as const);
  return { series: cellOf(label), ...Object.fromEntries(days) };
}

function flat(value: object, prefix: string): (readonly [string, string])[] {
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
    typeof inner === "object" && inner !== null ? flat(inner, `${prefix}${key}.`) : [[prefix + key, cellOf(inner)]],
  );
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
