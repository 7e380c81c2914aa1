/** Outages of creates while lists work, with whole commands, over sockets, on a simulated clock. */
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { systemClock } from "../../src/api/limits/clock.ts";
import type { Fault, FaultHandle } from "../../src/emulator/index.ts";
import { kinds } from "../../src/kinds/registry.ts";
import { KindProvider } from "../../src/pulumi/provider/kind-provider.ts";
import { config, domains, web } from "../support/acme.ts";
import type { CliResult } from "../support/cli.ts";
import { simulatedTime } from "../support/simulated-time.ts";
import { workspace, type Workspace } from "../support/workspace.ts";
import { changesOf } from "./support.ts";

const COUNT = 200;
const NAMES = Array.from({ length: COUNT }, (_, index) => `I ${String(index)}`);
const INSIGHTS = Object.fromEntries(NAMES.map((name, index) => [`i${String(index)}`, { name }]));

interface Given {
  readonly space: Workspace;
  readonly outage: FaultHandle;
  /** How long the run took. Milliseconds. */
  readonly took: number;
  readonly result: CliResult;
  /** Runs apply once more, after the outage. */
  readonly again: () => Promise<CliResult>;
}

interface Setting {
  readonly declared: object;
  /** Whether the service creates the objects in spite of the failures. */
  readonly isCarriedOut: boolean;
}

/** Applies while POSTs fail: `times` of them, or all. */
async function applyInOutage(fault: Fault, times = 1_000_000, more: Partial<Setting> = {}): Promise<Given> {
  const { declared = web({ insights: INSIGHTS }), isCarriedOut = false } = more;
  const time = simulatedTime();
  const space = await workspace({ now: time.now, sleep: time.sleep, latencyMs: 20 });
  await space.configure(declared);
  if (isCarriedOut)
    space.emulator.faults.add({ method: "POST", path: "/insights", nth: 1, times, fault: { type: "process-first" } });
  const outage = space.emulator.faults.add({ method: "POST", path: "/insights", nth: 1, times, fault });
  const apply = (): Promise<CliResult> =>
    time.run(space.run(["apply", "--yes", "--format", "json"], { runtime: { clock: time.clock } }));
  const start = time.clock.now();
  const result = await apply();
  const took = time.clock.now() - start;
  return {
    space,
    outage,
    took,
    result,
    again: () => {
      space.emulator.faults.clear();
      return apply();
    },
  };
}

const posts = ({ emulator }: Workspace): number => emulator.requests.filter(({ method }) => method === "POST").length;

/** Changes by status and code. */
function countsOf(result: CliResult): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { status, error } of changesOf(result)) {
    const name = [status, error?.code].filter((part) => part !== undefined).join(" ");
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

async function expectEachOnceAfterwards({ space, again }: Given): Promise<void> {
  const second = await again();
  expect(second.code, second.stderr).toBe(0);
  const made = space.emulator.find("insight").map(({ name }) => String(name));
  expect([made.length, new Set(made)]).toEqual([COUNT, new Set(NAMES)]);
}

describe("200 creates", () => {
  it.each<[string, Fault]>([
    ["answered 503", { type: "status", status: 503 }],
    ["answered 500", { type: "status", status: 500 }],
    ["dropped", { type: "drop-before" }],
    ["answered 502 by a gateway", { type: "html-502" }],
  ])("that are all %s: a few POSTs, one reason for the rest, and each object once afterwards", async (_name, fault) => {
    const given = await applyInOutage(fault);
    // Five and the eight in flight, and one every 5 seconds of a minute.
    expect(posts(given.space)).toBeLessThanOrEqual(25);
    expect(given.took).toBeLessThan(130_000);
    // Nothing was applied, and everything is known.
    expect(given.result.code).toBe(1);
    const failed = posts(given.space);
    expect(countsOf(given.result)).toEqual({ "failed not_created": failed, "skipped family_stopped": COUNT - failed });
    const reasons = changesOf(given.result).filter(({ status }) => status === "skipped");
    expect(new Set(reasons.map(({ error }) => JSON.stringify(error))).size).toBe(1);
    expect(given.result.stderr.match(/one is tried every 5 s/g)).toHaveLength(1);
    await expectEachOnceAfterwards(given);
  });

  it("next to an applied change: in part", async () => {
    const all = config({ domains: domains(["made.com"]), projects: { web: { id: "2", insights: INSIGHTS } } });
    const given = await applyInOutage({ type: "status", status: 503 }, undefined, { declared: all });
    expect(given.result.code).toBe(14);
    expect(countsOf(given.result)).toMatchObject({ applied: 1 });
    await expectEachOnceAfterwards(given);
  });

  it.each<[string, Fault]>([
    ["502", { type: "html-502" }],
    ["504", { type: "status", status: 504 }],
  ])("that all take effect, but are answered %s by a gateway: all are adopted", async (_name, fault) => {
    const given = await applyInOutage(fault, undefined, { isCarriedOut: true });
    expect(given.result.code, given.result.stderr).toBe(0);
    expect(posts(given.space)).toBe(COUNT);
    await expectEachOnceAfterwards(given);
  });

  it("with 14 that fail until the outage ends: most are created, and the rest by the next run", async () => {
    // Of the first ones 5 to 13 fail: how many are in flight then depends on the machine. The others are tried within the minute.
    const given = await applyInOutage({ type: "status", status: 503 }, 14);
    expect(given.outage.hits).toBe(14);
    const { applied = 0, ...others } = countsOf(given.result);
    expect(applied).toBeGreaterThanOrEqual(190);
    expect(Object.keys(others)).toEqual(applied === COUNT ? [] : ["failed not_created"]);
    expect(given.result.code).toBe(applied === COUNT ? 0 : 14);
    expect(posts(given.space)).toBeLessThanOrEqual(1.1 * COUNT);
    await expectEachOnceAfterwards(given);
  });
});

describe("40 creates of Pulumi at once", () => {
  it("share one breaker and one budget, and the next run in the same process begins anew", async () => {
    const time = simulatedTime();
    vi.spyOn(systemClock, "now").mockImplementation(() => time.clock.now());
    vi.spyOn(systemClock, "sleep").mockImplementation((ms, signal) => time.clock.sleep(ms, signal));
    const space = await workspace({ now: time.now, sleep: time.sleep, latencyMs: 20 });
    for (const [name, value] of Object.entries(space.env)) vi.stubEnv(name, value);
    onTestFinished(() => void vi.restoreAllMocks().unstubAllEnvs());
    const provider = new KindProvider(kinds.insight);
    const names = NAMES.slice(0, 40);
    const up = async (): Promise<readonly string[]> => {
      const creating = names.map((name) => provider.create({ projectId: "2", name, adopt: false }));
      const results = await time.run(Promise.allSettled(creating));
      return results.map((result) => (result.status === "fulfilled" ? "created" : String(result.reason)));
    };
    const fault = { type: "status", status: 503 } as const;
    space.emulator.faults.add({ method: "POST", nth: 1, times: 1_000_000, fault });
    const failures = await up();
    expect(failures.filter((failure) => !failure.includes("nothing was created"))).toEqual([]);
    expect(posts(space)).toBeLessThanOrEqual(44);
    space.emulator.faults.clear();
    expect(new Set(await up())).toEqual(new Set(["created"]));
    expect(space.emulator.find("insight").map(({ name }) => name)).toHaveLength(40);
  });
});
