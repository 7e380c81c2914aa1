import { beforeAll, describe, expect, test } from "vitest";
import { EVENT_SEED, TODAY } from "./events.ts";
import { startEmulator } from "../../../../src/emulator/index.ts";
import { sender, start } from "../harness.ts";
import type { Body, Reply, Send } from "../harness.ts";

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

  test("can be hit by a fault", async () => {
    const { emulator, send: asked } = await start({ seed: EVENT_SEED, now: TODAY, dialect: "deployed" });
    emulator.faults.add({ path: "/query", nth: 1, fault: { type: "throttle", retryAfter: 3 } });
    emulator.faults.add({ path: "/query", nth: 2, fault: { type: "half-body" } });
    const throttled = await asked("POST", Q, { query: trend() });
    expect([throttled.status, throttled.headers.get("retry-after")]).toEqual([429, "3"]);
    await expect(asked("POST", Q, { query: trend() })).rejects.toThrow(Error);
    expect((await asked("POST", Q, { query: trend() })).status).toBe(200);
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

  test("can be one number", async () => {
    const [line] = await results(trend({ trendsFilter: { display: "BoldNumber" } }));
    expect(line).toMatchObject({ aggregated_value: 5, data: [], days: [], count: 0 });
    const query = trend({ series: BOTH, trendsFilter: { display: "BoldNumber", formula: "A - B" } });
    expect(await field(query, "aggregated_value")).toEqual([2]);
  });
});
