import type { EffectSeries } from "../../model/effect.ts";

const BLOCKS = "▁▂▃▄▅▆▇█";
/** Stands for a gap. A space at the end of a line would be lost. */
const GAP = "·";

/** Both sides of a series as rows of blocks of at most `width` characters, on the same scale from zero. Empty without points. */
export function sparklines({ before, after }: EffectSeries, width: number): readonly [string, string] {
  const sides = [before, after].map((side) => (side === null ? [] : stretchMeans(side.points, width)));
  const values = sides.flat().filter((value) => value !== null);
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const blockOf = (value: number | null): string => {
    if (value === null) return GAP;
    // The halves keep the difference of two large numbers finite.
    const share = high === low ? 0 : (value / 2 - low / 2) / (high / 2 - low / 2);
    return BLOCKS[Math.min(BLOCKS.length - 1, Math.floor(share * BLOCKS.length))] ?? "";
  };
  const [left = "", right = ""] = sides.map((side) => side.map(blockOf).join(""));
  return [left, right];
}

/** Neighbours become their mean, until there are at most `width` of them. */
function stretchMeans(points: readonly { readonly value: number | null }[], width: number): readonly (number | null)[] {
  return stretches(points, Math.min(points.length, width)).map((part) => {
    const values = part.map(({ value }) => value).filter((value) => value !== null);
    return values.length === 0 ? null : values.reduce((sum, value) => sum + value / values.length, 0);
  });
}

/** A list in `count` stretches, which are as equally long as they can be. */
function stretches<T>(items: readonly T[], count: number): readonly (readonly T[])[] {
  const start = (index: number): number => Math.floor((index * items.length) / count);
  return Array.from({ length: count }, (_, index) => items.slice(start(index), start(index + 1)));
}
