/** What old declarations of insights do on today's service. Each test has the name of what is declared or done. */
import { describe, expect, it } from "vitest";
import type { StoredObject } from "../../src/emulator/index.ts";
import type { JsonObject } from "../../src/emulator/json.ts";
import { applyJson, changeOf, one, outcomeOf, planJson, QUERY, seedOf, web, writes } from "../support/acme.ts";
import { SQL } from "../support/queries.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const ADDRESS = "acme/projects/web/insights/i";

const declare = (space: Workspace, fields: object): Promise<void> =>
  space.configure(web({ insights: { i: { name: "I", ...fields } } }));
const stored = ({ emulator }: Workspace): StoredObject => one(emulator.find("insight"));

const bodies = ({ emulator }: Workspace): readonly object[] =>
  emulator.requests.filter(({ method }) => method !== "GET").map(({ body }) => body as object);

/** A workspace with an insight that today's service has. */
async function withInsight(live: JsonObject, declared: object): Promise<Workspace> {
  const space = await workspace({ dialect: "current" });
  space.emulator.insert("insight", { project: 2 }, { id: 5, name: "I", query: QUERY, ...live });
  await declare(space, declared);
  return space;
}

async function expectConverged(space: Workspace): Promise<void> {
  await space.apply();
  expect(changeOf(await planJson(space), ADDRESS)).toMatchObject({ action: "no_op", fields: [] });
}

const planned = async (space: Workspace) => changeOf(await planJson(space), ADDRESS);
const warnings = async ({ plan }: Workspace): Promise<readonly string[]> =>
  (await plan()).diagnostics.map(({ code }) => code);

/** Nothing is sent for the insight, and apply exits as refused. */
async function expectRefused(space: Workspace): Promise<void> {
  space.emulator.clearRequests();
  await space.apply([], 13);
  expect(writes(space)).toEqual([]);
}

const BOARDS = seedOf({}, { dashboards: [7, 8] });
const FILTERS = { insight: "TRENDS", events: [{ id: "signed up" }] };

