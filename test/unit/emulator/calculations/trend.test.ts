import { beforeAll, describe, expect, test } from "vitest";
import { EVENT_SEED, TODAY } from "./events.ts";
import { startEmulator } from "../../../../src/emulator/index.ts";
import { sender, type Body, type Reply, type Send } from "../harness.ts";

const T = "/api/projects/2/insights/trend/";
let send: Send;
let deployed: Send;

beforeAll(async () => {
  const options = { seed: EVENT_SEED, now: TODAY };
  const [one, other] = [await startEmulator(options), await startEmulator({ ...options, dialect: "deployed" })];
  [send, deployed] = [sender(one), sender(other)];
  return async () => void (await Promise.all([one.close(), other.close()]));
});

const WEEK = { date_from: "2030-01-03", date_to: "2030-01-09" };
const VIEWS = { events: [{ id: "view" }] };
const lines = (reply: Reply): readonly Body[] => reply.json["result"] as unknown as readonly Body[];
const ask = async (body: object): Promise<readonly Body[]> => lines(await send("POST", T, { ...WEEK, ...body }));
const data = async (body: object): Promise<unknown[]> => (await ask(body)).map((line) => line["data"]);
const labels = async (body: object): Promise<unknown[]> => (await ask(body)).map((line) => line["label"]);

