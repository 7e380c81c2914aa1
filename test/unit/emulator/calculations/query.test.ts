import { beforeAll, describe, expect, test } from "vitest";
import { EVENT_SEED, TODAY } from "./events.ts";
import { startEmulator } from "../../../../src/emulator/index.ts";
import { sender, start, type Body, type Reply, type Send } from "../harness.ts";
import type { Dialect } from "../../../../src/emulator/service.ts";

const Q = "/api/projects/2/query/";
let send: Send;

beforeAll(async () => {
  const emulator = await startEmulator({ seed: EVENT_SEED, now: TODAY, dialect: "deployed" });
  send = sender(emulator);
  return () => emulator.close();
});

const WEEK = { date_from: "2030-01-03", date_to: "2030-01-09" };
const VIEWS = [{ kind: "EventsNode", event: "view" }];
const BOTH = [...VIEWS, { kind: "EventsNode", event: "signup" }];
const trend = (more: object = {}): object => ({ kind: "TrendsQuery", series: VIEWS, dateRange: WEEK, ...more });
const ask = (query: object): Promise<Reply> => send("POST", Q, { query });
const results = async (query: object): Promise<readonly Body[]> =>
  (await ask(query)).json["results"] as unknown as readonly Body[];
const field = async (query: object, name: string): Promise<unknown[]> =>
  (await results(query)).map((line) => line[name]);
const data = (query: object): Promise<unknown[]> => field(query, "data");

describe("the query route", () => {
  test("answers a trend with the fields of the service", async () => {
    const { status, json } = await ask(trend({ dateRange: { date_from: "2030-01-03", date_to: "2030-01-04" } }));
    expect(status).toBe(200);
    expect(json).toMatchObject({ is_cached: false, query_status: null, timezone: "UTC", hasMore: false, error: null });
    const days = ["2030-01-03", "2030-01-04"];
    expect(json["results"]).toEqual([
      {
        data: [2, 1],
        labels: ["3-Jan-2030", "4-Jan-2030"],
        days,
        count: 3,
        label: "view",
        filter: expect.objectContaining({ insight: "TRENDS", interval: "day" }),
        action: expect.objectContaining({
          days,
          id: "view",
          type: "events",
          order: 0,
          name: "view",
          custom_name: null,
        }),
      },
    ]);
  });

  test.each<[string, object]>([
    ["a view of it", { kind: "InsightVizNode", source: trend() }],
    ["a table of it", { kind: "DataTableNode", source: trend() }],
  ])("calculates %s as the query itself", async (_name, query) => {
    expect(await data(query)).toEqual([[2, 1, 2, 0, 0, 0, 0]]);
  });

  test("exists in deployed dialects only, and in today's under its other name too", async () => {
    const at = (path: string) => ({ path, body: { query: trend() } });
    for (const [dialect, { path, body }, expected] of [
      ["document", at(Q), 404],
      ["current", at(Q), 200],
      ["current", at("/api/environments/2/query/"), 200],
      ["deployed", at("/api/environments/2/query/"), 404],
    ] as const) {
      const { send: asked } = await start({ seed: EVENT_SEED, now: TODAY, dialect });
      expect((await asked("POST", path, body)).status).toBe(expected);
    }
  });

  test.each<[string, string[], number]>([
    ["query:read", ["query:read"], 200],
    ["another scope", ["insight:write"], 403],
  ])("with a key of %s", async (_name, scopes, expected) => {
    const { send: asked } = await start({ seed: EVENT_SEED, dialect: "deployed", keys: [{ key: "k", scopes }] });
    expect((await asked("POST", Q, { query: trend() })).status).toBe(expected);
  });

  test.each<[string, object, string]>([
    ["no query", {}, "parse_error"],
    ["a query that is no object", { query: "select 1" }, "parse_error"],
    ["an unknown kind", { query: { kind: "Nothing" } }, "parse_error"],
    ["an unknown key of a query", { query: trend({ breakdown: "x" }) }, "parse_error"],
    ["an unknown key beside it", { query: trend(), filters: {} }, "parse_error"],
    ["an unknown mode", { query: trend(), refresh: "sometimes" }, "parse_error"],
    ["a kind that the emulator does not calculate", { query: { kind: "WebOverviewQuery" } }, "invalid_input"],
  ])("refuses %s", async (_name, body, code) => {
    const reply = await send("POST", Q, body);
    expect([reply.status, reply.json["code"]]).toEqual([400, code]);
  });

  test.each([403, 404, 500])("can be hit by a fault of status %i", async (status) => {
    const { emulator, send: asked } = await start({ seed: EVENT_SEED, now: TODAY, dialect: "current" });
    emulator.faults.add({ path: "/query", nth: 1, fault: { type: "status", status } });
    expect((await asked("POST", Q, { query: trend() })).status).toBe(status);
    expect((await asked("POST", Q, { query: trend() })).status).toBe(200);
  });

  test("can be throttled, broken and delayed by a fault", async () => {
    const { emulator, send: asked } = await start({ seed: EVENT_SEED, now: TODAY, dialect: "deployed" });
    emulator.faults.add({ path: "/query", nth: 1, fault: { type: "throttle", retryAfter: 3 } });
    emulator.faults.add({ path: "/query", nth: 2, fault: { type: "half-body" } });
    let release = (): void => undefined;
    const until = new Promise<void>((resolve) => (release = resolve));
    emulator.faults.add({ path: "/query", nth: 3, fault: { type: "delay-before", until } });
    const throttled = await asked("POST", Q, { query: trend() });
    expect([throttled.status, throttled.headers.get("retry-after")]).toEqual([429, "3"]);
    await expect(asked("POST", Q, { query: trend() })).rejects.toThrow(Error);
    const hanging = asked("POST", Q, { query: trend() });
    expect((await asked("POST", Q, { query: trend() })).status).toBe(200);
    release();
    expect((await hanging).status).toBe(200);
  });

  test("shares its limit with insights", async () => {
    const { send: asked } = await start({ dialect: "deployed", rateLimits: { general: 9, insights: 1 } });
    expect((await asked("GET", "/api/projects/2/insights/")).status).toBe(200);
    expect((await asked("POST", Q, { query: trend() })).status).toBe(429);
  });
});