describe("insights on today's service", () => {
  it("`filters` only, create or update: a create", async () => {
    const space = await workspace({ dialect: "current" });
    space.emulator.insert("insight", { project: 2 }, { name: "Other", query: SQL });
    await declare(space, { filters: FILTERS });
    const { action, blocked } = await planned(space);
    expect([action, blocked]).toMatchSnapshot();
    expect((await space.plan()).diagnostics).toMatchObject([{ code: "not_on_service", line: expect.any(Number) }]);
    await expectRefused(space);
  });

  it("`filters` only, create or update: a create where no insight shows what the service takes", async () => {
    const space = await workspace({ dialect: "current" });
    await declare(space, { filters: FILTERS });
    expect(await planned(space)).toMatchObject({ action: "create", blocked: null });
    const { error } = outcomeOf(await applyJson(space), ADDRESS);
    expect([error?.code, error?.hint]).toMatchSnapshot();
    expect(space.emulator.find("insight")).toEqual([]);
  });

  it("`filters` only, create or update: an update, whose live query is accepted", async () => {
    const space = await withInsight({}, { filters: { ...FILTERS, events: [{ id: "bought" }] } });
    const { action, blocked, fields } = await planned(space);
    expect([action, blocked]).toMatchSnapshot();
    expect(fields.map(({ path }) => path)).toContain("/query");
    await expectRefused(space);
    expect((await space.run(["drift", "--accept", "--yes"])).code).toBe(0);
    expect(await planned(space)).toMatchObject({ action: "no_op" });
    expect(await warnings(space)).toEqual([]);
  });

  it("`filters` only, of an insight that stores nothing else", async () => {
    const space = await withInsight({ query: null, filters: FILTERS }, { filters: FILTERS });
    const { action, reason } = await planned(space);
    expect([action, reason]).toEqual([
      "no_op",
      "nothing differs; never shown by the service, so not compared: filters",
    ]);
    expect(await warnings(space)).toEqual(["not_on_service"]);
    await declare(space, { filters: FILTERS, description: "New" });
    await space.apply();
    expect(stored(space)).toMatchObject({ description: "New", filters: FILTERS });
  });

  it("`filters: {}` sent with something else", async () => {
    const space = await withInsight({}, { filters: {}, query: QUERY, description: "New" });
    await expectConverged(space);
    expect(bodies(space)).toEqual([{ description: "New", saved: false }]);
  });

  it("filters beside query", async () => {
    const space = await withInsight({}, { filters: FILTERS, query: { ...QUERY, full: true } });
    expect(await planned(space)).toMatchObject({ action: "update", fields: [{ path: "/query/full" }], blocked: null });
    expect(await warnings(space)).toEqual(["not_on_service"]);
    await expectConverged(space);
    expect(bodies(space).flatMap(Object.keys)).not.toContain("filters");
  });

  it.each([{}, { query: {} }, { query: null }])("create without query (an empty insight): %o", async (fields) => {
    const space = await workspace({ dialect: "current" });
    space.emulator.insert("insight", { project: 2 }, { name: "Other", query: SQL });
    await declare(space, fields);
    expect((await planned(space)).blocked).toEqual({ rule: "query_required", lift: "declare a query" });
    await expectRefused(space);
  });

  it.each([null, {}])("query: null or {}: %o", async (query) => {
    const space = await withInsight({}, { query });
    expect((await planned(space)).blocked?.rule).toBe("query_required");
    await expectRefused(space);
    expect(stored(space)["query"]).toEqual(QUERY);
  });

  it.each([
    ["TrendsQuery", QUERY.source],
    ["HogQLQuery", { kind: "HogQLQuery", query: "SELECT 1" }],
  ])("bare TrendsQuery, HogQLQuery and the like: %s", async (_kind, query) => {
    const space = await workspace({ dialect: "current" });
    await declare(space, { query });
    await expectConverged(space);
    await declare(space, { query, description: "New" });
    await expectConverged(space);
    expect(stored(space)["query"]).toMatchObject({ source: query });
  });

  it.each([false, true])("saved: false: declared as %s", async (saved) => {
    const space = await workspace({ dialect: "current" });
    await declare(space, { query: QUERY, saved });
    await expectConverged(space);
    await declare(space, { query: QUERY, saved, description: "New" });
    await expectConverged(space);
    expect(stored(space)).toMatchObject({ saved, description: "New" });
  });

  it.each([false, true])("saved not declared: live %s", async (saved) => {
    const space = await withInsight({ saved }, { query: QUERY, description: "New" });
    await expectConverged(space);
    expect(stored(space)).toMatchObject({ saved, description: "New" });
  });

  it("saved, changed by somebody else after the plan", async () => {
    const space = await withInsight({ saved: true }, { query: QUERY, description: "New" });
    expect((await space.run(["plan", "--out", "plan.json"])).code).toBe(0);
    space.emulator.edit("insight", 5, { saved: false });
    await space.apply(["--plan", "plan.json"]);
    expect(stored(space)).toMatchObject({ saved: false, description: "New" });
  });

  it.each([false, true])("dashboards not in the answer: %s", async (hidden) => {
    const space = await workspace({ dialect: "current", switches: { dashboards_on_request: hidden }, seed: BOARDS });
    await declare(space, { query: QUERY, dashboards: [7, 8] });
    await expectConverged(space);
    await declare(space, { query: QUERY, dashboards: [8] });
    await expectConverged(space);
    space.emulator.edit("insight", 1, { dashboards: [], hidden_dashboards: [7, 8] });
    const fields = [{ path: "/dashboards", prior: [], planned: [8] }];
    expect(await planned(space)).toMatchObject({ action: "update", fields });
  });

  it("dashboards: unknown", async () => {
    const space = await workspace({ dialect: "current" });
    await declare(space, { query: QUERY, dashboards: [99] });
    const { error } = outcomeOf(await applyJson(space), ADDRESS);
    expect(error?.message).toContain("Dashboard not found: 99");
  });

  it("dashboards: full", async () => {
    const space = await workspace({ dialect: "current", switches: { dashboard_limit: 1 } });
    space.emulator.insert("insight", { project: 2 }, { name: "Other", query: SQL, dashboards: [7] });
    await declare(space, { query: QUERY, dashboards: [7] });
    const { status, error } = outcomeOf(await applyJson(space), ADDRESS);
    expect([status, error?.code, error?.hint]).toMatchSnapshot();
  });

  it("restore", async () => {
    const space = await withInsight({ dashboards: [7], deleted: true }, { id: 5, query: QUERY, saved: false });
    const { action, reason } = await planned(space);
    expect([action, reason]).toMatchSnapshot();
    await expectConverged(space);
    expect(stored(space)).toMatchObject({ deleted: false, saved: false });
  });

  it("delete", async () => {
    const space = await withInsight({ dashboards: [7] }, { id: 5, lifecycle: { state: "absent" } });
    space.emulator.insert("alert", { project: 2 }, { insight: 5, name: "Low" });
    expect(await planned(space)).toMatchObject({ action: "delete", blocked: { rule: "destroys_more" } });
    await space.apply(["--allow-loss", ADDRESS]);
    expect([stored(space)["deleted"], space.emulator.find("alert")]).toEqual([true, []]);
  });

  it("query to a kind without alerts", async () => {
    const space = await withInsight({}, { id: 5, query: SQL });
    space.emulator.insert("alert", { project: 2 }, { insight: 5, name: "Low" });
    expect(await planned(space)).toMatchObject({ action: "update", blocked: { rule: "destroys_more" } });
    await expectRefused(space);
  });

  it("replace of an insight", async () => {
    const wanted = { query: QUERY, description: "New", favorited: true, dashboards: [7], tags: ["a"], order: 3 };
    const space = await withInsight({}, { id: 5, ...wanted, name: "Other" });
    // Nothing needs one: each field is changed in place, so alerts, tiles and the short_id stay.
    expect(await planned(space)).toMatchObject({ action: "update", blocked: null });
    const before = stored(space)["short_id"];
    await expectConverged(space);
    expect(stored(space)).toMatchObject({ id: 5, short_id: before });
  });

  it("list with created_by=5", async () => {
    const space = await withInsight({}, { query: QUERY });
    await space.plan();
    expect(space.emulator.requests.flatMap(({ query }) => Object.keys(query))).not.toContain("created_by");
    const { code, stderr } = await space.run(["call", "insights.list", "project_id=2", "created_by=5"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("answered 500")]);
  });

  it("basic=true for reading", async () => {
    const space = await withInsight({}, { id: 5, lifecycle: { state: "absent" } });
    await space.plan();
    const reads = space.emulator.requests.filter(({ path }) => path.includes("/insights/"));
    expect(reads.map(({ path, query }) => [path.split("/").at(-2), query["basic"]])).toEqual([
      ["insights", "true"],
      ["5", undefined],
    ]);
  });

  it("path id short_id", async () => {
    const space = await withInsight({}, { query: QUERY });
    const short_id = String(stored(space)["short_id"]);
    const { stdout } = await space.run(["call", "insights.get", "project_id=2", `id=${short_id}`]);
    expect(JSON.parse(stdout)).toMatchObject({ id: 5, short_id });
    await declare(space, { short_id, description: "New" });
    await expectConverged(space);
    expect(stored(space)).toMatchObject({ id: 5, description: "New" });
  });

  it.each(["get_trend", "get_funnel", "get_path", "get_retention"])("trend, funnel: %s", async (name) => {
    const space = await workspace({ dialect: "current", switches: { old_calculations: false } });
    const { code, stderr } = await space.run(["call", `insights.${name}`, "project_id=2"]);
    expect([code === 0, stderr]).toEqual([false, expect.stringContaining("insights.get")]);
    expect(stderr).not.toContain("insight:read");
  });

  it(":id/viewed", async () => {
    const space = await withInsight({}, { query: QUERY });
    const call = (name: string, ...more: readonly string[]) =>
      space.run(["call", `insights.${name}`, "project_id=2", ...more, "--yes"]);
    expect((await call("viewed", "id=5")).stderr).toContain("insights.mark_viewed");
    expect((await call("mark_viewed", "insight_ids=[5]")).code).toBe(0);
    const { stdout } = await space.run(["call", "insights.my_last_viewed", "project_id=2"]);
    expect(JSON.parse(stdout)).toMatchObject([{ id: 5 }]);
  });

  it("header x-posthog-client: mcp", async () => {
    const space = await withInsight({}, { query: QUERY, description: "New" });
    await space.apply();
    const { stdout } = await space.run(["call", "insights.activity", "project_id=2", "id=5"]);
    expect(JSON.parse(stdout)).toMatchObject({ results: [{ client: "driftline" }] });
  });

  it("tags, favorited, name, description", async () => {
    const space = await withInsight({}, { id: 5, query: QUERY });
    for (const more of [{ tags: ["a"] }, { favorited: true }, { name: "New" }, { description: "d" }]) {
      await declare(space, { id: 5, query: QUERY, ...more });
      await expectConverged(space);
      expect(stored(space)).toMatchObject({ ...more, saved: false });
    }
  });
});
