/** Outages of updates and removals while reads work: whole commands over sockets, on a simulated clock. */
import { describe, expect, it } from "vitest";
import type { Fault } from "../../src/emulator/index.ts";
import { config, domains, numbered, one, seedOf, stored, VERIFIED, web } from "../support/acme.ts";
import { outcomesOf, type CliResult } from "../support/cli.ts";
import { sentencesOf } from "../support/sentences.ts";
import { simulatedTime } from "../support/simulated-time.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const COUNT = 60;
const NAMES = Array.from({ length: COUNT }, (_, index) => `I ${String(index)}`);
const insights = (description: string): object =>
  web({ insights: Object.fromEntries(NAMES.map((name, index) => [`i${String(index)}`, { name, description }])) });
const BAD_GATEWAY = { type: "html-502" } as const satisfies Fault;

interface Outage {
  readonly fault?: Fault;
  /** The first write that fails, and how many do. */
  readonly nth?: number;
  readonly times?: number;
  /** What the service does in spite of the failures. */
  readonly isCarriedOut?: boolean;
  /** Whether reads of single objects fail from then on as well. */
  readonly isUnreadable?: boolean;
  readonly format?: string;
}

interface Given {
  readonly space: Workspace;
  readonly apply: (format?: string) => Promise<CliResult>;
}

async function given(): Promise<Given> {
  const time = simulatedTime();
  const seed = seedOf(
    { domains: numbered(COUNT).map((domain) => ({ domain, ...VERIFIED })) },
    { insights: NAMES.map((name) => ({ name, description: "old" })) },
  );
  const space = await workspace({ now: time.now, sleep: time.sleep, latencyMs: 20, seed });
  const apply = (format = "json"): Promise<CliResult> =>
    time.run(space.run(["apply", "--yes", "--format", format], { runtime: { clock: time.clock } }));
  return { space, apply };
}

/** Updates all insights during an outage of PATCH. */
async function update(outage: Outage): Promise<Given & { readonly result: CliResult; readonly sent: number }> {
  const { fault = BAD_GATEWAY, nth = 20, times = 1_000_000, isCarriedOut = false, isUnreadable = false } = outage;
  const made = await given();
  const { faults, requests } = made.space.emulator;
  await made.space.configure(insights("new"));
  const broken = { method: "PATCH", path: "/insights/", nth, times };
  if (isCarriedOut) faults.add({ ...broken, fault: { type: "process-first" } });
  faults.add({ ...broken, fault });
  // Each of the writes that succeed has one read before it, and eight are under way.
  if (isUnreadable)
    faults.add({
      method: "GET",
      path: /\/insights\/\d+\//,
      nth: nth + 8,
      times,
      fault: { type: "status", status: 503 },
    });
  const result = await made.apply(outage.format);
  const ids = requests.filter(({ method }) => method === "PATCH").map(({ path }) => path);
  return { ...made, result, sent: new Set(ids).size };
}

function countsOf(result: CliResult): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { status, error } of outcomesOf(result).changes.filter(({ action }) => action !== "no_op")) {
    const name = [status, error?.code].filter((part) => part !== undefined).join(" ");
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

const changed = (space: Workspace): number =>
  stored(space, "insight", "description").filter((text) => text === "new").length;

describe("an outage of updates", () => {
  it.each<[string, Fault]>([
    ["answered 502 by a gateway", BAD_GATEWAY],
    ["answered 504", { type: "status", status: 504 }],
    ["answered 500", { type: "status", status: 500 }],
    ["dropped", { type: "drop-before" }],
  ])(
    "that are %s: a few are tried, the rest is known not to be changed, and the next run makes it",
    async (_name, fault) => {
      const { space, apply, result, sent } = await update({ fault });
      // Nineteen, the eight in flight, and one every 5 seconds of a minute.
      expect(sent).toBeLessThanOrEqual(19 + 8 + 13);
      expect(result.code).toBe(14);
      const { applied = 0, ...others } = countsOf(result);
      expect(applied).toBe(changed(space));
      expect(Object.keys(others).toSorted()).not.toContain("unknown outcome_unknown");
      expect(result.stderr.match(/one is tried every 5 s/g)).toHaveLength(1);
      space.emulator.faults.clear();
      expect([(await apply()).code, changed(space)]).toEqual([0, COUNT]);
    },
  );

  it("is one sentence in the summary", async () => {
    const { result, space } = await update({ format: "text" });
    expect(result.stdout.match(/family_stopped/g)).toHaveLength(1);
    expect(result.stdout).not.toContain("outcome unknown");
    expect(result.stdout).toContain(`${String(COUNT - changed(space))} changes skipped`);
    expect(sentencesOf({ message: result.stdout.slice(result.stdout.indexOf("· ")) })).toMatchSnapshot();
  });

  it("in which nothing at all was changed ends with 1", async () => {
    const { result, space } = await update({ nth: 1 });
    expect([result.code, changed(space)]).toEqual([1, 0]);
    expect(countsOf(result)).toEqual({ "skipped family_stopped": COUNT });
  });

  it("that all take effect in spite of it is none", async () => {
    const { result, space } = await update({ isCarriedOut: true });
    expect([result.code, changed(space)]).toEqual([0, COUNT]);
  });

  it("that ends within the minute leaves nothing to do", async () => {
    const { space, result } = await update({ times: 24 });
    expect([result.code, changed(space)]).toEqual([0, COUNT]);
  });

  it("of one write that the service ends is made again", async () => {
    const { space, result } = await update({ nth: COUNT, times: 4 });
    expect([result.code, changed(space)]).toEqual([0, COUNT]);
  });

  it("ends with 15 only where reading cannot tell", async () => {
    const { result } = await update({ isUnreadable: true });
    expect(result.code).toBe(15);
    expect(countsOf(result)["unknown outcome_unknown"]).toBeGreaterThan(0);
  });

  it("does not overwrite what somebody changes while it lasts", async () => {
    const { space, apply } = await given();
    await space.configure(insights("new"));
    space.emulator.faults.add({ method: "PATCH", path: "/insights/", nth: 1, times: 24, fault: BAD_GATEWAY });
    const { id } = one(space.emulator.find("insight", ({ name }) => name === NAMES.at(-1)));
    const result = apply();
    const edit = setInterval(() => {
      if (!space.emulator.requests.some(({ method }) => method === "PATCH")) return;
      space.emulator.edit("insight", Number(id), { description: "by hand" });
      clearInterval(edit);
    }, 1);
    const { code } = await result;
    const { description } = one(space.emulator.find("insight", (found) => found.id === id));
    expect([code, description, changed(space)]).toEqual([14, "by hand", COUNT - 1]);
  });
});

describe("an outage of removals", () => {
  it("stops them as it stops creates", async () => {
    const { space, apply } = await given();
    const gone = numbered(COUNT).slice(0, 20);
    await space.configure(config({ domains: domains(gone, { state: "absent" }) }));
    space.emulator.faults.add({ method: "DELETE", nth: 4, times: 1_000_000, fault: BAD_GATEWAY });
    const result = await apply();
    const left = stored(space, "domain", "domain").length;
    expect([result.code, left]).toEqual([14, COUNT - 3]);
    expect(countsOf(result)).toEqual({ applied: 3, "skipped family_stopped": 17 });
    space.emulator.faults.clear();
    expect([(await apply()).code, stored(space, "domain", "domain").length]).toEqual([0, COUNT - 20]);
  });
});
