import { describe, expect, test } from "vitest";
import { idOf, start } from "../harness.ts";

const I = "/api/projects/2/insights/";
const EVENTS = { kind: "EventsNode", event: "$pageview" };
const viz = (source: object): object => ({ kind: "InsightVizNode", source });
const trends = (more: object = {}): object => viz({ kind: "TrendsQuery", series: [EVENTS], ...more });

const deployed = () => start({ dialect: "deployed", keys: [{ key: "k", scopes: ["*"] }] });

// A number in a test name is that of the observation of a real server which the test repeats.
describe("deployed: queries of insights", () => {
  test.each([
    ["what the web interface adds", trends({ filterTestAccounts: true, samplingFactor: 0.1, properties: [] })],
    ["a breakdown, and then none", trends({ breakdownFilter: null })],
    ["settings of every part", trends({ trendsFilter: { display: "BoldNumber" }, dateRange: { date_from: "-7d" } })],
    ["a query without a wrapper", { kind: "LifecycleQuery", series: [{ kind: "ActionsNode", id: 3 }] }],
    ["retention, which has no series", viz({ kind: "RetentionQuery", retentionFilter: { period: "Week" } })],
    ["paths, which have no series", viz({ kind: "PathsQuery", pathsFilter: { edgeLimit: 3 } })],
    ["a node of a series that does not name its kind", trends({ series: [{ event: "a", anything: 1 }] })],
    ["SQL", { kind: "DataVisualizationNode", source: { kind: "HogQLQuery", query: "select 1" } }],
    ["a kind that the emulator does not know", { kind: "WebOverviewQuery", anything: 1 }],
    ["nothing", {}],
  ])("99 %s is stored and returned as it is", async (_case, query) => {
    const { send } = await deployed();
    const { status, json } = await send("POST", I, { query });
    expect([status, json["query"]]).toEqual([201, query]);
    expect((await send("GET", `${I}${idOf(json)}/`)).json["query"]).toEqual(query);
  });

  test("236 lists show the stored SQL variables, reads by id those that the project has today", async () => {
    const { emulator, send } = await deployed();
    const [old, now, gone] = ["1", "2", "3"].map((digit) => `0190aa11-0000-4000-8000-00000000000${digit}`);
    emulator.editProject(2, { variables: [{ id: String(now), code_name: "plan" }] });
    const variables = { [String(old)]: { code_name: "plan" }, [String(gone)]: { code_name: "gone" } };
    const query = { kind: "DataVisualizationNode", source: { kind: "HogQLQuery", query: "select 1", variables } };
    const { json } = await send("POST", I, { query });
    const today = { [String(now)]: { variableId: now, code_name: "plan" } };
    expect(json["query"]?.["source"]?.["variables"]).toEqual(today);
    expect((await send("GET", `${I}${idOf(json)}/`)).json["query"]?.["source"]?.["variables"]).toEqual(today);
    expect((await send("GET", I)).json["results"]).toMatchObject([{ query }]);
  });

  test("99 an insight can be replaced in place by another node", async () => {
    const { send } = await deployed();
    const { json } = await send("POST", I, { query: trends() });
    const query = { kind: "DataTableNode", source: { kind: "HogQLQuery", query: "select 1" } };
    const after = await send("PATCH", `${I}${idOf(json)}/`, { query });
    expect([after.status, after.json["query"], after.json["filters"]]).toEqual([200, query, {}]);
  });

  test.each(["TrendsQuery", "FunnelsQuery", "LifecycleQuery", "StickinessQuery"])(
    "100 %s without a series is refused",
    async (kind) => {
      const { emulator, send } = await deployed();
      for (const [query, path] of [
        [{ kind }, kind],
        [viz({ kind }), `InsightVizNode.source.${kind}`],
      ]) {
        const { status, json } = await send("POST", I, { query });
        expect([status, json["type"], json["code"], json["attr"]]).toEqual([
          400,
          "invalid_request",
          "parse_error",
          null,
        ]);
        expect(json["detail"]).toContain(`${String(path)}.series Field required`);
      }
      expect(emulator.find("insight")).toEqual([]);
    },
  );

  test.each<[string, object, string]>([
    ["a wrapper", { ...trends(), bogus: 1 }, "InsightVizNode.bogus Extra"],
    ["a table", { kind: "DataTableNode", source: EVENTS, bogus: 1 }, "DataTableNode.bogus Extra"],
    [
      "a chart of SQL",
      { kind: "DataVisualizationNode", source: { kind: "HogQLQuery" }, x: 1 },
      "VisualizationNode.x Extra",
    ],
    ["a query", trends({ bogus: null }), "InsightVizNode.source.TrendsQuery.bogus Extra"],
    ["a query of another kind", trends({ funnelsFilter: {} }), "TrendsQuery.funnelsFilter Extra"],
    ["retention", viz({ kind: "RetentionQuery", retentionFilter: {}, series: [] }), "RetentionQuery.series Extra"],
    ["paths", viz({ kind: "PathsQuery", pathsFilter: {}, series: [] }), "PathsQuery.series Extra"],
    [
      "settings",
      viz({ kind: "RetentionQuery", retentionFilter: { showMean: true } }),
      "retentionFilter.showMean Extra",
    ],
    ["a period", trends({ dateRange: { from: "-7d" } }), "TrendsQuery.dateRange.from Extra"],
    ["an event", trends({ series: [EVENTS, { ...EVENTS, id: 1 }] }), "TrendsQuery.series.1.EventsNode.id Extra"],
  ])("100 an extra key of %s is refused", async (_case, query, detail) => {
    const { emulator, send } = await deployed();
    const { status, json } = await send("POST", I, { query });
    expect([status, json["code"]]).toEqual([400, "parse_error"]);
    expect(json["detail"]).toContain(detail);
    expect(emulator.find("insight")).toEqual([]);
  });

  test("100 the document does not check queries", async () => {
    const { send } = await start();
    expect((await send("POST", I, { query: { kind: "TrendsQuery", bogus: 1 } })).status).toBe(201);
  });
});
