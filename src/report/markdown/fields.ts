import type { PlanDocument, ShownChange } from "../../model/plan.ts";
import { documentCommand, isUnseen } from "../change-phrases.ts";
import { plural } from "../../model/plural.ts";
import { type FieldRow, fieldRows } from "../diff/entries.ts";
import { startWork, type DiffWork } from "../diff/text-diff.ts";
import { wrapLines } from "../wrap.ts";
import { limitRows, linesOfRow, type DiffLine, type RowLine } from "../diff-lines.ts";
import { fence } from "./markdown.ts";

/** Longer lines are wrapped, because a comment is about this wide. Columns. */
const WIDTH = 100;
/** Values that are longer than this with their path stand below it. */
const MAX_SHORT = 100;

/** The lines of a diff with everything that a change does to fields. They are sanitized. */
export function diffOfFields(change: ShownChange, type: PlanDocument["type"], work: DiffWork): readonly string[] {
  // The fields of a missing object are in the configuration, so they are not repeated.
  if (type === "driftline.drift" && isUnseen(change)) return [];
  return fieldRows(change, type, work).flatMap((row) => linesOfField(row, type));
}

/** The only difference of a change, such as `level: 1 → 8`, if it fits on a line; else "". It is sanitized. */
export function onlyDifference(change: ShownChange, type: PlanDocument["type"]): string {
  if (isUnseen(change) || change.fields.length !== 1) return "";
  const [row, ...others] = fieldRows(change, type, startWork());
  const short = row?.short;
  if (short === undefined || short.type === "value" || others.length > 0) return "";
  const text =
    short.type === "pair"
      ? `${short.prior} → ${short.planned}`
      : [...short.removed.map((one) => `- ${one}`), ...short.added.map((one) => `+ ${one}`)].join("  ");
  return text.length > MAX_SHORT ? "" : `${row?.path ?? ""}: ${text}`;
}

/** The lines as a fenced block of at most `limit` characters. It counts the lines that are left out. */
export function diffBlock(lines: readonly string[], limit: number): string {
  let used = 0;
  const end = lines.findIndex((line) => (used += line.length + 1) > limit);
  const kept = end === -1 ? lines : lines.slice(0, end);
  const omitted = lines.length - kept.length;
  const note = `\n\n**${plural(omitted, "more line")}** of this change left out. The text, json and html formats show all of it.`;
  return `${fence("diff", kept)}${omitted === 0 ? "" : note}`;
}

function linesOfField({ path, side, short, isText, rows }: FieldRow, type: PlanDocument["type"]): readonly string[] {
  const isShort = (...texts: readonly string[]): boolean => texts.every((text) => (path + text).length <= MAX_SHORT);
  if (short?.type === "value" && isShort(short.text)) return [`${side} ${path}: ${short.text}`];
  if (short?.type === "pair" && isShort(short.prior, short.planned))
    return [`- ${path}: ${short.prior}`, `+ ${path}: ${short.planned}`];
  const { rows: shown, omitted } = limitRows(rows());
  return [
    ...wrapLines(`${path}:${isText ? " |" : ""}`, WIDTH, "    ").map((line) => `${side || " "} ${line}`),
    ...shown.flatMap((row) =>
      linesOfRow(row, WIDTH - indentOf(row).length, { color: false }).map((line) =>
        lineText({ ...row, sign: side || row.sign }, line),
      ),
    ),
    ...(omitted === 0 ? [] : [`@@ ${plural(omitted, "more character")} left out: ${documentCommand(type)} shows them`]),
  ];
}

/** Rows are indented below their path, so that no text looks like a path. */
function indentOf({ depth }: DiffLine): string {
  return "  ".repeat(depth + 1);
}

/** A line of a diff. The rest of a row has a mark beside its sign, where no text can stand. */
function lineText(row: DiffLine, { type, parts }: RowLine): string {
  if (row.sign === "@@") return `${row.sign} ${parts.map(({ text }) => text).join("")}`;
  return `${type === "marks" ? " " : row.sign}${type === "first" ? " " : "↳"}${indentOf(row)}${parts.map(({ text }) => text).join("")}`.trimEnd();
}
