import { plural } from "../../model/text/plural.ts";
import { type ShownField, pathOfField } from "../diff/entries.ts";
import { limitRows, linesOfRow, type Row, type RowLine } from "../diff/rows.ts";
import type { ReportType } from "../marks.ts";
import { wrapLines } from "../wrap.ts";
import { fence, WHERE_ALL_IS } from "./markdown.ts";

/** Longer lines are wrapped, because a comment is about this wide. Columns. */
const WIDTH = 100;
/** Values that are longer than this with their path stand below it. */
const MAX_SHORT = 100;

/** The lines of a diff for each value that a change sets. They are sanitized. */
export function diffOfFields(fields: readonly ShownField[], type: ReportType): readonly (readonly string[])[] {
  return fields.map((field) => linesOfField(field, type));
}

/** The only difference of a change, such as `level: 1 → 8`, if it fits on a line; else "". It is sanitized. */
export function onlyDifference([field, ...others]: readonly ShownField[]): string {
  const short = field?.short;
  if (short === undefined || short.type === "value" || others.length > 0) return "";
  const text =
    short.type === "pair"
      ? `${short.prior} → ${short.planned}`
      : [...short.removed.map((one) => `- ${one}`), ...short.added.map((one) => `+ ${one}`)].join("  ");
  return text.length > MAX_SHORT ? "" : `${field?.path ?? ""}: ${text}`;
}

/** The lines of values as a fenced block of at most `limit` characters; "" without values. It counts what is left out. */
export function diffBlock(values: readonly (readonly string[])[], limit: number): string {
  if (values.length === 0) return "";
  const lines = values.flatMap((own, value) => own.map((line) => ({ line, value })));
  let used = 0;
  const end = lines.findIndex(({ line }) => (used += line.length + 1) > limit);
  const omitted = end === -1 ? [] : lines.slice(end);
  const kept = lines.slice(0, lines.length - omitted.length).map(({ line }) => line);
  const cut = plural(new Set(omitted.map(({ value }) => value)).size, "value");
  const note = `\n\n**${plural(omitted.length, "more line")}** of ${cut} left out. ${WHERE_ALL_IS}.`;
  return `${fence("diff", kept)}${omitted.length === 0 ? "" : note}`;
}

function linesOfField(field: ShownField, type: ReportType): readonly string[] {
  const { side, short, isText, rows } = field;
  const path = pathOfField(field);
  const isShort = (...texts: readonly string[]): boolean => texts.every((text) => (path + text).length <= MAX_SHORT);
  if (short?.type === "value" && isShort(short.text)) return [`${side} ${path}: ${short.text}`];
  if (short?.type === "pair" && isShort(short.prior, short.planned))
    return [`- ${path}: ${short.prior}`, `+ ${path}: ${short.planned}`];
  return [
    ...wrapLines(`${path}:${isText ? " |" : ""}`, WIDTH, "    ").map((line) => `${side || " "} ${line}`),
    ...limitRows(rows(), type).flatMap((row) =>
      linesOfRow(row, WIDTH - indentOf(row).length, { color: false }).map((line) =>
        lineText(row.sign === "" ? { ...row, sign: side } : row, line),
      ),
    ),
  ];
}

/** Rows are indented below their path, so that no text looks like a path. */
function indentOf({ depth }: Row): string {
  return "  ".repeat(depth + 1);
}

/** A line of a diff. The rest of a row has a mark beside its sign, where no text can stand. */
function lineText(row: Row, { type, parts }: RowLine): string {
  if (row.sign === "@@") return `${row.sign} ${parts.map(({ text }) => text).join("")}`;
  return `${type === "marks" ? " " : row.sign}${type === "first" ? " " : "↳"}${indentOf(row)}${parts.map(({ text }) => text).join("")}`.trimEnd();
}
