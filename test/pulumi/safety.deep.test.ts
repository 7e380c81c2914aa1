import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import type { Emulator } from "../../src/emulator/index.ts";
import type { JsonObject } from "../../src/model/json/json.ts";
import { describeEngine } from "./support/engine.ts";
import { ACME, lives, livesOn, type Life } from "./support/lives.ts";
import { descendants, endIfThere, isProvider } from "./support/killed.ts";
import { matchesIn } from "./support/sentences.ts";
import type { Program } from "./support/stack.ts";

function posts({ requests }: Emulator): number {
  return requests.filter(({ method }) => method === "POST").length;
}

/** The resources whose create makes an object. */
function creatingOf(all: Readonly<Record<string, Life>>): Program {
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, { kind, type, create }]) =>
      kind === "member" ? [] : [[name, { type, args: create }]],
    ),
  );
}

describeEngine("on the real engine", (dialect, { createStack }) => {
  const all = dialect === "deployed" ? livesOn("deployed") : lives;
  const creating = creatingOf(all);

  it("creates one object if the answer to a create is lost, and the state knows it", async () => {
    const stack = await createStack();
    await stack.declare(creating);
    // Only of creates, not of the calls that pause an export afterwards.
    const lost = stack.emulator.faults.add({
      method: "POST",
      path: /\/(?!unpause|pause)\w+\/$/,
      fault: { type: "process-then-drop" },
    });
    await stack.run("up", "--yes", "--skip-preview");
    expect(lost.hits).toBe(Object.keys(creating).length);
    stack.emulator.faults.clear();
    const state = await stack.state();
    expect(state).toHaveLength(Object.keys(creating).length);
    for (const [name, life] of Object.entries(all)) {
      if (!(name in creating)) continue;
      const [found, more] = stack.emulator.find(life.stored, life.find);
      expect(more, name).toBeUndefined();
      const id = life.kind === "membership" ? "eve@acme.com" : String(found?.["id"]);
      expect(state.find((one) => one.name === name)?.id, name).toBe(id);
    }
  });

  it("creates one object if a create is lost before it arrives", async () => {
    const stack = await createStack();
    await stack.declare({ signups: { type: "Insight", args: { projectId: 2, name: "Signups" } } });
    stack.emulator.faults.add({ method: "POST", times: 1, fault: { type: "drop-before" } });
    const { code, output } = await stack.pulumi(["up", "--yes", "--skip-preview"], { DRIFTLINE_SETTLE_AFTER: "1" });
    expect(code, output).toBe(0);
    expect(posts(stack.emulator)).toBe(2);
    expect(stack.emulator.find("insight", () => true)).toHaveLength(1);
  });

  it("leaves neither object nor state if a create fails for good", async () => {
    const stack = await createStack();
    await stack.declare({ corp: { type: "Domain", args: { organizationId: ACME, domain: "acme.com" } } });
    stack.emulator.faults.add({ method: "POST", fault: { type: "status", status: 403 } });
    expect((await stack.pulumi(["up", "--yes", "--skip-preview"])).code).not.toBe(0);
    expect(stack.emulator.find("domain", () => true)).toEqual([]);
    expect(await stack.state()).toEqual([]);
    stack.emulator.faults.clear();
    await stack.run("up", "--yes", "--skip-preview");
    expect(stack.emulator.find("domain", () => true)).toHaveLength(1);
  });

  it("ends with 20 objects after it was killed while creating them", async () => {
    const stack = await createStack();
    const names = Array.from({ length: 20 }, (_, index) => `insight${String(index)}`);
    await stack.declare(
      Object.fromEntries(names.map((name) => [name, { type: "Insight", args: { projectId: 2, name } }])),
    );
    const slow = stack.emulator.faults.add({ method: "POST", fault: { type: "delay-after", ms: 150 } });
    const child = stack.start(["up", "--yes", "--skip-preview", "--parallel", "4"]);
    while (slow.hits < 9) await wait(20);
    const left = await descendants(child.pid ?? 0);
    expect(left.some((pid) => isProvider(pid))).toBe(stack.resources === "packaged");
    child.kill("SIGKILL");
    // A packaged provider completes the requests in flight, sees that its engine is gone, and ends.
    await expect.poll(() => left.filter((pid) => isProvider(pid)), { timeout: 30_000 }).toEqual([]);
    // The one of dynamic resources goes on. By then it has finished the requests in flight.
    if (stack.resources === "dynamic") await wait(1_000);
    for (const pid of left) endIfThere(pid);
    stack.emulator.faults.clear();
    await stack.run("cancel", "--yes");
    await stack.run("up", "--yes", "--skip-preview");
    const made = stack.emulator.find("insight", () => true).map((one) => String(one["name"]));
    expect(made.toSorted()).toEqual(names.toSorted());
    expect(await stack.state()).toHaveLength(20);
  });

  it("restores an insight that somebody else has deleted, under its ids", async () => {
    const stack = await createStack();
    await stack.declare({ signups: { type: "Insight", args: { projectId: 2, name: "Signups" } } });
    await stack.run("up", "--yes", "--skip-preview");
    const [before] = await stack.state();
    stack.emulator.edit("insight", Number(before?.id), { deleted: true });
    expect(await stack.steps("refresh", "--preview-only")).toEqual([
      { op: "update", name: "signups", paths: ["deleted"] },
    ]);
    await stack.run("up", "--yes", "--skip-preview", "--refresh");
    const [after] = await stack.state();
    expect([after?.id, after?.outputs["shortId"], after?.outputs["deleted"]]).toEqual([
      before?.id,
      before?.outputs["shortId"],
      undefined,
    ]);
    expect(stack.emulator.find("insight", () => true)).toMatchObject([{ deleted: false }]);
  });

  it("sees no change in filters that lists show without their type, and empties them on request", async () => {
    const stack = await createStack();
    const declare = (filters: JsonObject, more: JsonObject = {}): Promise<void> =>
      stack.declare({ trend: { type: "Insight", args: { projectId: 2, name: "Trend", filters, ...more } } });
    const untyped = { events: [{ id: "$pageview" }] };
    await declare(untyped);
    await stack.run("up", "--yes", "--skip-preview");
    await declare({ insight: "TRENDS", ...untyped }, { description: "New" });
    await stack.run("up", "--yes", "--skip-preview");
    expect(stack.emulator.find("insight")).toMatchObject([{ description: "New" }]);
    await declare({});
    await stack.run("up", "--yes", "--skip-preview");
    expect(stack.emulator.find("insight")).toMatchObject([{ filters: {} }]);
  });

  it("sees and removes what somebody has added to a query, and leaves a query that has replaced filters", async () => {
    const stack = await createStack();
    const series = [{ kind: "EventsNode", event: "$pageview" }];
    const query = { kind: "InsightVizNode", source: { kind: "TrendsQuery", series } };
    const filters = { insight: "TRENDS", events: [{ id: "$pageview" }] };
    await stack.declare({
      trend: { type: "Insight", args: { projectId: 2, name: "Trend", query } },
      old: { type: "Insight", args: { projectId: 2, name: "Old", filters } },
    });
    await stack.run("up", "--yes", "--skip-preview");
    const [trend, old] = ["Trend", "Old"].map(
      (name) => stack.emulator.find("insight", (one) => one["name"] === name)[0],
    );
    const breakdownFilter = { breakdown: "plan", breakdown_type: "event" };
    stack.emulator.edit("insight", Number(trend?.id), {
      query: { ...query, source: { ...query.source, breakdownFilter } },
    });
    const sql = { kind: "DataVisualizationNode", source: { kind: "HogQLQuery", query: "select 1" } };
    stack.emulator.edit("insight", Number(old?.id), { filters: {}, query: sql });
    expect((await stack.steps("refresh", "--preview-only")).map(({ name }) => name).toSorted()).toEqual([
      "old",
      "trend",
    ]);
    await stack.run("refresh", "--yes", "--skip-preview");
    const { code, output } = await stack.pulumi(["up", "--yes", "--skip-preview", "--continue-on-error"]);
    expect([code === 0, output]).toEqual([false, expect.stringContaining("edited_as_query")]);
    expect(stack.emulator.find("insight", (one) => one["name"] === "Trend")[0]?.["query"]).toEqual(query);
    expect(stack.emulator.find("insight", (one) => one["name"] === "Old")).toMatchObject([{ filters: {}, query: sql }]);
  });

  it("replaces a batch export, keeps what the program does not declare, and loses nothing without its consent", async () => {
    const stack = await createStack();
    const declare = (destination: JsonObject, more: JsonObject = {}): Promise<void> =>
      stack.declare({
        nightly: {
          type: "BatchExport",
          args: { projectId: 2, name: "Nightly", interval: "day", destination, ...more },
        },
      });
    await declare({ type: "HTTP", config: { url: "https://acme.com/hook", token: "t" } });
    await stack.run("up", "--yes", "--skip-preview");
    const [before] = stack.emulator.find("batch_export");
    stack.emulator.edit("batch_export", String(before?.id), { model: "persons", start_at: "2026-01-01T00:00:00Z" });
    const noop = { type: "NoOp", config: {} };
    // No read shows the query of an export, so a replace cannot keep it.
    await declare(noop);
    const { code, output } = await stack.pulumi(["up", "--yes", "--skip-preview"]);
    expect([code === 0, output]).toEqual([false, expect.stringContaining("hogqlQuery")]);
    expect(stack.emulator.find("batch_export")).toMatchObject([{ id: before?.id, model: "persons" }]);
    // What the refusal says. YAML cannot say null: its runtime leaves such a property out.
    await declare(noop, { hogqlQuery: stack.resources === "packaged" ? "" : null });
    await stack.run("up", "--yes", "--skip-preview");
    const [after] = stack.emulator.find("batch_export");
    expect(after).toMatchObject({ model: "persons", start_at: "2026-01-01T00:00:00Z", destination: { type: "NoOp" } });
    expect(after?.id).not.toBe(before?.id);
  });

  it("removes nothing from the state if the key has lost access", async () => {
    const stack = await createStack();
    const program: Program = {
      acme: { type: "Organization", args: { name: "Acme Inc", adopt: true } },
      corp: { type: "Domain", args: { organizationId: ACME, domain: "acme.com" } },
      ada: { type: "Membership", args: { organizationId: ACME, email: "ada@acme.com", level: "admin", adopt: true } },
      signups: { type: "Insight", args: { projectId: 2, name: "Signups" } },
    };
    await stack.declare(program);
    await stack.run("up", "--yes", "--skip-preview");
    const before = await stack.state();
    const losses: readonly (readonly [401 | 403 | 404 | 500, RegExp])[] = [
      [401, /./],
      [403, /./],
      // The organization itself can still be seen, its lists cannot.
      [403, /\/(domains|invites|insights)/],
      [404, /./],
      [404, /organizations\/[^/]+/],
      [404, /members/],
      [500, /./],
    ];
    for (const [status, path] of losses) {
      stack.emulator.faults.add({ method: "GET", path, fault: { type: "status", status } });
      const { code, output } = await stack.pulumi(["refresh", "--yes", "--skip-preview"]);
      expect(code, `${String(status)} ${String(path)}`).not.toBe(0);
      // The error has no stack trace.
      expect(output).not.toContain("dist/pulumi");
      stack.emulator.faults.clear();
      expect(await stack.state()).toEqual(before);
    }
  });

  it("adopts an existing object only if the program says so", async () => {
    const stack = await createStack({
      seed: {
        organizations: [
          {
            id: ACME,
            name: "Acme Inc",
            projects: [{ id: 2, name: "Web", insights: [{ name: "Signups" }] }],
            domains: [{ domain: "acme.com" }],
          },
        ],
      },
    });
    const program = (adopt: object): Program => ({
      corp: { type: "Domain", args: { organizationId: ACME, domain: "acme.com", ...adopt } },
      signups: { type: "Insight", args: { projectId: 2, name: "Signups", ...adopt } },
    });
    await stack.declare(program({}));
    const { code, output } = await stack.pulumi(["up", "--yes", "--skip-preview"]);
    expect(code).not.toBe(0);
    expect(matchesIn(output, /an? (?:domain|insight) ".*adopt: true.*/)).toMatchSnapshot();
    await stack.declare(program({ adopt: true }));
    await stack.run("up", "--yes", "--skip-preview");
    expect(stack.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    expect((await stack.state()).map(({ id }) => id).toSorted()).toEqual(
      [...stack.emulator.find("domain", () => true), ...stack.emulator.find("insight", () => true)]
        .map(({ id }) => String(id))
        .toSorted(),
    );
    // An object that is only looked up is read completely, and neither changed nor removed.
    const [domain] = stack.emulator.find("domain", () => true);
    await stack.declare({
      ...program({ adopt: true }),
      seen: { type: "Domain", args: { organizationId: ACME }, options: { id: String(domain?.["id"]) } },
    });
    await stack.run("up", "--yes", "--skip-preview");
    expect((await stack.state()).find(({ name }) => name === "seen")?.outputs).toMatchObject({ domain: "acme.com" });
    await stack.run("refresh", "--yes", "--skip-preview", "--expect-no-changes");
    await stack.declare(program({ adopt: true }));
    await stack.run("up", "--yes", "--skip-preview");
    expect(stack.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });
});
