import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../../../src/model/json/json.ts";
import { planOf, type CliResult } from "../../support/cli.ts";
import { instantClock } from "../../fault/support.ts";
import {
  asciiJson,
  configurations,
  CONFIGURED,
  fileOf,
  SECRET_ENV,
  type Configuration,
} from "../../support/configurations.ts";
import { runs, seconds, withWorld, type World } from "./world.ts";
import { budget, isWhole } from "../../support/budget.ts";

describe("the order of files and of keys", () => {
  it.each([
    ["document", 150],
    ["deployed", 40],
  ] as const)(
    "never changes the plan: its JSON is the same byte for byte (%s)",
    { timeout: seconds(1800) },
    async (dialect, numRuns) => {
      const actions = new Set<string>();
      const property = fc.asyncProperty(
        configurations,
        configurations,
        fc.nat({ max: 2 }),
        async (live, declared, shift) => {
          await withWorld({ seed: CONFIGURED, dialect }, async (world) => {
            await world.write("live.yaml", fileOf(live.own, live.resources));
            const apply = ["apply", "live.yaml", "--yes", "--settle-after", "1"];
            const { code, stderr } = await world.run(apply, SECRET_ENV, { clock: instantClock() });
            // Deployed servers refuse some of what the document allows, and it may be all that was declared.
            expect(dialect === "document" ? [0] : [0, 1, 14, 15], stderr).toContain(code);
            await writeForwards(world, declared);
            await writeBackwards(world, declared, shift);
            const whole = await world.run(["plan", "forwards", "--format", "json"]);
            const parts = await world.run(["plan", "backwards", "--format", "json"]);
            expect(withoutDiagnostics(parts)).toBe(withoutDiagnostics(whole));
            expect(diagnosticsOf(parts)).toEqual(diagnosticsOf(whole));
            expect(parts.code).toBe(whole.code);
            for (const { action } of planOf(whole).changes) actions.add(action);
          });
        },
      );
      await fc.assert(property, runs(budget(numRuns)));
      if (isWhole)
        expect([...actions].toSorted()).toEqual(expect.arrayContaining(["create", "no_op", "replace", "update"]));
    },
  );
});

/** The printed plan without its diagnostics, and without `source`: the paths, which are what is being moved about. */
function withoutDiagnostics({ stdout }: CliResult): string {
  return stdout.replace(/\n {2}"source": \{[^]*?\n {2}\},/, "").replace(/\n {2}"diagnostics": [^]*$/, "");
}

/** The diagnostics of the printed plan without their places. Those of the configuration come in the order of the files. */
function diagnosticsOf(result: CliResult): readonly string[] {
  return planOf(result)
    .diagnostics.map(({ file: _file, line: _line, column: _column, ...rest }) => JSON.stringify(rest))
    .toSorted();
}

async function writeForwards(world: World, { own, resources }: Configuration): Promise<void> {
  await world.write("forwards/all.yaml", fileOf(own, resources));
}

/** A file for every third of the resources, from the last to the first, all keys turned round. */
async function writeBackwards(world: World, { own, resources }: Configuration, shift: number): Promise<void> {
  for (const part of [0, 1, 2]) {
    const some = resources.filter((_one, index) => index % 3 === part).toReversed();
    const text = fileOf(part === 2 ? own : {}, some);
    await world.write(`backwards/${String((part + shift) % 3)}.yaml`, asciiJson(turned(JSON.parse(text) as Json)));
  }
}

function turned(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => turned(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, item]) => [key, turned(item)]),
  );
}
