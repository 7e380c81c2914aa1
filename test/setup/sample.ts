/**
 * Which rows of tables run:
 * - `npm test` runs a fifth of the rows of each table, of each dimension, and other ones each time. It prints the seed that chose them,
 *   and DRIFTLINE_SEED repeats it;
 * - `.ci/run` runs all rows of a table, but a fifth of them in the deep tests, and on Pulumi's engine, where a test takes seconds, a fifth
 *   of the tests of a group. Of a table with two dimensions or more, such as faults x kinds, it runs a fifth of the combinations, or
 *   more of them if a dimension has fewer rows: each row of each dimension occurs. They are the same each time;
 * - `npm run test:deep`, and a run of single files without DRIFTLINE_TESTS, which is the way to repeat what failed, run all.
 */
import { beforeEach, type RunnerTask, type RunnerTestSuite } from "vitest";
import { isCi, isSampled, PART, seeded } from "../support/budget.ts";

type Task = RunnerTask | RunnerTestSuite;

/** Where a task stands among others. */
interface Place {
  readonly index: number;
  readonly count: number;
}

function placeAmong(task: Task, others: readonly Task[]): Place {
  return { index: others.indexOf(task), count: others.length };
}

/** The place of a row in its table; none if it is in none. */
function rowOf(task: Task): readonly Place[] {
  return task.each === true
    ? [
        placeAmong(
          task,
          siblingsOf(task).filter(({ each }) => each),
        ),
      ]
    : [];
}

function siblingsOf(task: Task): readonly Task[] {
  return (task.suite ?? task.file).tasks;
}

/** A test and the groups around it, from the inside. */
function pathOf(task: Task): readonly Task[] {
  const suite = task.suite ?? task.file;
  return task === suite ? [] : [task, ...pathOf(suite)];
}

/** Whether a place is in the part of its table that runs. Where the part begins follows from the seed and from the names around it. */
function isInPart(task: Task, { index, count }: Place): boolean {
  const names = [
    task.file.name,
    ...pathOf(task)
      .slice(1)
      .map(({ name }) => name),
  ].join("\n");
  return index % PART === seeded(Math.min(PART, count), names);
}

function isInSample(test: RunnerTask): boolean {
  return pathOf(test).every((task) => rowOf(task).every((row) => isInPart(task, row)));
}

function isInCi(test: RunnerTask): boolean {
  const { projectName = "" } = test.file;
  const rows = pathOf(test).flatMap(rowOf);
  if (rows.length > 1) return isCombination(rows);
  if (projectName === "deep-pulumi") return isInPart(test, placeAmong(test, siblingsOf(test)));
  return !projectName.startsWith("deep") || isInSample(test);
}

function isCombination(rows: readonly Place[]): boolean {
  const others = rows.map((own) => rows.reduce((sum, row) => (row === own ? sum : sum + row.count - 1), 0));
  // With a larger part, some rows would occur in no combination.
  const part = Math.min(PART, ...others.map((count) => count + 1));
  return rows.reduce((sum, { index }) => sum + index, 0) % part === 0;
}

if (isSampled) beforeEach(({ task, skip }) => skip(!isInSample(task)));
if (isCi) beforeEach(({ task, skip }) => skip(!isInCi(task)));
