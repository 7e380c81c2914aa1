import type { FieldValue } from "../../model/change.ts";
import type { PlanDocument, ShownChange } from "../../model/plan.ts";
import { documentCommand, isUnseen } from "../change-phrases.ts";
import { plural } from "../../model/plural.ts";
import { entriesOfChange, oneSided, shortEntry, type ShortEntry, shortValue } from "../diff/entries.ts";
import type { Entry } from "../diff/value-diff.ts";
import type { DiffWork } from "../diff/text-diff.ts";
import type { Paint } from "../color.ts";
import { INDENT, columnWidth, padText, textWidth } from "../width.ts";
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

/** Values share one column, unless a path is longer than this. */
const MAX_PATH_COLUMN = 32;

export interface FieldLayout {
  readonly type: PlanDocument["type"];
  readonly width: number;
  readonly paint: Paint;
  readonly color: boolean;
  readonly work: DiffWork;
  /** What the two sides are called, if that is said beside each pair. */
  readonly sides: readonly [string, string] | undefined;
}

/** One field as printed: its value on the same line, or rows below. Plain text; parts of it are painted. */
interface Item {
  readonly path: string;
  /** The text behind the path, in pieces; absent if there are only rows. */
  readonly short: readonly Painted[] | undefined;
  readonly rows: readonly DiffLine[];
  /** Stands behind the colon if rows follow. */
  readonly mark: "" | " |";
}

interface Painted {
  readonly text: string;
  readonly style?: "red" | "green";
}

/** The fields of a change: the path and the value on one line, or rows below the path if they do not fit. */
export function fieldLines(change: ShownChange, layout: FieldLayout): readonly string[] {
  // The fields of a missing object are in the configuration, so they are not repeated.
  if (layout.type === "driftline.drift" && isUnseen(change)) return [];
  const items =
    oneSided(change)?.map((field) => plainItem(change, field)) ??
    entriesOfChange(change).map((entry) => changedItem(change, entry, layout));
  const column = columnWidth(
    items.filter(({ short }) => short !== undefined).map(({ path }) => path),
    MAX_PATH_COLUMN,
  );
  return items.flatMap((item) => linesOfItem(item, column, layout)).map((line) => `${INDENT}${line}`);
}

function plainItem({ kind, action }: ShownChange, { path, value }: FieldValue): Item {
  const label = pathText(path);
  // What is live is not trusted: with a sign, no line of it looks like one of the report.
  const sign = action === "delete" ? "-" : "";
  if (isMultiline(value)) return { path: label, short: undefined, rows: linesOfText(value, sign, 0), mark: " |" };
  const text = shortValue(value, namesOfField(kind, path));
  return { path: label, short: text === undefined ? undefined : [{ text }], rows: rowsOfValue(value, sign), mark: "" };
}

function changedItem({ kind }: ShownChange, entry: Entry, { sides, work }: FieldLayout): Item {
  const short = shortEntry(kind, entry);
  return {
    path: entry.label,
    short: short === undefined ? undefined : piecesOf(short, sides),
    rows: rowsOfEntry(entry, work),
    mark: "",
  };
}

function piecesOf(short: ShortEntry, sides: FieldLayout["sides"]): readonly Painted[] {
  switch (short.type) {
    case "pair": {
      const [before, between] = sides === undefined ? ["", " -> "] : [`${sides[0]} `, `, ${sides[1]} `];
      return [
        { text: before },
        { text: short.prior, style: "red" },
        { text: between },
        { text: short.planned, style: "green" },
      ];
    }
    case "set": {
      const items = [
        ...short.removed.map((text): Painted => ({ text: `- ${text}`, style: "red" })),
        ...short.added.map((text): Painted => ({ text: `+ ${text}`, style: "green" })),
      ];
      return items.flatMap((item, index) => (index === 0 ? [item] : [{ text: "  " }, item]));
    }
    case "secret":
      return sides === undefined
        ? [{ text: `-/+ ${HIDDEN}, will be sent` }]
        : piecesOf({ type: "pair", prior: HIDDEN, planned: HIDDEN }, sides);
  }
}

function linesOfItem({ path, short, rows, mark }: Item, column: number, layout: FieldLayout): readonly string[] {
  const { paint } = layout;
  const width = layout.width - INDENT.length;
  if (short !== undefined) {
    const label = padText(`${path}: `, column + 2);
    const used = short.reduce((sum, { text }) => sum + textWidth(text), textWidth(label));
    if (used <= width)
      return [label + short.map(({ text, style }) => (style === undefined ? text : paint(style, text))).join("")];
  }
  const { rows: shown, omitted } = limitRows(rows);
  const note = `… ${plural(omitted, "more character")} left out: \`${documentCommand(layout.type)}\` shows them`;
  return [
    ...wrapLines(`${path}:${mark}`, width, "    "),
    ...shown.flatMap((row) => linesOfRowText(row, width, layout)),
    ...(omitted === 0 ? [] : wrapLines(note, width - 2).map((line) => `  ${line}`)),
  ];
}

function linesOfRowText(row: DiffLine, width: number, { paint, color }: FieldLayout): readonly string[] {
  const style = row.sign === "-" ? "red" : row.sign === "+" ? "green" : row.sign === "@@" ? "cyan" : undefined;
  const text = (line: RowLine): string =>
    style === undefined || line.type === "marks"
      ? line.parts.map((part) => part.text).join("")
      : line.parts.map((part) => paint(style, part.differs ? paint("inverse", part.text) : part.text)).join("");
  const room = width - textWidth(leadOf(row, "first"));
  return linesOfRow(row, room, { color }).map((line) => {
    const lead = leadOf(row, line.type);
    return `${style === undefined ? lead : paint(style, lead)}${text(line)}`.trimEnd();
  });
}

/**
 * The indent and the sign of a line. The rest of a line of text, or of what is added or removed, begins with a sign that no text can
 * imitate.
 */
function leadOf({ sign, depth, type: rowType }: DiffLine, type: RowLine["type"]): string {
  const indent = "  ".repeat(depth);
  const isLine = rowType === "line";
  const rest = isLine || (type === "rest" && sign !== " ") ? "↳" : " ";
  if (sign === "@@") return "  @@";
  if (sign === "") return `  ${indent}${isLine && type !== "first" ? `${rest} ` : isLine ? "  " : ""}`;
  return `  ${type === "first" ? sign : rest} ${indent}`;
}
