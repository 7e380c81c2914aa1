/**
 * What runs:
 *
 * | command             | size   | tests          | rows of a table  | repetitions  | scenarios run | seed       |
 * | ------------------- | ------ | -------------- | ---------------- | ------------ | ------------- | ---------- |
 * | `npm test`          | `some` | unit, scenario | a fifth          | a 25th       | `dist`        | a new one  |
 * | `.ci/run`           | `ci`   | all            | all, deep: 1 / 5 | a 25th       | the package   | always one |
 * | `npm run test:deep` | `all`  | all            | all              | all          | the package   | none       |
 *
 * - The workflow of the repository runs `.ci/run` and `npm run test:deep`. DRIFTLINE_TESTS is the size; a run of single files has `ci`.
 * - Unless all runs, each test runs in one dialect of the service, and long tests try each fifth of their cases (test/support/budget.ts).
 * - A table in a table, such as faults x kinds, has its combinations as rows. `some` takes a fifth of both. `ci` takes a fifth of the
 *   combinations, or more if a table has fewer rows: each row of each table occurs.
 * - The tables of one group count as one. On Pulumi's engine, where a test takes seconds, each test of a group counts as a row, and so does
 *   each scenario for `npm test`.
 * - A test that does not run is skipped, because then it keeps its snapshots.
 */
import { createHash } from "node:crypto";
import { beforeEach, type RunnerTask, type RunnerTestSuite } from "vitest";
import { isWhole, PART, size } from "../support/budget.ts";

type Task = RunnerTask | RunnerTestSuite;

/** Where a task stands among others. */
interface Place {
  readonly index: number;
  readonly count: number;
  /** What is around the table. */
  readonly names: string;
}

/** A test and the groups around it, from the inside. */
function pathOf(task: Task): readonly Task[] {
  const suite = task.suite ?? task.file;
  return task === suite ? [] : [task, ...pathOf(suite)];
}

function placeAmong(task: Task, isRow: (other: Task) => boolean): Place {
  const rows = (task.suite ?? task.file).tasks.filter(isRow);
  const [, ...groups] = pathOf(task);
  return {
    index: rows.indexOf(task),
    count: rows.length,
    names: [task.file.name, ...groups.map(({ name }) => name)].join("\n"),
  };
}

/** The places of a test and of the groups around it in their tables. */
function placesOf(test: RunnerTask): readonly Place[] {
  const places = pathOf(test)
    .filter(({ each }) => each)
    .map((task) => placeAmong(task, ({ each }) => each === true));
  const isSlow = test.file.projectName === (size === "some" ? "scenario" : "deep-pulumi");
  return isSlow && places.length < 2 ? [placeAmong(test, () => true)] : places;
}

/** Whether a place is in the fifth that runs. Where it begins follows from the seed and from the names around the table. */
function isInFifth({ index, count, names }: Place): boolean {
  const seed = process.env["DRIFTLINE_SEED"] ?? "";
  const number = createHash("sha256").update(`${seed}\n${names}`).digest().readUInt32BE();
  return index % PART === number % Math.min(PART, count);
}

/** Whether a combination of rows runs; all do of a single table. With a larger part, some rows would occur in none. */
function isCombined(places: readonly Place[]): boolean {
  const sum = (of: (place: Place) => number): number => places.reduce((total, place) => total + of(place), 0);
  const others = places.map((own) => 1 + sum((other) => (other === own ? 0 : other.count - 1)));
  return sum(({ index }) => index) % Math.min(PART, ...others) === 0;
}

function isRun(test: RunnerTask): boolean {
  const places = placesOf(test);
  const isDeep = test.file.projectName?.startsWith("deep") === true;
  return size === "some" || (isDeep && places.length === 1) ? places.every(isInFifth) : isCombined(places);
}

if (!isWhole) beforeEach(({ task, skip }) => skip(!isRun(task)));
