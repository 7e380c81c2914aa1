/** How much of the tests runs. The table of test/setup/sample.ts says which command has which size. */
export const size = process.env["DRIFTLINE_TESTS"] ?? "ci";
if (!["some", "ci", "all"].includes(size)) throw new Error(`DRIFTLINE_TESTS is some, ci or all, and not ${size}`);

/** Whether all runs: each row, each combination, each repetition, in each dialect. */
export const isWhole = size === "all";

/** One of so many runs, where not all do. */
export const PART = 5;

/** The cases of one test that run: all, or every fifth from a place on. `of` is another part, such as the number of dialects that share the cases. */
export function part<T>(cases: readonly T[], start = 0, of = PART): readonly T[] {
  return isWhole ? cases : cases.filter((_, index) => index % of === start % of);
}

/**
 * How often a test repeats something: `full` times, or a fifth of a fifth of it, but at least once. What random values have to cover is
 * asserted only if {@link isWhole}: else there are too few of them.
 */
export function budget(full: number): number {
  return isWhole ? full : Math.max(1, Math.round(full / PART ** 2));
}
