import { type ShownField, pathOfField, type ShortField } from "../diff/entries.ts";
import type { Paint } from "../color.ts";
import type { ReportType } from "../marks.ts";
import { INDENT, columnWidth, padText, textWidth } from "../width.ts";
import { wrapLines } from "../wrap.ts";
import { type Row, limitRows, linesOfRow, type RowLine } from "../diff/rows.ts";

/** Values share one column, unless a path is longer than this. */
const MAX_PATH_COLUMN = 32;

export interface FieldLayout {
  readonly type: ReportType;
  readonly width: number;
  readonly paint: Paint;
  readonly color: boolean;
  /** What the two sides are called, if that is said beside each pair. */
  readonly sides: readonly [string, string] | undefined;
}

interface Painted {
  readonly text: string;
  readonly style?: "red" | "green";
}

/** The path and the value on one line, or rows below the path if they do not fit. */
export function fieldLines(fields: readonly ShownField[], layout: FieldLayout): readonly string[] {
  const column = columnWidth(fields.filter(({ short }) => short !== undefined).map(pathOfField), MAX_PATH_COLUMN);
  return fields.flatMap((field) => linesOfField(field, column, layout));
}

function linesOfField(field: ShownField, column: number, layout: FieldLayout): readonly string[] {
  const { side, short, isText, rows } = field;
  const { paint, type, sides } = layout;
  const path = pathOfField(field);
  const width = layout.width - INDENT.length;
  if (short !== undefined) {
    const pieces = piecesOf(short, sides);
    const label = padText(`${path}: `, column + 2);
    const used = pieces.reduce((sum, { text }) => sum + textWidth(text), textWidth(label));
    if (used <= width)
      return [label + pieces.map(({ text, style }) => (style === undefined ? text : paint(style, text))).join("")];
  }
  return [
    ...wrapLines(`${path}:${isText ? " |" : ""}`, width, "    "),
    // What is live is not trusted: with a sign, no line of it looks like one of the report.
    ...limitRows(rows(), type).flatMap((row) =>
      linesOfRowText(side === "-" && row.sign === "" ? { ...row, sign: side } : row, width, layout),
    ),
  ];
}

function piecesOf(short: ShortField, sides: FieldLayout["sides"]): readonly Painted[] {
  switch (short.type) {
    case "value":
      return [{ text: short.text }];
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
  }
}

const STYLES: Readonly<Partial<Record<Row["sign"], "red" | "green" | "cyan">>> = {
  "-": "red",
  "+": "green",
  "@@": "cyan",
};

function linesOfRowText(row: Row, width: number, { paint, color }: FieldLayout): readonly string[] {
  const style = STYLES[row.sign];
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
function leadOf({ sign, depth, type: rowType }: Row, type: RowLine["type"]): string {
  const indent = "  ".repeat(depth);
  const isLine = rowType === "line";
  const rest = isLine || (type === "rest" && sign !== " ") ? "↳" : " ";
  if (sign === "@@") return "  @@ ";
  if (sign === "" && !isLine) return `  ${indent}`;
  if (sign === "") return `  ${indent}${type === "first" ? " " : rest} `;
  return `  ${type === "first" ? sign : rest} ${indent}`;
}
