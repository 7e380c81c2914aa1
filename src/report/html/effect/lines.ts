/**
 * A chart of lines: before dashed, after solid, in the colour of their series. Only the lines are stretched to the width of the page.
 * Texts keep their size, so that they can be read on a telephone.
 */
import type { Aligned } from "../../effect/align.ts";
import { markup, type Markup } from "../markup.ts";
import { positionAxis, valueAxis } from "./axes.ts";

/** The height of the area that the lines are in, and the number of units that its width is divided into. */
const [HEIGHT, WIDTH] = [160, 1000];
/** The least distance of two numbers at the ends of lines. */
const TEXT_HEIGHT = 12;

/** A point of a line in a chart. Null is a gap. */
interface ChartPoint {
  readonly x: number;
  readonly y: number | null;
}

export interface Drawn {
  readonly body: Markup;
  readonly height: number;
  /** What the chart leaves out, as a sentence. */
  readonly omitted?: string;
}

/** The lines are both sides of each series, one after the other. */
export function lineChart(aligned: Aligned): Drawn {
  const [x, y] = [positionAxis(aligned), valueAxis(aligned.rows.flatMap(({ values }) => values))];
  const heightOf = (share: number): number => round((1 - share) * HEIGHT);
  const count = aligned.rows[0]?.values.length ?? 0;
  const lines = Array.from({ length: count }, (_, line) =>
    aligned.rows.flatMap(({ position, values }): readonly ChartPoint[] => {
      const value = values[line];
      if (value === undefined) return [];
      return [{ x: round(x.placeOf(position) * WIDTH), y: value === null ? null : heightOf(y.placeOf(value)) }];
    }),
  );
  const grid = y.ticks.map(({ place, label }) => {
    const at = heightOf(place);
    return markup`<line class="${label === "0" ? "zero" : "grid"}" x2="100%" y1="${at}" y2="${at}"/><text class="tick" dx="-8" y="${at}" dy="0.32em">${label}</text>`;
  });
  const times = x.ticks.map(
    ({ place, label }) => markup`<text class="date" x="${round(place * 100)}%" y="${HEIGHT + 22}">${label}</text>`,
  );
  const strokes = [0, 1].flatMap((side) =>
    lines.flatMap((line, index) => (index % 2 === side && line.length > 0 ? [stroke(line, index)] : [])),
  );
  return {
    height: HEIGHT + 36,
    body: markup`${grid}${times}<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" width="100%" height="${HEIGHT}">${strokes}</svg>${numbers(lines)}`,
  };
}

/** A line breaks at gaps. A point between two gaps is a dot. */
function stroke(line: readonly ChartPoint[], index: number): Markup {
  const isThere = (at: number): boolean => typeof line[at]?.y === "number";
  const path = line.flatMap(({ x, y }, at) => (y === null ? [] : [`${isThere(at - 1) ? "L" : "M"}${x},${y}`])).join("");
  const dots = line
    .flatMap(({ x, y }, at) => (y === null || isThere(at - 1) || isThere(at + 1) ? [] : [`M${x},${y}h0`]))
    .join("");
  const classes = `${seriesClass(Math.floor(index / 2))} ${index % 2 === 0 ? "before" : "after"}`;
  const hole = index % 2 === 0 ? markup`<path class="hole" d="${dots}"/>` : "";
  return markup`<path class="${classes}" d="${path}"/>${dots === "" ? "" : markup`<path class="${classes} dot" d="${dots}"/>${hole}`}`;
}

/** The class that has the colour of a series. */
export function seriesClass(series: number): string {
  return `s${String((series % 10) + 1)}`;
}

/** The number of each series at the end of its line, so that colours are not needed to tell them apart. None for a single one. */
function numbers(lines: readonly (readonly ChartPoint[])[]): readonly Markup[] {
  const ends = Array.from({ length: lines.length / 2 }, (_, series) => {
    const both = [lines[series * 2 + 1] ?? [], lines[series * 2] ?? []];
    const end = both.flatMap((line) => line.findLast(({ y }) => y !== null)?.y ?? [])[0];
    return { series, y: end };
  }).flatMap(({ series, y }) => (typeof y === "number" ? [{ series, y }] : []));
  if (ends.length < 2) return [];
  let free = -Infinity;
  const sorted = ends.toSorted((a, b) => a.y - b.y);
  return sorted.map(({ series, y }, index) => {
    // Those that follow need room down to the axis.
    const latest = HEIGHT - (sorted.length - 1 - index) * TEXT_HEIGHT;
    const at = Math.max(free, Math.min(y, latest));
    free = at + TEXT_HEIGHT;
    return markup`<text class="${seriesClass(series)} number" x="100%" dx="6" y="${round(at)}" dy="0.32em">${series + 1}</text>`;
  });
}

export function round(value: number): number {
  return Number(value.toFixed(1));
}