describe("a trend", () => {
  test("has the documented shape, with the request as its filter", async () => {
    const { json } = await send("POST", T, { ...WEEK, ...VIEWS, date_to: "2030-01-04" });
    expect(json).toEqual({
      is_cached: false,
      last_refresh: "2030-01-10T15:00:00Z",
      timezone: "UTC",
      result: [
        {
          data: [2, 1],
          days: ["2030-01-03", "2030-01-04"],
          labels: ["3-Jan-2030", "4-Jan-2030"],
          label: "view",
          filter: {
            events: [{ id: "view" }],
            actions: [],
            properties: null,
            filter_test_accounts: false,
            date_from: "2030-01-03",
            date_to: "2030-01-04",
          },
        },
      ],
    });
  });

  test.each<[string, object, unknown[]]>([
    ["totals of each day", VIEWS, [[2, 1, 2, 0, 0, 0, 0]]],
    ["people of each day", { events: [{ id: "view", math: "dau" }] }, [[1, 1, 2, 0, 0, 0, 0]]],
    ["all events", { events: [{ id: null }] }, [[2, 2, 3, 2, 1, 0, 1]]],
    ["an event without occurrences", { events: [{ id: "nothing" }] }, [[0, 0, 0, 0, 0, 0, 0]]],
    ["an action", { actions: [{ id: "5" }] }, [[0, 1, 1, 1, 1, 0, 1]]],
    [
      "several series in their order",
      { events: [{ id: "pay", order: 1 }], actions: [{ id: 5, order: 0 }] },
      [
        [0, 1, 1, 1, 1, 0, 1],
        [0, 0, 1, 0, 1, 0, 0],
      ],
    ],
    ["running totals", { ...VIEWS, display: "ActionsLineGraphCumulative" }, [[2, 3, 5, 5, 5, 5, 5]]],
    ["one number", { ...VIEWS, display: "BoldNumber" }, [[5]]],
    ["people as one number", { events: [{ id: "view", math: "dau" }], display: "ActionsTable" }, [[3]]],
    [
      "a formula",
      { events: [{ id: "view" }, { id: "signup" }], formula: "(A - B) / 2 + B * 2" },
      [[1, 2, 1, 1.5, 0, 0, 1.5]],
    ],
    ["a division by 0", { events: [{ id: "view" }, { id: "signup" }], formula: "A/B" }, [[0, 1, 0, 0, 0, 0, 0]]],
    ["a property", { ...VIEWS, properties: [{ key: "browser", value: "Chrome" }] }, [[0, 1, 1, 0, 0, 0, 0]]],
    [
      "a property of one series",
      { events: [{ id: "view", properties: [{ key: "plan", value: "2", operator: "gt" }] }] },
      [[0, 0, 1, 0, 0, 0, 0]],
    ],
    [
      "groups of properties",
      {
        ...VIEWS,
        properties: {
          type: "OR",
          values: [
            {
              type: "AND",
              values: [
                { key: "plan", value: [1, "2"] },
                { key: "browser", value: "chr", operator: "icontains" },
              ],
            },
            { key: "browser", operator: "is_not_set" },
          ],
        },
      },
      [[0, 1, 2, 0, 0, 0, 0]],
    ],
    ["no test accounts", { ...VIEWS, filter_test_accounts: true }, [[0, 1, 2, 0, 0, 0, 0]]],
  ])("counts %s", async (_name, body, expected) => {
    expect(await data(body)).toEqual(expected);
  });

  test("breaks down by an event property, the most frequent value first", async () => {
    const body = { ...VIEWS, breakdown: "browser" };
    expect(await labels(body)).toEqual(["view - Chrome", "view - Firefox", "view - none"]);
    expect(await data(body)).toEqual([
      [0, 1, 1, 0, 0, 0, 0],
      [2, 0, 0, 0, 0, 0, 0],
      [0, 0, 1, 0, 0, 0, 0],
    ]);
  });

  test("compares with the days before, or with the requested days", async () => {
    const body = { ...VIEWS, date_from: "2030-01-05", date_to: "2030-01-06", compare: true };
    expect(await labels(body)).toEqual(["view - current", "view - previous"]);
    expect(await data(body)).toEqual([
      [2, 0],
      [2, 1],
    ]);
    expect(await data({ ...body, compare_to: "-1d" })).toEqual([
      [2, 0],
      [1, 2],
    ]);
  });

  test.each<[string, object, string, string]>([
    [
      "both defaults, which is one day a week ago",
      { date_from: undefined, date_to: undefined },
      "2030-01-03",
      "2030-01-03",
    ],
    ["-7d to a date", { date_from: "-7d", date_to: "2030-01-10" }, "2030-01-03", "2030-01-10"],
    ["-1m", { date_from: "-1m", date_to: "-1d" }, "2029-12-10", "2030-01-09"],
    ["mStart", { date_from: "mStart", date_to: "2030-01-02" }, "2030-01-01", "2030-01-02"],
    ["yStart", { date_from: "yStart", date_to: "-5d" }, "2030-01-01", "2030-01-05"],
  ])("reads dates: %s", async (_name, dates, first, last) => {
    const [line] = await ask({ ...VIEWS, ...dates });
    const days = line?.["days"] as unknown as readonly string[];
    expect([days[0], days.at(-1)]).toEqual([first, last]);
  });

  test("a month earlier than the 31st is the last day of a shorter month", async () => {
    const emulator = await startEmulator({ seed: EVENT_SEED, now: () => new Date("2030-03-31T00:00:00Z") });
    const reply = await sender(emulator)("POST", T, { ...VIEWS, date_from: "-1m", date_to: "-1m" });
    expect(lines(reply)[0]?.["days"]).toEqual(["2030-02-28"]);
    await emulator.close();
  });

  test.each<[string, object, string | null]>([
    ["neither events nor actions", {}, null],
    ["no events in the list", { events: [] }, null],
    ["events that are not a list", { events: "view" }, "events"],
    ["an event without an id", { events: [{}] }, "events"],
    ["an action that does not exist", { actions: [{ id: 6 }] }, "actions"],
    ["an invalid date", { ...VIEWS, date_from: "2030-02-30" }, "date_from"],
    ["an undocumented date format", { ...VIEWS, date_to: "tomorrow" }, "date_to"],
    ["a range of more than a century", { ...VIEWS, date_from: "1000-01-01" }, "date_from"],
    ["a display that is unknown", { ...VIEWS, display: "Pie" }, "display"],
    ["a formula with an unknown letter", { ...VIEWS, formula: "A + B" }, "formula"],
    ["an incomplete formula", { ...VIEWS, formula: "(A + 1" }, "formula"],
    ["two formulas in one", { ...VIEWS, formula: "A A" }, "formula"],
    ["a math that the emulator does not support", { events: [{ id: "view", math: "p99" }] }, "events"],
    ["a property of persons", { ...VIEWS, properties: [{ key: "email", value: "x", type: "person" }] }, "properties"],
    ["an operator that is unknown", { ...VIEWS, properties: [{ key: "a", value: 1, operator: "like" }] }, "properties"],
    ["an invalid pattern", { ...VIEWS, properties: [{ key: "a", value: "(", operator: "regex" }] }, "properties"],
    ["a breakdown of persons", { ...VIEWS, breakdown: "email", breakdown_type: "person" }, "breakdown"],
    ["a type of breakdown that is unknown", { ...VIEWS, breakdown: "x", breakdown_type: "y" }, "breakdown_type"],
  ])("refuses %s", async (_name, body, attr) => {
    const reply = await send("POST", T, body);
    expect([reply.status, reply.json["attr"]]).toEqual([400, attr]);
  });

  test("as CSV it has a line for each series and a column for each day", async () => {
    const reply = await send("POST", `${T}?format=csv`, { ...VIEWS, ...WEEK, date_to: "2030-01-04" });
    expect(reply.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(reply.text).toBe("series,3-Jan-2030,4-Jan-2030\r\nview,2,1\r\n");
  });

  test("the GET has the shape of an insight", async () => {
    const { status, json } = await send("GET", T);
    expect([status, json["id"], json["result"], "short_id" in json]).toEqual([200, 0, null, true]);
  });
});

describe("deployed: a trend", () => {
  test("has an empty result without series, and its default range ends today", async () => {
    expect(lines(await deployed("POST", T, {}))).toEqual([]);
    const [line] = lines(await deployed("POST", T, VIEWS));
    expect(line).toMatchObject({ data: [2, 1, 2, 0, 0, 0, 0, 0], count: 5 });
  });

  test("a single number is aggregated_value", async () => {
    const [line] = lines(await deployed("POST", T, { ...VIEWS, display: "BoldNumber" }));
    expect(line).toMatchObject({ aggregated_value: 5, data: [], days: [] });
  });

  test("the GET reads the query", async () => {
    const query = new URLSearchParams({ events: '[{"id":"view"}]', date_from: "2030-01-03", date_to: "2030-01-04" });
    expect(lines(await deployed("GET", `${T}?${query.toString()}`))[0]?.["data"]).toEqual([2, 1]);
  });

  test("marks the compared range and the breakdown value", async () => {
    const body = { ...VIEWS, compare: true, breakdown: "browser", date_from: "2030-01-04", date_to: "2030-01-04" };
    expect(lines(await deployed("POST", T, body))).toMatchObject([
      { compare: true, compare_label: "current", breakdown_value: "Chrome" },
      { compare: true, compare_label: "previous", breakdown_value: "Firefox" },
    ]);
  });
});
