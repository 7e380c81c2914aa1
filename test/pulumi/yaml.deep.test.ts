import { describe, expect, it } from "vitest";
import type { Emulator } from "../../src/emulator/index.ts";
import { pulumiProperties } from "../../src/generated/pulumi.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { engine } from "./support/engine.ts";
import { lives, type Life } from "./support/lives.ts";
import type { Program } from "./support/stack.ts";
import { createYamlStack } from "./support/packaged-stack.ts";

const { bin, missing } = engine();
const all = Object.entries(lives);

/** The arguments after changes of the first `rounds` fields of a resource. */
function argsOf(life: Life, rounds: number): JsonObject {
  return { ...life.create, ...Object.fromEntries(Object.entries(life.changes).slice(0, rounds)) };
}

function programOf(rounds: number, more: Readonly<Record<string, JsonObject>> = {}): Program {
  return Object.fromEntries(
    all.map(([name, life]) => [name, { type: life.type, args: { ...argsOf(life, rounds), ...more[name] } }]),
  );
}

/** The only object of a resource, under the interface's names. */
function storedOf(emulator: Emulator, life: Life): JsonObject {
  const [found, more] = emulator.find(life.stored, life.find);
  expect(more, life.type).toBeUndefined();
  if (found === undefined) throw new Error(`there is no ${life.type}`);
  return found as unknown as JsonObject;
}

function expectStored(emulator: Emulator, rounds: number): void {
  for (const [name, life] of all) {
    const fields = pulumiProperties[life.kind].inputs;
    const wanted = Object.entries(argsOf(life, rounds)).flatMap(([property, value]) =>
      fields[property] === undefined ? [] : [[fields[property], value]],
    );
    expect(storedOf(emulator, life), `${name} after ${String(rounds)} changes`).toMatchObject(
      Object.fromEntries(wanted) as object,
    );
  }
}

function writes({ requests }: Emulator): readonly string[] {
  return requests.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`);
}

describe.skipIf(missing !== undefined)("every kind in Pulumi YAML", () => {
  it("is created, changed field by field, seen and put right, and destroyed", { timeout: 900_000 }, async () => {
    const stack = await createYamlStack(bin);
    const { emulator, declare, run, steps } = stack;
    const up = async (...args: readonly string[]): Promise<string> => {
      emulator.clearRequests();
      return run("up", "--yes", "--skip-preview", ...args);
    };
    await declare(programOf(0));
    emulator.clearRequests();
    expect((await steps("preview")).map(({ op }) => op)).toEqual(all.map(() => "create"));
    expect(emulator.requests).toEqual([]);
    await up();
    expectStored(emulator, 0);
    await up("--expect-no-changes");
    expect(emulator.requests).toEqual([]);

    const rounds = Math.max(...all.map(([, { changes }]) => Object.keys(changes).length));
    for (let round = 1; round <= rounds; round += 1) {
      await declare(programOf(round));
      emulator.clearRequests();
      const planned = await steps("preview");
      expect(emulator.requests).toEqual([]);
      for (const [name, life] of all) {
        const field = Object.keys(life.changes)[round - 1];
        const own = planned.filter((step) => step.name === name);
        const expected = field === undefined ? [] : life.replaces?.includes(field) === true ? ["replace"] : ["update"];
        expect(own.map(({ op }) => op).toSorted(), `${name} ${String(field)}`).toEqual(expected.toSorted());
        // Exactly this field, or parts of it.
        if (field !== undefined)
          expect(new Set(own.flatMap(({ paths }) => paths.map((path) => path.split(/[.[]/)[0]))), name).toEqual(
            new Set([field]),
          );
      }
      await up();
      expectStored(emulator, round);
    }
    await up("--expect-no-changes");
    expect(emulator.requests).toEqual([]);

    for (const [, life] of all)
      emulator.edit(
        life.stored,
        storedOf(emulator, life)["id"] as string,
        { [life.edit.field]: life.edit.value } as never,
      );
    const drift = await steps("refresh", "--preview-only");
    expect(
      Object.fromEntries(drift.map(({ name, paths }) => [name, paths.map((path) => path.split(/[.[]/)[0])])) as object,
    ).toEqual(Object.fromEntries(all.map(([name, { edit }]) => [name, [edit.property]])));
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