describe("a query of a trend", () => {
  test.each<[string, object, unknown[]]>([
    ["people", { series: [{ kind: "EventsNode", event: "view", math: "dau" }] }, [[1, 1, 2, 0, 0, 0, 0]]],
    ["all events", { series: [{ kind: "EventsNode", event: null }] }, [[2, 2, 3, 2, 1, 0, 1]]],
    ["an action", { series: [{ kind: "ActionsNode", id: 5 }] }, [[0, 1, 1, 1, 1, 0, 1]]],
    ["a property", { properties: [{ key: "browser", value: "Chrome", type: "event" }] }, [[0, 1, 1, 0, 0, 0, 0]]],
    [
      "a property of one series",
      { series: [{ ...VIEWS[0], properties: [{ key: "plan", value: 2, operator: "gt", type: "event" }] }] },
      [[0, 0, 1, 0, 0, 0, 0]],
    ],
    ["no test accounts", { filterTestAccounts: true }, [[0, 1, 2, 0, 0, 0, 0]]],
    ["running totals", { trendsFilter: { display: "ActionsLineGraphCumulative" } }, [[2, 3, 5, 5, 5, 5, 5]]],
    ["bars", { trendsFilter: { display: "ActionsUnstackedBar" } }, [[2, 1, 2, 0, 0, 0, 0]]],
    ["a formula", { series: BOTH, trendsFilter: { formula: "A + B*2" } }, [[2, 3, 2, 2, 0, 0, 2]]],
    [
      "several formulas",
      { series: BOTH, trendsFilter: { formulas: ["A", "B"] } },
      [
        [2, 1, 2, 0, 0, 0, 0],
        [0, 1, 0, 1, 0, 0, 1],
      ],
    ],
    ["weeks, which begin on Sundays", { interval: "week" }, [[5, 0]]],
    ["months", { interval: "month" }, [[5]]],
    [
      "hours",
      { interval: "hour", dateRange: { date_from: "2030-01-03T08:00:00Z", date_to: "2030-01-03T10:30:00Z" } },
      [[1, 1, 0]],
    ],
  ])("counts %s", async (_name, more, expected) => {
    expect(await data(trend(more))).toEqual(expected);
  });

  test.each<[string, object, string, string]>([
    ["nothing", {}, "2030-01-03", "2030-01-10"],
    ["-7d", { date_from: "-7d", date_to: null }, "2030-01-03", "2030-01-10"],
    ["-1m to -1d", { date_from: "-1m", date_to: "-1d" }, "2029-12-10", "2030-01-09"],
    ["mStart", { date_from: "mStart" }, "2030-01-01", "2030-01-10"],
    ["dStart", { date_from: "dStart" }, "2030-01-10", "2030-01-10"],
    ["the last month", { date_from: "-1mStart", date_to: "-1mEnd" }, "2029-12-01", "2029-12-31"],
    ["all", { date_from: "all" }, "2030-01-03", "2030-01-10"],
    ["-24h", { date_from: "-24h" }, "2030-01-09", "2030-01-10"],
    ["moments", { date_from: "2030-01-03T12:00:00Z", date_to: "2030-01-04 13:00" }, "2030-01-03", "2030-01-04"],
  ])("reads dates: %s", async (_name, dateRange, first, last) => {
    const [line] = await results(trend({ dateRange }));
    const days = line?.["days"] as unknown as readonly string[];
    expect([days[0], days.at(-1)]).toEqual([first, last]);
  });

  test("with hours before now does not count what happened earlier in the first hour", async () => {
    const query = (date_from: string): object => trend({ series: [{ event: null }], dateRange: { date_from } });
    expect(await data(query("-38h"))).toEqual([[0, 0]]);
    expect(await data(query("-39h"))).toEqual([[1, 0]]);
  });

  test("counts sessions that events name", async () => {
    const { emulator, send: asked } = await start({ seed: EVENT_SEED, now: TODAY, dialect: "deployed" });
    const sessions = ["a", "a", "b"].map(($session_id) => ({
      event: "seen",
      distinct_id: "ann",
      properties: { $session_id },
    }));
    emulator.addEvents(2, sessions);
    const query = trend({ series: [{ event: "seen", math: "unique_session" }], dateRange: { date_from: "dStart" } });
    expect((await asked("POST", Q, { query })).json["results"]).toMatchObject([{ data: [2] }]);
  });

  test("can be one number", async () => {
    const [line] = await results(trend({ trendsFilter: { display: "BoldNumber" } }));
    expect(line).toMatchObject({ aggregated_value: 5, data: [], days: [], count: 0 });
    const query = trend({ series: BOTH, trendsFilter: { display: "BoldNumber", formula: "A - B" } });
    expect(await field(query, "aggregated_value")).toEqual([2]);
  });
});

