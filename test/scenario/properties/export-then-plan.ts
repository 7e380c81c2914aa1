import * as fc from "fast-check";
import { expect } from "vitest";
import type { Dialect } from "../../../src/emulator/index.ts";
import { CODES } from "../../../src/model/diagnostic-codes.ts";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import { seeds, seedsOfToday } from "../../support/organizations.ts";
import { kindsOf } from "./contents.ts";
import { must, mustBeEmpty, runs, withWorld } from "./world.ts";
import { budget, isWhole } from "../../support/budget.ts";

/**
 * A person whom no file can declare is left out, such as `root@localhost`, or without ids an address with several invites. The plan
 * names an owner or admin among them.
 */
const isUnexpected = ({ code }: Diagnostic): boolean => code !== CODES.undeclaredRights;

/**
 * `export` then `plan` is empty and has no warning, for so many random organizations, whichever way the service shows them: with
 * ids and without them, as a folder, and each of its files alone.
 */
export async function exportThenPlanIsEmpty(dialect: Dialect, numRuns: number): Promise<void> {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(dialect === "current" ? seedsOfToday : seeds, async (seed) => {
      await withWorld({ seed, dialect }, async (world) => {
        const { stdout } = await must(world, ["export", "--out", "exported"]);
        const { changes, diagnostics } = await mustBeEmpty(world, ["exported"]);
        expect(diagnostics.filter(isUnexpected)).toEqual([]);
        for (const { kind } of changes) seen.add(kind);
        for (const file of stdout.trim().split("\n")) await mustBeEmpty(world, [file]);
        const portable = await must(world, ["export", "--no-ids", "--out", "portable"]);
        // Organizations that have one name are left out.
        if (portable.stdout !== "")
          expect((await mustBeEmpty(world, ["portable"])).diagnostics.filter(isUnexpected)).toEqual([]);
        expect(world.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
      });
    }),
    runs(budget(numRuns)),
  );
  // Everything is exported but members: they become memberships.
  const exported = ["membership", ...kindsOf(dialect).filter((kind) => kind !== "member")];
  if (isWhole) expect([...seen].toSorted()).toEqual(exported.toSorted());
}
