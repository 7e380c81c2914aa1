import { describe, expect, it } from "vitest";
import { isWhole } from "../support/budget.ts";
import { engine } from "./support/engine.ts";
import {
  all,
  changedIn,
  changedPaths,
  editAll,
  expectStored,
  programOf,
  shortWrites,
  wantedWrites,
  writes,
} from "./support/living.ts";
import { createYamlStack } from "./support/packaged-stack.ts";
import { besideKeyChecks } from "./support/key-checks.ts";

const { bin, missing } = engine();

// kinds.deep.test.ts has the life of every kind, with fewer fields for each step.
describe.skipIf(!isWhole || missing !== undefined)("every kind in Pulumi YAML", () => {
  it("is created, changed field by field, seen and put right, and destroyed", async () => {
    const stack = await createYamlStack(bin);
    const { emulator, declare, run, steps } = stack;
    const up = async (...args: readonly string[]): Promise<string> => {
      emulator.clearRequests();
      return run("up", "--yes", "--skip-preview", ...args);
    };
    await declare(programOf(0));
    emulator.clearRequests();
    expect((await steps("preview")).map(({ op }) => op)).toEqual(all.map(() => "create"));
    expect(besideKeyChecks(emulator)).toEqual([]);
    await up();
    expectStored(emulator, 0);
    await up("--expect-no-changes");
    expect(besideKeyChecks(emulator)).toEqual([]);

    const rounds = Math.max(...all.map(([, { changes }]) => Object.keys(changes).length));
    await declare(programOf(rounds));
    emulator.clearRequests();
    const ops = Object.fromEntries((await steps("preview")).map(({ name, op }) => [name, op]));
    expect(ops).toEqual(
      Object.fromEntries(all.map(([name, { replaces = [] }]) => [name, replaces.length > 0 ? "replace" : "update"])),
    );
    expect(besideKeyChecks(emulator)).toEqual([]);
    for (let round = 1; round <= rounds; round += 1) {
      await declare(programOf(round));
      const wanted = all.flatMap(([, life]) => wantedWrites(emulator, life, round));
      emulator.clearRequests();
      const done = await steps("up", "--yes", "--skip-preview");
      for (const [name, life] of all) {
        const field = changedIn(life, round);
        const op = life.replaces?.includes(field ?? "") === true ? "replace" : "update";
        const expected = field === undefined ? [] : [{ op, name, paths: changedPaths(life, round) }];
        expect(
          done.filter((step) => step.name === name),
          `${name} ${String(field)}`,
        ).toEqual(expected);
      }
      expect(shortWrites(emulator).toSorted(), `round ${String(round)}`).toEqual(wanted.toSorted());
      expectStored(emulator, round);
    }
    await up("--expect-no-changes");
    expect(besideKeyChecks(emulator)).toEqual([]);

    editAll(emulator);
    const drift = await steps("refresh", "--preview-only");
    expect(Object.fromEntries(drift.map(({ name, paths }) => [name, paths]))).toEqual(
      Object.fromEntries(all.map(([name, { edit }]) => [name, [edit.property]])),
    );
    expect((await stack.pulumi(["preview", "--refresh", "--expect-no-changes"])).code).toBe(7);
    await up("--refresh");
    expectStored(emulator, rounds);
    expect(await steps("refresh", "--preview-only")).toEqual([]);

    await declare(programOf(rounds, { beta: { confirmDelete: "Beta Corp" } }));
    await up();
    expect(writes(emulator)).toEqual([]);
    await run("destroy", "--yes", "--skip-preview");
    for (const [, life] of all) expect(emulator.find(life.stored, life.find), life.type).toEqual([]);
    expect(emulator.requests.filter(({ status }) => (status ?? 0) >= 400 && status !== 404)).toEqual([]);
  });
});
