import { expect } from "vitest";
import { isSampled, seeded } from "./budget.ts";

/** One of the rows of a table within a test in `npm test`, another one with each seed; else all of them. */
export function some<T>(rows: readonly T[]): readonly T[] {
  if (!isSampled) return rows;
  const at = seeded(rows.length, expect.getState().currentTestName ?? "");
  return rows.slice(at, at + 1);
}
