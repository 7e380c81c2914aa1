/**
 * Two and three runs at the same time on machines of their own, with lists that lag, connections that are cut, and kills.
 *
 * Invariant: in the end there is one object of each name, or a run has named all of them and not ended with 0.
 */
import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { Dialect, Fault, FaultRule } from "../../src/emulator/index.ts";
import type { CliResult } from "../support/cli.ts";
import { budget } from "../support/budget.ts";
import { seededRandom } from "../support/random.ts";
import { simulated, type SoakWorld } from "../soak/world.ts";
import { runUntil, type Ended } from "./ending.ts";
import { hold } from "./hold.ts";
import { LIVE } from "./slots.ts";
import type { End } from "./steps.ts";

const QUERY = { kind: "DataVisualizationNode", source: { kind: "HogQLQuery", query: "select 1" } };
const EXPORT = { interval: "hour", paused: false, destination: { type: "NoOp", config: {} } };
const NAMES = ["Alpha", "Beta", "Gamma"];
const byName = (values: object): object =>
  Object.fromEntries(NAMES.map((name) => [name.toLowerCase(), { name, ...values }]));
const CONFIG = {
  driftline: 1,
  organizations: {
    acme: {
      name: "Acme Inc",
      projects: { web: { name: "Web", insights: byName({ query: QUERY }), batch_exports: byName(EXPORT) } },
    },
  },
};

interface Runner {
  /** Milliseconds. */
  readonly delay: number;
  readonly end: End | null;
}

interface History {
  readonly dialect: Dialect;
  readonly chance: number;
  readonly runners: readonly Runner[];
  readonly faults: readonly FaultRule[];
}

const faults = fc.record({
  method: fc.constantFrom("GET", "POST", "PATCH", "DELETE"),
  path: fc.constantFrom(/\/insights\//u, /\/batch_exports\//u),
  nth: fc.integer({ min: 1, max: 12 }),
  times: fc.integer({ min: 1, max: 3 }),
  fault: fc.constantFrom<Fault>(
    { type: "drop-before" },
    { type: "process-then-drop" },
    { type: "half-body" },
    { type: "html-502" },
    { type: "stale-read" },
  ),
});

const histories: fc.Arbitrary<History> = fc.record({
  dialect: fc.constantFrom("document", "deployed", "current"),
  chance: fc.nat(),
  runners: fc.array(
    fc.record({
      delay: fc.integer({ min: 0, max: 1_500 }),
      end: fc.oneof(
        { weight: 3, arbitrary: fc.constant(null) },
        fc.record({ type: fc.constant("kill" as const), at: fc.integer({ min: 4, max: 30 }), sent: fc.boolean() }),
      ),
    }),
    { minLength: 2, maxLength: 3 },
  ),
  faults: fc.array(faults, { maxLength: 3 }),
});

const apply = (world: SoakWorld, state: string, end: End | null): Promise<Ended> =>
  runUntil(world, ["apply", "--yes", "--format", "json"], {}, state, end);

/** Returns how many changes yielded. */
async function live({ dialect, chance, runners, faults: rules }: History): Promise<number> {
  const world = await simulated({ seed: LIVE, dialect, maxRequests: 100_000 }, seededRandom(chance));
  try {
    await world.configure(CONFIG);
    for (const rule of rules) world.emulator.faults.add(rule);
    const ended = await Promise.all(
      runners.map(async ({ delay, end }, index) => {
        await world.clock.sleep(delay);
        return apply(world, `state-${String(index)}`, end);
      }),
    );
    world.emulator.faults.clear();
    await world.drain();
    const results = ended.flatMap(({ result }) => result ?? []);
    // A killed run goes on with its state folder.
    for (const { result, state } of ended) if (result === undefined) results.push(...(await finished(world, state)));
    for (const kind of ["insight", "batch_export"] as const)
      for (const name of NAMES) {
        const ids = world.emulator
          .find(kind, (one) => one["name"] === name && one["deleted"] !== true)
          .map(({ id }) => String(id));
        const isNamed = results.some(
          ({ code, stdout, stderr }) => code !== 0 && ids.every((id) => `${stdout}${stderr}`.includes(id)),
        );
        hold(
          ids.length < 2 || isNamed,
          `${kind} ${name} is there ${String(ids.length)} times, and no run says so`,
          results.at(-1),
        );
        hold(ids.length > 0 || results.some(({ code }) => code !== 0), `${kind} ${name} is not there`, results.at(-1));
      }
    return results.reduce((sum, { stdout }) => sum + stdout.split('"status": "yielded"').length - 1, 0);
  } finally {
    await world.close();
  }
}

async function finished(world: SoakWorld, state: string): Promise<readonly CliResult[]> {
  const { result } = await apply(world, state, null);
  return result === undefined ? [] : [result];
}

it("runs at the same time end with one object of each name, or name all of them", async () => {
  const seed = Number(process.env["DRIFTLINE_SEED"] ?? 1);
  let yielded = 0;
  const lived = fc.asyncProperty(histories, async (history) => void (yielded += await live(history)));
  await fc.assert(lived, { seed, numRuns: budget(200) });
  expect(yielded).toBeGreaterThan(10);
});
