import * as fc from "fast-check";
import { expect } from "vitest";
import type { Dialect } from "../../../src/emulator/index.ts";
import { seeds } from "../../support/organizations.ts";
import { must, mustBeEmpty, withWorld } from "./world.ts";

/** `export` then `plan` is empty, for so many random organizations, whichever way the service shows them. */
export async function exportThenPlanIsEmpty(dialect: Dialect, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(seeds, async (seed) => {
      await withWorld({ seed, dialect }, async (world) => {
        await must(world, ["export", "--out", "exported"]);
        await mustBeEmpty(world, ["exported"]);
        expect(world.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
      });
    }),
    { numRuns },
  );
}
