/** Whether everything random or exhaustive is repeated as often as it ever is: in `npm run test:deep` and in `.ci/run`. */
export const isFullBudget = process.env["DRIFTLINE_TESTS"] === "all";

/**
 * How often a test repeats something: `full` times if DRIFTLINE_TESTS is `all`, else a tenth of it, but at least once.
 * What random values have to cover is asserted only with {@link isFullBudget}, since a tenth of them varies too much.
 */
export function budget(full: number): number {
  return isFullBudget ? full : Math.max(1, Math.round(full / 10));
}

/**
 * The rows of a large table: all of them with {@link isFullBudget}, else every third one. The columns of a table pass
 * different starts, so that each column has rows.
 */
export function sampled<T>(rows: readonly T[], start = 0): readonly T[] {
  return isFullBudget ? rows : rows.filter((_, index) => index % 3 === start % 3);
}
