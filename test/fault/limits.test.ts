/** Rate limits and outages, with whole commands, over sockets, on a simulated clock. */
import { describe, expect, it } from "vitest";
import type { EmulatorOptions, LoggedRequest } from "../../src/emulator/index.ts";
import { web } from "../support/acme.ts";
import { outcomesOf, type CliResult } from "../support/cli.ts";
import { simulatedTime } from "../support/simulated-time.ts";
import { SEED, workspace, type Workspace } from "../support/workspace.ts";

const LIMIT = 240;
const many = (count: number, more: object = {}): object =>
  web({
    insights: Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`i${String(index)}`, { name: `I ${String(index)}`, ...more }]),
    ),
  });

interface Measured {
  readonly space: Workspace;
  readonly result: CliResult;
  /** How long the apply took. Milliseconds. */
  readonly took: number;
  readonly requests: readonly LoggedRequest[];
}

async function applied(config: object, options: EmulatorOptions, args: readonly string[] = []): Promise<Measured> {
  const time = simulatedTime();
  const space = await workspace({ now: time.now, sleep: time.sleep, ...options });
  await space.configure(config);
  const start = time.clock.now();
  const command = ["apply", "--yes", "--format", "json", ...args];
  const result = await time.run(space.run(command, { runtime: { clock: time.clock } }));
  return { space, result, took: time.clock.now() - start, requests: space.emulator.requests };
}

const insights = ({ requests }: Measured): readonly LoggedRequest[] =>
  requests.filter(({ path }) => path.includes("/insights"));

/** Refusals of different bursts, by the time between them. */
function bursts(measured: Measured): readonly number[] {
  const times = insights(measured)
    .filter(({ status }) => status === 429)
    .map(({ at }) => Date.parse(at));
  return times.filter((at, index) => index === 0 || at - (times[index - 1] ?? 0) > 2_000);
}

describe("400 creates under a limit of 240 a minute", () => {
  const limited = { rateLimits: { general: 10_000, insights: LIMIT }, latencyMs: 80 };

  it.each([
    ["that is given as an option", ["--max-requests-per-minute", String(LIMIT)], 0],
    ["that is learned", [], 1],
  ] as const)("%s: all are created, with at least 97 %% of the allowed rate", async (_name, args, most) => {
    const measured = await applied(many(400), limited, args);
    expect(measured.result.code, measured.result.stderr).toBe(0);
    expect(measured.space.emulator.find("insight")).toHaveLength(400);
    const taken = insights(measured).filter(({ status }) => status !== 429).length;
    const used = taken / (LIMIT * (measured.took / 60_000));
    console.log(`${String(taken)} requests in ${String(measured.took)} ms: ${(used * 100).toFixed(1)} % of the rate`);
    expect(used).toBeGreaterThanOrEqual(0.97);
    expect(bursts(measured).length).toBeLessThanOrEqual(most);
  });

  it("over several minutes: one burst of refusals a minute at most, and 97 % of the rate", async () => {
    const measured = await applied(many(700), limited);
    expect(measured.result.code, measured.result.stderr).toBe(0);
    expect(measured.space.emulator.find("insight")).toHaveLength(700);
    const used = insights(measured).filter(({ status }) => status !== 429).length / (LIMIT * (measured.took / 60_000));
    const times = bursts(measured);
    console.log(
      `${(used * 100).toFixed(1)} % of the rate, ${String(times.length)} bursts in ${String(measured.took)} ms`,
    );
    expect(used).toBeGreaterThanOrEqual(0.97);
    for (const at of times) expect(times.filter((one) => one > at && one < at + 55_000)).toEqual([]);
  });
});

describe("the wait that a service asks for", () => {
  it.each([
    ["in seconds", 52],
    ["as a date", "date"],
  ])("%s is waited in full, and once for all", async (_name, asked) => {
    const time = simulatedTime();
    const space = await workspace({ now: time.now, sleep: time.sleep });
    await space.configure(many(30));
    const start = time.clock.now();
    const retryAfter = asked === "date" ? new Date(start + 52_000) : 52;
    space.emulator.faults.add({ method: "POST", nth: 5, times: 1, fault: { type: "throttle", retryAfter } });
    const work = space.run(["apply", "--yes", "--format", "json"], { runtime: { clock: time.clock } });
    const result = await time.run(work);
    expect(result.code, result.stderr).toBe(0);
    expect(space.emulator.find("insight")).toHaveLength(30);
    expect(time.clock.now() - start).toBeGreaterThanOrEqual(52_000);
    expect(time.clock.now() - start).toBeLessThan(54_000);
    expect(result.stderr.match(/rate limit/g)).toHaveLength(1);
  });

  it("of a moment now and then does not hold up the rest", async () => {
    const time = simulatedTime();
    const space = await workspace({ now: time.now, sleep: time.sleep, latencyMs: 20 });
    await space.configure(many(200));
    for (const nth of [3, 40, 90])
      space.emulator.faults.add({ method: "POST", nth, times: 1, fault: { type: "throttle", retryAfter: 1 } });
    const start = time.clock.now();
    const work = space.run(["apply", "--yes", "--format", "json"], { runtime: { clock: time.clock } });
    expect((await time.run(work)).code).toBe(0);
    expect(time.clock.now() - start).toBeLessThan(10_000);
  });
});

describe("a total outage", () => {
  const COUNT = 300;
  const seed = {
    organizations: [
      {
        ...SEED.organizations[0],
        projects: [
          {
            id: 2,
            name: "Web",
            insights: Array.from({ length: COUNT }, (_, index) => ({ name: `I ${String(index)}` })),
          },
        ],
      },
    ],
  };

  it.each([
    ["updates", many(COUNT, { description: "new" }), { seed: seed as never }, { path: "/insights", nth: 2 }],
    ["creates", many(COUNT), {}, { path: "/insights", nth: 3 }],
  ] as const)("%s: at most 1.1 requests for each intended one", async (_name, config, options, rule) => {
    const time = simulatedTime();
    const space = await workspace({ now: time.now, sleep: time.sleep, latencyMs: 20, ...options });
    await space.configure(config);
    const fault = { type: "status", status: 503 } as const;
    const handle = space.emulator.faults.add({ ...rule, times: 1_000_000, fault });
    const work = space.run(["apply", "--yes", "--format", "json"], { runtime: { clock: time.clock } });
    const result = await time.run(work);
    expect(outcomesOf(result).statuses).toMatchObject({ applied: 0, unchanged: 1 });
    expect([1, 15]).toContain(result.code);
    console.log(`${String(handle.hits)} requests into an outage for ${String(COUNT)} changes`);
    expect(handle.hits / COUNT).toBeLessThanOrEqual(1.1);
  });
});
