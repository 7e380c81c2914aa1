/** The effect of changed queries: numbers before and after, beside a plan that stays as it is. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Fault } from "../../src/emulator/index.ts";
import { type CalculatedEffect, type Effects, isCalculated } from "../../src/model/effect.ts";
import type { PlanDocument } from "../../src/model/plan.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const DAY = 86_400_000;
const PROJECT = "acme/projects/web/insights";

const trend = (math: string, more: object = {}): object => ({
  kind: "TrendsQuery",
  series: [{ kind: "EventsNode", event: "signed up", math }],
  ...more,
});

/** Three events of two people on each of the last 20 days. */
const EVENTS = Array.from({ length: 20 }, (_, days) =>
  new Date(Date.now() - days * DAY).toISOString().slice(0, 10),
).flatMap((day) =>
  ["ada", "bob", "bob"].map((distinct_id) => ({
    event: "signed up",
    distinct_id,
    timestamp: `${day}T09:00:00Z`,
    properties: { country: distinct_id === "ada" ? "AT" : "DE" },
  })),
);

interface Insight {
  readonly live?: object;
  readonly declared: object;
}

async function world(
  insights: Readonly<Record<string, Insight>>,
  dialect: "document" | "deployed" | "current" = "deployed",
): Promise<Workspace> {
  const ids = new Map(Object.keys(insights).map((name, at) => [name, at + 1]));
  const live = Object.entries(insights).flatMap(([name, one]) =>
    one.live === undefined ? [] : [{ id: ids.get(name) ?? 0, name, ...one.live }],
  );
  const organization = {
    id: "0190aa11-0000-4000-8000-00000000000a",
    name: "Acme Inc",
    projects: [{ id: 2, name: "Web", insights: live, events: EVENTS }],
    members: [{ email: "ada@acme.com", level: 15 }],
  };
  const space = await workspace({ seed: { organizations: [organization] }, dialect });
  const declared = Object.entries(insights).map(([name, one]) => [
    name,
    { name, ...(one.live === undefined ? {} : { id: ids.get(name) }), ...one.declared },
  ]);
  const projects = { web: { id: "2", insights: Object.fromEntries(declared) as object } };
  await space.configure({ driftline: 1, organizations: { acme: { name: "Acme Inc", projects } } });
  return space;
}

const changed = (from: string, to: string): Insight => ({
  live: { query: trend(from) },
  declared: { query: trend(to) },
});

const effectsOf = ({ effects }: PlanDocument): Effects => {
  if (effects === undefined) throw new Error("the plan has no effects");
  return effects;
};

const calculated = (document: PlanDocument): readonly CalculatedEffect[] =>
  effectsOf(document).insights.filter(isCalculated);

const calculations = ({ emulator }: Workspace): number =>
  emulator.requests.filter(({ method }) => method === "POST").length;

describe("the effect of a change", () => {
  it.each(["deployed", "current"] as const)(
    "is the numbers of both queries over seven full days: %s",
    async (dialect) => {
      const space = await world(
        { signups: changed("total", "dau"), fresh: { declared: { query: trend("total") } } },
        dialect,
      );
      const [signups, fresh] = calculated(await space.plan("--effect")).toSorted((a, b) =>
        b.address.localeCompare(a.address),
      );
      expect(signups).toMatchObject({
        address: `${PROJECT}/signups`,
        shape: "lines",
        series: [{ before: { total: 3 }, after: { total: 2 }, percent: -33.33 }],
      });
      expect(signups?.series[0]?.after?.points.map(({ value }) => value)).toEqual([2, 2, 2, 2, 2, 2, 2]);
      expect(fresh).toMatchObject({ series: [{ before: null, after: { total: 21 }, percent: null }] });
      // The declared query of one is the live query of the other.
      expect(calculations(space)).toBe(2);
    },
  );

  it("stands in a drift, and in the saved plan that show prints if it is asked", async () => {
    const space = await world({ signups: changed("total", "dau") });
    expect(calculated((await space.drift("--effect")).document)).toHaveLength(1);
    await space.run(["plan", "--effect", "--out", "plan.json"]);
    const requests = space.emulator.requests.length;
    expect((await space.run(["show", "plan.json", "--effect"])).stdout).toContain("33.3");
    expect((await space.run(["show", "plan.json"])).stdout).not.toContain("33.3");
    expect(space.emulator.requests).toHaveLength(requests);
    await space.run(["plan", "--out", "plain.json"]);
    expect((await space.run(["show", "plain.json", "--effect"])).code).toBe(10);
  });
});

