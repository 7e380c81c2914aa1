import type { FieldValue } from "../../model/change.ts";
import type { PlanDocument, ShownChange } from "../../model/plan.ts";
import { documentCommand, isUnseen } from "../change-phrases.ts";
import { plural } from "../../model/plural.ts";
import { entriesOfChange, oneSided, shortEntry, shortValue } from "../diff/entries.ts";
import type { Entry } from "../diff/value-diff.ts";
import type { DiffWork } from "../diff/text-diff.ts";
import { wrapLines } from "../wrap.ts";
import {
  isMultiline,
  limitRows,
  linesOfRow,
  linesOfText,
  type DiffLine,
  type RowLine,
  rowsOfEntry,
  rowsOfValue,
} from "../diff-lines.ts";
import { HIDDEN, namesOfField, pathText } from "../escape.ts";
import { fence } from "./markdown.ts";

/** Longer lines are wrapped, because a comment is about this wide. Columns. */
const WIDTH = 100;
/** Values that are longer than this with their path stand below it. */
const MAX_SHORT = 100;

/** The lines of a diff with everything that a change does to fields. They are sanitized. */
export function diffOfFields(change: ShownChange, type: PlanDocument["type"], work: DiffWork): readonly string[] {
  // The fields of a missing object are in the configuration, so they are not repeated.
  if (type === "driftline.drift" && isUnseen(change)) return [];
  return (
    oneSided(change)?.flatMap((field) => plainLines(change, field, type)) ??
    entriesOfChange(change).flatMap((entry) => changedLines(change, entry, { type, work }))
  );
}

/** The only difference of a change, such as `level: 1 → 8`, if it fits on a line; else "". It is sanitized. */
export function onlyDifference(change: ShownChange): string {
  if (isUnseen(change) || change.fields.length !== 1) return "";
  const [entry, ...others] = entriesOfChange(change);
  if (entry === undefined || others.length > 0) return "";
  const short = shortEntry(change.kind, entry);
  if (short === undefined || short.type === "secret") return "";
  const text =
    short.type === "pair"
      ? `${short.prior} → ${short.planned}`
      : [...short.removed.map((one) => `- ${one}`), ...short.added.map((one) => `+ ${one}`)].join("  ");
  return text.length > MAX_SHORT ? "" : `${entry.label}: ${text}`;
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

function plainLines(
  { kind, action }: ShownChange,
  { path, value }: FieldValue,
  type: PlanDocument["type"],
): readonly string[] {
  const sign = action === "delete" ? "-" : "+";
  const label = `${sign} ${pathText(path)}:`;
  if (isMultiline(value)) return below(`${label} |`, linesOfText(value, sign, 1), type);
  const text = shortValue(value, namesOfField(kind, path));
  return text !== undefined && label.length - 3 + text.length <= MAX_SHORT
    ? [`${label} ${text}`]
    : below(label, rowsOfValue(value, sign), type);
}

function changedLines(
  { kind }: ShownChange,
  entry: Entry,
  { type, work }: { readonly type: PlanDocument["type"]; readonly work: DiffWork },
): readonly string[] {
  const { label } = entry;
  const short = shortEntry(kind, entry);
  const sent = type === "driftline.drift" ? "" : ", will be sent";
  if (short?.type === "secret") return [`- ${label}: ${HIDDEN}`, `+ ${label}: ${HIDDEN}${sent}`];
  if (short?.type === "pair" && label.length + Math.max(short.prior.length, short.planned.length) <= MAX_SHORT)
    return [`- ${label}: ${short.prior}`, `+ ${label}: ${short.planned}`];
  return below(`  ${label}:`, rowsOfEntry(entry, work), type);
}

/** A path with rows below it. */
function below(label: string, rows: readonly DiffLine[], type: PlanDocument["type"]): readonly string[] {
  const { rows: shown, omitted } = limitRows(rows);
  const sign = label.slice(0, 2);
  return [
    ...wrapLines(label.slice(2), WIDTH, "    ").map((line) => `${sign}${line}`),
    ...shown.flatMap((row) =>
      linesOfRow(row, WIDTH - indentOf(row).length, { color: false }).map((line) => lineText(row, line)),
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
  if (row.sign === "@@") return row.sign;
  return `${type === "marks" ? " " : row.sign}${type === "first" ? " " : "↳"}${indentOf(row)}${parts.map(({ text }) => text).join("")}`.trimEnd();
}