describe("a query of a trend with a breakdown", () => {
  const OTHER = "$$_posthog_breakdown_other_$$";
  const NONE = "$$_posthog_breakdown_null_$$";
  const by = (breakdownFilter: object, more: object = {}): object => trend({ breakdownFilter, ...more });

  test.each<[string, object, unknown[]]>([
    ["a name", { breakdown: "browser", breakdown_type: "event" }, ["Chrome", "Firefox", NONE]],
    ["a list", { breakdowns: [{ property: "browser", type: "event" }] }, [["Chrome"], ["Firefox"], [NONE]]],
    ["a limit", { breakdown: "browser", breakdown_limit: 2 }, ["Chrome", "Firefox", OTHER]],
    [
      "a limit, without the rest",
      { breakdown: "browser", breakdown_limit: 1, breakdown_hide_other_aggregation: true },
      ["Chrome"],
    ],
  ])("by %s has the most frequent values first", async (_name, filter, expected) => {
    expect(await field(by(filter), "breakdown_value")).toEqual(expected);
  });

  test("says that there are more values than the limit, and adds them up", async () => {
    const { json } = await ask(by({ breakdown: "browser", breakdown_limit: 1 }));
    expect(json["hasMore"]).toBe(true);
    expect(json["results"]).toMatchObject([
      { label: "Chrome", count: 2 },
      { label: OTHER, count: 3, data: [2, 0, 1, 0, 0, 0, 0] },
    ]);
  });

  test("shows 25 values without a limit", async () => {
    const { emulator, send: asked } = await start({ seed: EVENT_SEED, now: TODAY, dialect: "deployed" });
    const many = Array.from({ length: 30 }, (_, at) => ({ event: "many", distinct_id: "a", properties: { at } }));
    emulator.addEvents(2, many);
    const query = trend({ series: [{ event: "many" }], dateRange: {}, breakdownFilter: { breakdown: "at" } });
    const { json } = await asked("POST", Q, { query });
    const lines = json["results"] as unknown as readonly Body[];
    expect([lines.length, lines.at(-1)?.["breakdown_value"], lines.at(-1)?.["count"]]).toEqual([26, OTHER, 5]);
  });

  test("names the series as well if there are several", async () => {
    const labels = await field(by({ breakdown: "browser" }, { series: BOTH }), "label");
    expect(labels).toEqual(["view - Chrome", "view - Firefox", `view - ${NONE}`, `signup - ${NONE}`]);
  });

  test("computes a formula for each value", async () => {
    const query = by({ breakdown: "browser" }, { series: BOTH, trendsFilter: { formula: "A + B" } });
    expect(await results(query)).toMatchObject([
      { label: "Formula (A + B)", breakdown_value: "Chrome", count: 2, action: null },
      { breakdown_value: "Firefox", count: 2 },
      { breakdown_value: NONE, count: 4 },
    ]);
  });

  test.each<[string, object]>([
    ["two properties", { breakdowns: [{ property: "browser" }, { property: "plan" }] }],
    ["a property of persons", { breakdown: "email", breakdown_type: "person" }],
  ])("refuses %s", async (_name, filter) => {
    expect((await ask(by(filter))).status).toBe(400);
  });
});

