import { stretches } from "../../effect/stretches.ts";

/** A point of a line in a chart. Null is a gap. */
export interface ChartPoint {
  readonly x: number;
  readonly y: number | null;
}

/**
 * At most about `limit` points of a line. Of each stretch the lowest and the highest stay, in their order, and a gap if there is one:
 * no peak is lost, and no gap is closed.
 */
export function thinned(line: readonly ChartPoint[], limit: number): readonly ChartPoint[] {
  if (line.length <= limit) return line;
  return stretches(line, Math.floor(limit / 2)).flatMap((part) => {
    const points = part.flatMap(({ y }) => (y === null ? [] : [y]));
    const kept = new Set([
      part.findIndex(({ y }) => y === Math.min(...points)),
      part.findIndex(({ y }) => y === Math.max(...points)),
      part.findIndex(({ y }) => y === null),
    ]);
    return part.filter((_point, at) => kept.has(at));
  });
}
