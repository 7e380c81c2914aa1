import * as fc from "fast-check";
import { expect } from "vitest";
import type { Dialect } from "../../../src/emulator/index.ts";
import { seeds } from "../../support/organizations.ts";
import { KINDS } from "./contents.ts";
import { must, mustBeEmpty, runs, withWorld } from "./world.ts";
import { budget, isFullBudget } from "../../support/budget.ts";

/** `export` then `plan` is empty, for so many random organizations, whichever way the service shows them. */
export async function exportThenPlanIsEmpty(dialect: Dialect, numRuns: number): Promise<void> {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(seeds, async (seed) => {
      await withWorld({ seed, dialect }, async (world) => {
        await must(world, ["export", "--out", "exported"]);
        const { changes, diagnostics } = await mustBeEmpty(world, ["exported"]);
        // An invite may expire at any time. That it has done so is news, even if it was exported.
        expect(diagnostics.filter(({ code }) => code !== "invite_expired")).toEqual([]);
        for (const { kind } of changes) seen.add(kind);
        expect(world.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
      });
    }),
    runs(budget(numRuns)),
  );
  // Everything is exported but members: they become memberships.
  if (isFullBudget)
    expect([...seen].toSorted()).toEqual(["membership", ...KINDS.filter((kind) => kind !== "member")].toSorted());
}
