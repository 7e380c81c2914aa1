import { createHash } from "node:crypto";

const given = process.env["DRIFTLINE_TESTS"];
if (given !== undefined && !["some", "ci", "all"].includes(given))
  throw new Error(`DRIFTLINE_TESTS is some, ci or all, and not ${given}`);

/** Whether tables run in part, as in `npm test`: see test/setup/sample.ts. */
export const isSampled = given === "some";

/** Whether this is `.ci/run`. */
export const isCi = given === "ci";

/** Whether the packed package is what runs, and a random test is repeated often enough to say what it has met: `all`, and `ci` of `.ci/run`. */
export const isFullBudget = given === "all" || isCi;

/** Whether nothing is left to another run: also the groups on Pulumi's engine run in both of their pairs. */
export const isEverything = given === "all";

/** The part of the repetitions that a run makes. */
const SHARE = isEverything ? 1 : isSampled ? 0.03 : 0.05;

/**
 * How often a test repeats something: `full` times if DRIFTLINE_TESTS is `all`, else a part of it, but at least once.
 * What random values have to cover is asserted only with {@link isFullBudget}: in `npm test` there are too few of them.
 */
export function budget(full: number): number {
  return Math.max(1, Math.round(full * SHARE));
}

/** A whole number below `count`, which follows from DRIFTLINE_SEED and from a name. */
export function seeded(count: number, name: string): number {
  const seed = process.env["DRIFTLINE_SEED"] ?? "";
  return createHash("sha256").update(`${seed}\n${name}`).digest().readUInt32BE() % count;
}

/** Of so many rows, combinations or cases one runs, where not all of them do. */
export const PART = 5;

/** A fifth of the cases of a long test in `.ci/run` and below, all of them if DRIFTLINE_TESTS is `all`. */
export function aFifth<T>(cases: readonly T[], start = 0): readonly T[] {
  return isEverything ? cases : cases.filter((_, index) => index % PART === start % PART);
}

/** Shares the cases of a long test among its columns, such as dialects: each case is in one of them, and in all of them if DRIFTLINE_TESTS is `all`. */
export function shared<T>(cases: readonly T[], column: number, columns: number): readonly T[] {
  return isEverything ? cases : cases.filter((_, index) => index % columns === column);
}