describe("a query of a trend with a comparison", () => {
  const compared = (dateRange: object, more: object = {}): object =>
    trend({ dateRange, compareFilter: { compare: true, ...more } });

  test.each<[string, object, object, string]>([
    ["the range before", { date_from: "2030-01-05", date_to: "2030-01-06" }, {}, "2030-01-03"],
    ["another range", { date_from: "2030-01-05", date_to: "2030-01-06" }, { compare_to: "-1m" }, "2029-12-05"],
    ["the same days of the week", { date_from: "-7d" }, {}, "2029-12-27"],
    ["the same days until a date", { date_from: "-7d", date_to: "2030-01-09" }, {}, "2029-12-28"],
    ["as many days until a relative date", { date_from: "-7d", date_to: "-1d" }, {}, "2029-12-27"],
  ])("has the series of %s after its own", async (_name, dateRange, more, first) => {
    const lines = await results(compared(dateRange, more));
    expect(lines.map((line) => line["compare_label"])).toEqual(["current", "previous"]);
    expect([lines[1]?.["compare"], lines[1]?.["days"]?.[0]]).toEqual([true, first]);
    expect(lines[1]?.["data"]?.length).toEqual(lines[0]?.["data"]?.length);
  });
});

describe("a query of a funnel", () => {
  const funnel = (more: object = {}): object => ({
    kind: "FunnelsQuery",
    series: [...BOTH, { kind: "EventsNode", event: "pay", custom_name: "Paid" }],
    dateRange: WEEK,
    ...more,
  });

  test("has a step for each series", async () => {
    const { status, json } = await ask({ kind: "InsightVizNode", source: funnel() });
    expect(status).toBe(200);
    expect(json["results"]).toEqual([
      {
        action_id: "view",
        name: "view",
        custom_name: null,
        order: 0,
        people: [],
        count: 3,
        type: "events",
        average_conversion_time: null,
        median_conversion_time: null,
      },
      expect.objectContaining({ name: "signup", order: 1, count: 3, average_conversion_time: 56 * 3600 }),
      expect.objectContaining({ name: "pay", order: 2, count: 2, custom_name: "Paid" }),
    ]);
  });

  test.each<[string, object, unknown[]]>([
    ["a window", { funnelsFilter: { funnelWindowInterval: 25, funnelWindowIntervalUnit: "hour" } }, [3, 1, 0]],
    ["strict order", { funnelsFilter: { funnelOrderType: "strict" } }, [3, 3, 0]],
    [
      "an exclusion",
      { funnelsFilter: { exclusions: [{ kind: "EventsNode", event: "cancel", funnelFromStep: 1, funnelToStep: 2 }] } },
      [2, 2, 1],
    ],
    ["an action", { series: [VIEWS[0], { kind: "ActionsNode", id: 5 }] }, [3, 3]],
  ])("counts people with %s", async (_name, more, expected) => {
    expect(await field(funnel(more), "count")).toEqual(expected);
  });

  test("has a list of steps for each value of a breakdown", async () => {
    const lists = await results(funnel({ breakdownFilter: { breakdown: "browser", breakdown_limit: 2 } }));
    const shown = (lists as unknown as readonly (readonly Body[])[]).map((steps) => [
      steps[0]?.["breakdown_value"]?.[0],
      ...steps.map((step) => step["count"]),
    ]);
    expect(shown).toEqual([
      ["", 1, 1, 0],
      ["Chrome", 1, 1, 1],
      ["Other", 1, 1, 1],
    ]);
  });

  test("has its other views", async () => {
    const [line] = await results(funnel({ funnelsFilter: { funnelVizType: "trends" }, interval: "week" }));
    expect(line).toMatchObject({ days: ["2029-12-30", "2030-01-06"], data: [(100 * 2) / 3, 0] });
    const { json } = await ask(funnel({ funnelsFilter: { funnelVizType: "time_to_convert" } }));
    expect(json["results"]).toMatchObject({ bins: expect.any(Array) });
  });

  test.each<[Dialect, object, number, string | undefined]>([
    ["deployed", funnel({ series: VIEWS }), 400, "invalid_input"],
    ["current", funnel({ series: VIEWS }), 400, "funnels_require_at_least_two_steps"],
    ["deployed", trend({ series: [] }), 200, undefined],
    ["current", trend({ series: [] }), 400, "insight_requires_at_least_one_series"],
  ])("and of a trend need enough series: %s, %j", async (dialect, query, status, code) => {
    const { send: asked } = await start({ seed: EVENT_SEED, now: TODAY, dialect });
    const reply = await asked("POST", Q, { query });
    expect([reply.status, reply.json["code"]]).toEqual([status, code]);
  });
});

