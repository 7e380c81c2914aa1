/**
 * `npm test` runs one third of the rows of each table, of each dimension, and other ones each time. `.ci/run` runs all of them, and so
 * does a run of single files, which is the way to repeat what failed.
 */
import { beforeEach, type RunnerTask, type RunnerTestSuite } from "vitest";
import { isSampled } from "../support/budget.ts";

const PART = 3;

/** Where the rows of a suite begin. */
const starts = new WeakMap<object, number>();

function isChosen(task: RunnerTask | RunnerTestSuite): boolean {
  const suite = task.suite ?? task.file;
  if (task === suite) return true;
  const rows = suite.tasks.filter(({ each }) => each);
  const start = starts.get(suite) ?? Math.floor(Math.random() * Math.min(PART, rows.length));
  starts.set(suite, start);
  return (task.each !== true || rows.indexOf(task) % PART === start) && isChosen(suite);
}

if (isSampled) beforeEach(({ task, skip }) => skip(!isChosen(task)));
