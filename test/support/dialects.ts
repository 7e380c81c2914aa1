/** Scenarios that must pass in both dialects. */
import { AsyncLocalStorage } from "node:async_hooks";
import { aroundEach, describe } from "vitest";
import type { Dialect } from "../../src/emulator/index.ts";
import { isFullBudget } from "./budget.ts";

export const DIALECTS = ["document", "deployed"] as const;

/** With today's service, for what the product survives there already. */
export const ALL_DIALECTS = [...DIALECTS, "current"] as const;

const spoken = new AsyncLocalStorage<Dialect>();

/**
 * Describes what holds on both dialects. `npm test` runs each group in one of them. In its tests every workspace without a dialect of its own speaks the one of
 * the title, and after every apply that exits with 0 a plan of the same has to be empty.
 */
export function describeDialects(
  name: string,
  body: (dialect: Dialect) => void,
  dialects: readonly Dialect[] = DIALECTS,
  isWhole = isFullBudget,
): void {
  dialects.forEach((dialect, index) => {
    const isRun = isWhole || index === name.length % dialects.length;
    // A group that is skipped keeps its snapshots.
    describe.skipIf(!isRun)(`${name} (${dialect})`, () => {
      aroundEach((run) => spoken.run(dialect, run));
      body(dialect);
    });
  });
}

/** The dialect of the current test; undefined outside {@link describeDialects}. */
export function spokenDialect(): Dialect | undefined {
  return spoken.getStore();
}