describe("a query in SQL", () => {
  const SQL = "select event, count()\n  from events limit 300;";
  const rows = (length: number): number[][] => Array.from({ length }, (_, at) => [at]);

  async function withRows(length: number): Promise<(query: string) => Promise<Reply>> {
    const { emulator, send: asked } = await start({ seed: EVENT_SEED, dialect: "current" });
    emulator.insert("query_result", { project: 2 }, { query: SQL, columns: ["event"], results: rows(length) });
    return (query) => asked("POST", Q, { query: { kind: "HogQLQuery", query } });
  }

  test.each<[string, string, number, number, boolean | undefined]>([
    ["without a limit", "select event, count() from events", 150, 100, true],
    ["without a limit and with few rows", "select event, count() from events", 100, 100, false],
    ["with a limit", "select event, count() from events LIMIT 120", 150, 120, undefined],
    ["with a limit that is never reached", SQL, 150, 150, undefined],
  ])("%s returns the rows of the seed", async (_name, query, there, shown, hasMore) => {
    const { status, json } = await (await withRows(there))(query);
    expect([status, json["results"]?.length, json["hasMore"], json["columns"]]).toEqual([
      200,
      shown,
      hasMore,
      ["event"],
    ]);
  });

  test("that the seed does not know is refused", async () => {
    const reply = await (await withRows(1))("select 1");
    expect([reply.status, reply.json["type"], reply.json["code"]]).toEqual([400, "validation_error", "invalid_input"]);
  });

  test("can be in a seed", async () => {
    const project = { id: 2, name: "Web", query_results: [{ query: "select 1", results: [[1]] }] };
    const { send: asked } = await start({
      seed: { organizations: [{ name: "Acme", projects: [project] }] },
      dialect: "deployed",
    });
    const query = { kind: "DataVisualizationNode", source: { kind: "HogQLQuery", query: "select 1" } };
    expect((await asked("POST", Q, { query })).json["results"]).toEqual([[1]]);
  });
});

test("a saved insight shows the result of its query", async () => {
  const { send: asked } = await start({ seed: EVENT_SEED, now: TODAY, dialect: "current" });
  const query = { kind: "InsightVizNode", source: trend({ breakdownFilter: { breakdown: "browser" } }) };
  const { json } = await asked("POST", "/api/projects/2/insights/", { query });
  const shown = await asked("GET", `/api/projects/2/insights/${String(json["id"])}/?refresh=true`);
  expect(shown.json["result"]).toEqual((await asked("POST", Q, { query })).json["results"]);
});
