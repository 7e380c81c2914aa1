/** A query that is declared without the node around it: services of today store it inside of one, older ones as it is sent. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/emulator/json.ts";
import { changeOf, one, planJson, web } from "../support/acme.ts";
import { ALL_DIALECTS } from "../support/dialects.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const ADDRESS = "acme/projects/web/insights/i";
const VIEW = { kind: "EventsNode", event: "view" };
const TRENDS = { kind: "TrendsQuery", series: [VIEW] };
const SQL = { kind: "HogQLQuery", query: "SELECT 1" };
const inView = (source: object): JsonObject => ({ kind: "InsightVizNode", source }) as JsonObject;
const inTable = (source: object): JsonObject => ({ kind: "DataVisualizationNode", source }) as JsonObject;

const declare = (space: Workspace, query: object, lifecycle: object = {}): Promise<void> =>
  space.configure(web({ insights: { i: { name: "I", query, lifecycle } } }));
const stored = ({ emulator }: Workspace): unknown => one(emulator.find("insight"))["query"];
const edit = ({ emulator }: Workspace, query: JsonObject): void => {
  emulator.edit("insight", Number(one(emulator.find("insight")).id), { query });
};
const planned = async (space: Workspace) => changeOf(await planJson(space), ADDRESS);

describe.each(ALL_DIALECTS)("a bare query on a server that speaks %s", (dialect) => {
  it.each<[string, object, JsonObject]>([
    ["TrendsQuery", TRENDS, inView(TRENDS)],
    ["FunnelsQuery", { ...TRENDS, kind: "FunnelsQuery" }, inView({ ...TRENDS, kind: "FunnelsQuery" })],
    [
      "RetentionQuery",
      { kind: "RetentionQuery", retentionFilter: {} },
      inView({ kind: "RetentionQuery", retentionFilter: {} }),
    ],
    ["PathsQuery", { kind: "PathsQuery", pathsFilter: {} }, inView({ kind: "PathsQuery", pathsFilter: {} })],
    ["PathsV2Query", { kind: "PathsV2Query" }, inView({ kind: "PathsV2Query" })],
    ["StickinessQuery", { ...TRENDS, kind: "StickinessQuery" }, inView({ ...TRENDS, kind: "StickinessQuery" })],
    ["LifecycleQuery", { ...TRENDS, kind: "LifecycleQuery" }, inView({ ...TRENDS, kind: "LifecycleQuery" })],
    ["WebStatsTableQuery", { kind: "WebStatsTableQuery" }, inView({ kind: "WebStatsTableQuery" })],
    ["HogQLQuery", SQL, inTable(SQL)],
  ])("converges in one apply: %s", async (_kind, query, wrapped) => {
    const space = await workspace({ dialect });
    await declare(space, query);
    await space.apply();
    expect(stored(space)).toEqual(wrapped);
    expect(await planned(space)).toMatchObject({ action: "no_op" });
  });

  it("is changed at its own paths, and keeps what others own", async () => {
    const space = await workspace({ dialect });
    await declare(space, TRENDS);
    await space.apply();
    edit(space, inView({ ...TRENDS, interval: "week" }));
    await declare(space, { ...TRENDS, series: [{ ...VIEW, event: "buy" }] }, { ignore: ["/query/interval"] });
    const fields = [{ path: "/query/series/0/event", prior: "view", planned: "buy" }];
    expect(await planned(space)).toMatchObject({ action: "update", fields });
    await space.apply();
    expect(stored(space)).toEqual(inView({ ...TRENDS, interval: "week", series: [{ ...VIEW, event: "buy" }] }));
  });

  it("is no reason to hide what others add around it", async () => {
    const space = await workspace({ dialect });
    await declare(space, TRENDS);
    await space.apply();
    edit(space, { ...inView(TRENDS), showTable: true });
    const prior = { kind: "InsightVizNode", source: TRENDS, showTable: true };
    expect(await planned(space)).toMatchObject({
      action: "update",
      fields: [{ path: "/query", prior, planned: TRENDS }],
    });
    await space.apply();
    expect(stored(space)).toEqual(inView(TRENDS));
  });

  it("is left as it is if it is stored bare, and wrapped with the next change", async () => {
    const space = await workspace({ dialect });
    await declare(space, SQL);
    await space.apply();
    edit(space, SQL);
    expect(await planned(space)).toMatchObject({ action: "no_op" });
    await declare(space, { ...SQL, query: "SELECT 2" });
    await space.apply();
    expect(stored(space)).toEqual(inTable({ ...SQL, query: "SELECT 2" }));
    expect(await planned(space)).toMatchObject({ action: "no_op" });
  });

  it("is accepted where it stands in the file", async () => {
    const space = await workspace({ dialect });
    await declare(space, TRENDS);
    await space.apply();
    edit(space, inView({ ...TRENDS, series: [{ ...VIEW, event: "buy" }] }));
    expect((await space.run(["drift", "--accept", "--yes"])).code).toBe(0);
    const text = await readFile(join(space.folder, "driftline.yaml"), "utf8");
    expect(text).toContain("event: buy");
    expect(text).not.toContain("source:");
    expect(await planned(space)).toMatchObject({ action: "no_op" });
  });
});

it("209 what a service writes out into a query that somebody else has sent is drift, which apply puts right", async () => {
  const space = await workspace({ dialect: "current" });
  await declare(space, TRENDS);
  await space.apply();
  edit(space, inView({ ...TRENDS, filterTestAccounts: false }));
  expect(await planned(space)).toMatchObject({ action: "update", fields: [{ path: "/query/filterTestAccounts" }] });
  await space.apply();
  expect(stored(space)).toEqual(inView(TRENDS));
});
