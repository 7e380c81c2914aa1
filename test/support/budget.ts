const given = process.env["DRIFTLINE_TESTS"];

/** Whether large tables are whole, and what is published is what runs: with all repetitions (`all`), and in `.ci/run` (`ci`). */
export const isFullBudget = given === "all" || given === "ci";

/** Whether nothing is left to another run: also the groups on Pulumi's engine run in both of their pairs. */
export const isEverything = given === "all";

/** The part of the repetitions that a run makes. */
const SHARE = isEverything ? 1 : given === "ci" ? 0.3 : 0.1;

/**
 * How often a test repeats something: `full` times if DRIFTLINE_TESTS is `all`, else a part of it, but at least once.
 * What random values have to cover is asserted only with {@link isFullBudget}, since a tenth of them varies too much.
 */
export function budget(full: number): number {
  return Math.max(1, Math.round(full * SHARE));
}

/**
 * The rows of a large table: all of them with {@link isFullBudget}, else every third one. The columns of a table pass
 * different starts, so that each column has rows.
 */
export function sampled<T>(rows: readonly T[], start = 0): readonly T[] {
  return isFullBudget ? rows : rows.filter((_, index) => index % 3 === start % 3);
}

/** Shares the cases of a long test among its columns, such as dialects: each case is in one of them, and in all of them if DRIFTLINE_TESTS is `all`. */
export function shared<T>(cases: readonly T[], column: number, columns: number): readonly T[] {
  return isEverything ? cases : cases.filter((_, index) => index % columns === column);
}
