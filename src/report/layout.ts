import type { TextPart } from "./diff/text-diff.ts";
import { type Row, rowText } from "./rows.ts";
import { breakText, textWidth } from "./width.ts";

/** A line of a row. A row that is too long has several; `marks` stand below the words that differ. */
export interface RowLine {
  readonly type: "first" | "rest" | "marks";
  readonly parts: readonly TextPart[];
}

/** The indent of the rest of a row that is a value. */
const HANGING = "  ";
/** The least columns for the text of a row. */
const MIN_ROOM = 24;

/** Breaks a row into lines of at most `room` columns. `hasMarks` adds marks, for output without colours. */
export function linesOfRow(row: Row, room: number, hasMarks: boolean): readonly RowLine[] {
  const text = rowText(row);
  const width = Math.max(MIN_ROOM, room);
  const spans = breakText(text, row.type === "value" ? width - HANGING.length : width);
  const isMarked = hasMarks && spans.length > (row.type === "line" ? 1 : 0);
  return spans.flatMap(({ start, end }, index): readonly RowLine[] => {
    const type = index === 0 ? "first" : "rest";
    const own = slice(row.parts, start, end);
    const parts = row.type !== "value" || index === 0 ? own : [{ text: HANGING, differs: false }, ...own];
    const marks = isMarked ? marksBelow(own) : "";
    return marks === ""
      ? [{ type, parts }]
      : [
          { type, parts },
          { type: "marks", parts: [{ text: marks, differs: false }] },
        ];
  });
}

function marksBelow(parts: readonly TextPart[]): string {
  return parts
    .map(({ text, differs }) => (differs ? "^" : " ").repeat(textWidth(text)))
    .join("")
    .trimEnd();
}

/** The parts of a stretch of a text. */
function slice(parts: readonly TextPart[], start: number, end: number): readonly TextPart[] {
  let offset = 0;
  return parts.flatMap(({ text, differs }) => {
    const piece = text.slice(Math.max(0, start - offset), Math.max(0, end - offset));
    offset += text.length;
    return piece === "" ? [] : [{ text: piece, differs }];
  });
}