describe("the plan", () => {
  it("and its hash are the same with and without the effect, in every format, and apply takes both", async () => {
    const space = await world({ signups: changed("total", "dau") });
    const [plain, full] = [await space.plan(), await space.plan("--effect")];
    const { effects: _effects, source: _source, ...rest } = full;
    const { source: _plain, ...bare } = plain;
    expect(rest).toEqual(bare);
    await space.run(["plan", "--effect", "--out", "plan.json"]);
    const saved = JSON.parse(await readFile(join(space.folder, "plan.json"), "utf8")) as PlanDocument;
    expect(saved.hash).toBe(plain.hash);
    expect((await space.run(["apply", "--plan", "plan.json", "--yes"])).code).toBe(0);
  });

  it("without the effect sends no calculation", async () => {
    const space = await world({ signups: changed("total", "dau") });
    await space.plan();
    expect(calculations(space)).toBe(0);
  });
});

describe("a calculation that fails leaves the plan complete, and one sentence", () => {
  it.each<[string, Fault]>([
    ["429", { type: "throttle", retryAfter: 3_600 }],
    ["403", { type: "status", status: 403 }],
    ["404", { type: "status", status: 404 }],
    ["500", { type: "status", status: 500 }],
    ["half an answer", { type: "half-body" }],
    ["a dropped connection", { type: "drop-before" }],
    ["a page of a gateway", { type: "html-502" }],
  ])("%s", async (_name, fault) => {
    const space = await world({ signups: changed("total", "dau") });
    const plain = await space.plan();
    space.emulator.faults.add({ method: "POST", path: "/query", fault });
    const { effects, changes, hash, diagnostics } = await space.plan("--effect");
    expect({ changes, hash, diagnostics }).toEqual({
      changes: plain.changes,
      hash: plain.hash,
      diagnostics: plain.diagnostics,
    });
    expect(effects).toEqual({
      insights: [{ address: `${PROJECT}/signups`, not_calculated: expect.any(String) as string }],
    });
    expect(calculations(space)).toBeLessThanOrEqual(2);
    expect((await space.run(["plan", "--effect"])).code).toBe(0);
  });

  it("a declared query that the service refuses to run is an error in its words", async () => {
    const space = await world({ signups: changed("total", "dau") });
    const body = { type: "validation_error", code: "illegal_type", detail: "Unknown function nope.", attr: null };
    space.emulator.faults.add({
      method: "POST",
      path: "/query",
      times: 9,
      fault: { type: "answer", status: 400, text: JSON.stringify(body), contentType: "application/json" },
    });
    const { code, stdout } = await space.run(["plan", "--effect", "--format", "json"]);
    expect(code).toBe(1);
    const { diagnostics } = JSON.parse(stdout) as PlanDocument;
    expect(diagnostics).toMatchObject([
      {
        severity: "error",
        code: "query_refused",
        address: `${PROJECT}/signups`,
        message: expect.stringContaining("Unknown function nope.") as string,
      },
    ]);
  });

  it("a limit of requests prints no wait, because nothing waits for it", async () => {
    const space = await world({ signups: changed("total", "dau") });
    space.emulator.faults.add({ method: "POST", path: "/query", times: 9, fault: { type: "throttle", retryAfter: 5 } });
    const { code, stderr } = await space.run(["plan", "--effect"]);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining("waiting") as string]);
  });

  it("an interrupt ends the calculation, and the plan is printed", async () => {
    const space = await world({ signups: changed("total", "dau") });
    const controller = new AbortController();
    // The emulator waits for it when the request has arrived.
    const until = { catch: () => Promise.resolve(controller.abort()) } as unknown as Promise<unknown>;
    space.emulator.faults.add({ method: "POST", path: "/query", fault: { type: "delay-before", until } });
    const { code, stdout } = await space.run(["plan", "--effect", "--format", "json"], {
      runtime: { signal: controller.signal },
    });
    expect(code).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({
      effects: { insights: [], left_out: { count: 1, reason: "interrupted" } },
    });
  });
});
