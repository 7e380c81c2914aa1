/**
 * Which rows of tables run:
 * - `npm test` runs a fifth of the rows of each table, of each dimension, and other ones each time. It prints the seed that chose them,
 *   and DRIFTLINE_SEED repeats it;
 * - `.ci/run` runs all rows of a table. Of a table with two dimensions or more, such as faults x kinds, it runs a fifth of the
 *   combinations, or more of them if a dimension has fewer rows: each row of each dimension occurs, and they are the same each time;
 * - `npm run test:deep`, and a run of single files without DRIFTLINE_TESTS, which is the way to repeat what failed, run all.
 */
import { beforeEach, type RunnerTask, type RunnerTestSuite } from "vitest";
import { isCi, isSampled, PART, seeded } from "../support/budget.ts";

/** The place of a row in its table, and how many rows the table has; undefined if it is in none. */
function rowOf(task: RunnerTask | RunnerTestSuite): { readonly index: number; readonly rows: number } | undefined {
  if (task.each !== true) return undefined;
  const rows = (task.suite ?? task.file).tasks.filter(({ each }) => each);
  return { index: rows.indexOf(task), rows: rows.length };
}

/** A test and the groups around it, from the inside. */
function pathOf(task: RunnerTask | RunnerTestSuite): readonly (RunnerTask | RunnerTestSuite)[] {
  const suite = task.suite ?? task.file;
  return task === suite ? [] : [task, ...pathOf(suite)];
}

/** Where the rows of a suite begin. */
function startOf(task: RunnerTask | RunnerTestSuite, rows: number): number {
  const suites = pathOf(task).slice(1);
  return seeded(Math.min(PART, rows), [task.file.name, ...suites.map(({ name }) => name)].join("\n"));
}

function isSample(test: RunnerTask): boolean {
  return pathOf(test).every((task) => {
    const row = rowOf(task);
    return row === undefined || row.index % PART === startOf(task, row.rows);
  });
}

function isCombination(test: RunnerTask): boolean {
  const rows = pathOf(test).flatMap((task) => rowOf(task) ?? []);
  const others = rows.map((own) => rows.reduce((sum, row) => (row === own ? sum : sum + row.rows - 1), 0));
  // With a larger part, some rows would occur in no combination.
  const part = Math.min(PART, ...others.map((count) => count + 1));
  return rows.length < 2 || rows.reduce((sum, { index }) => sum + index, 0) % part === 0;
}

if (isSampled) beforeEach(({ task, skip }) => skip(!isSample(task)));
if (isCi) beforeEach(({ task, skip }) => skip(!isCombination(task)));
