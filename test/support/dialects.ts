/** Scenarios that must pass in several dialects of the service. */
import { AsyncLocalStorage } from "node:async_hooks";
import { aroundEach, beforeEach, describe, type RunnerTask, type RunnerTestSuite } from "vitest";
import type { Dialect } from "../../src/emulator/index.ts";
import { isWhole } from "./budget.ts";

export const DIALECTS = ["document", "deployed"] as const;

/** With the service of autumn 2026 as well. */
export const ALL_DIALECTS = [...DIALECTS, "current"] as const;

const spoken = new AsyncLocalStorage<Dialect>();

/**
 * Describes what holds in each of some dialects. In its tests every workspace without a dialect of its own speaks the one of the
 * title, and after every apply that exits with 0 a plan of the same has to be empty. If not all runs, each test runs in one of them.
 * Which one follows from the length of its name, so that a run can be repeated: a new name may change the dialect.
 */
export function describeDialects(
  name: string,
  body: (dialect: Dialect) => void,
  dialects: readonly Dialect[] = DIALECTS,
): void {
  for (const dialect of dialects)
    describe(`${name} (${dialect})`, () => {
      aroundEach((run) => spoken.run(dialect, run));
      if (!isWhole) beforeEach(({ task, skip }) => skip(!isTurnOf(dialect, task, name)));
      body(dialect);
    });
}

/** Whether this is the group that runs a test, of all groups that have it. */
function isTurnOf(dialect: Dialect, test: RunnerTask, name: string): boolean {
  const path = [test.name];
  let group = test.suite;
  for (; group !== undefined && group.name !== `${name} (${dialect})`; group = group.suite) path.unshift(group.name);
  const siblings = (group?.suite ?? test.file).tasks.filter(
    (one) => one.name.startsWith(`${name} (`) && has(one, path),
  );
  return siblings[path.join(" ").length % siblings.length] === group;
}

function has(group: RunnerTask | RunnerTestSuite, [name, ...inner]: readonly string[]): boolean {
  if (name === undefined) return true;
  return "tasks" in group && group.tasks.some((task) => task.name === name && has(task, inner));
}

/** The dialect of the current test; undefined outside {@link describeDialects}. */
export function spokenDialect(): Dialect | undefined {
  return spoken.getStore();
}
