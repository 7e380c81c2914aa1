/** A chart of bars: for each step, row or number one bar before, outlined, and one after, filled, in the colour of their series. */
import type { Aligned } from "../../effect/align.ts";
import { compactNumber, exactNumber, readableNumber, shareText } from "../../effect/numbers.ts";
import { NO_NUMBER } from "../../effect/words.ts";
import { flow } from "../../escape.ts";
import { wrapLines } from "../../wrap.ts";
import { markup, type Markup } from "../markup.ts";
import { type Axis, barAxis } from "./axes.ts";
import { type Drawn, round, seriesClass } from "./lines.ts";

/** The heights of a label, of a bar with the space below it, and of the space below a group. */
const [LABEL, BAR, SPACE] = [18, 15, 8];
/** Columns of a label. A telephone has room for as many. */
const MAX_LABEL = 40;
/** The most bars of a chart, and the most rows of a query. */
const [MAX_BARS, MAX_ROWS] = [120, 20];

/** @param shape what the groups of bars are: those of steps have their part of the first step */
export function barChart({ rows }: Pick<Aligned, "rows">, shape: "steps" | "rows"): Drawn {
  const count = rows[0]?.values.length ?? 0;
  const lines = Array.from({ length: count }, (_, line) => line).filter((line) => wholeOf(rows, line) !== undefined);
  const most = Math.max(1, Math.floor(MAX_BARS / Math.max(1, lines.length)));
  const shown = rows.slice(0, shape === "steps" ? most : Math.min(most, MAX_ROWS));
  const placeOf = barAxis(shown.flatMap(({ values }) => values));
  let height = 0;
  const groups = shown.map(({ at, values }) => {
    const [first = "", ...rest] = wrapLines(flow(at), MAX_LABEL);
    const label = markup`<text y="${height + LABEL - 6}">${first}${rest.length > 0 ? "…" : ""}</text>`;
    height += LABEL;
    // A series that is on neither side of this group needs no room.
    const own = lines.filter((line) =>
      [line, line % 2 === 0 ? line + 1 : line - 1].some((one) => values[one] !== undefined),
    );
    const bars = own.map((line) => {
      const [value, y] = [values[line], height];
      const number = count > 2 ? `${String(Math.floor(line / 2) + 1)}: ` : "";
      const text = number + shortText(value, shape === "steps" ? wholeOf(rows, line) : undefined);
      height += BAR;
      return bar(value, { placeOf, line, text, y });
    });
    height += SPACE;
    return markup`${label}${bars}`;
  });
  const zero = round(placeOf(0) * 100);
  return {
    height,
    ...(shown.length < rows.length && {
      omitted: `The chart shows the first ${shown.length} of ${exactNumber(rows.length)} rows.`,
    }),
    body: markup`<line class="zero" x1="${zero}%" x2="${zero}%" y2="${height - SPACE}"/>${groups}`,
  };
}

interface Bar {
  readonly placeOf: Axis["placeOf"];
  readonly line: number;
  readonly text: string;
  readonly y: number;
}

/** The text stands behind the place where the longest bar ends. */
function bar(value: number | null | undefined, { placeOf, line, text, y }: Bar): Markup {
  const [zero, end] = [placeOf(0) * 100, placeOf(value ?? 0) * 100];
  const classes = `${seriesClass(Math.floor(line / 2))} ${line % 2 === 0 ? "before" : "after"}`;
  const [x, width] = [round(Math.min(zero, end)), round(Math.abs(end - zero))];
  const rect =
    typeof value === "number"
      ? markup`<rect class="${classes}" x="${x}%" y="${y}" width="${width}%" height="${BAR - 4}"/>`
      : "";
  return markup`${rect}<text x="100%" dx="8" y="${y + BAR - 6}">${text}</text>`;
}

/** Longer numbers are shortened. Characters. */
const MAX_NUMBER = 9;

function shortText(value: number | null | undefined, whole: number | undefined): string {
  if (typeof value !== "number") return NO_NUMBER;
  const text = readableNumber(value);
  const share = whole === undefined || whole <= 0 ? "" : ` (${shareText(value, whole)})`;
  return `${text.length <= MAX_NUMBER ? text : compactNumber(value)}${share}`;
}

/** The people of the first step. */
export function wholeOf(rows: Aligned["rows"], line: number): number | undefined {
  return rows.map(({ values }) => values[line]).find((value) => typeof value === "number");
}
