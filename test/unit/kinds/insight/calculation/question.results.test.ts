import { describe, expect, it } from "vitest";
import { isUncalculable } from "../../../../../src/kinds/calculation.ts";
import { questionOf } from "../../../../../src/kinds/insight/calculation/question.ts";
import { ExactNumber, type Json, type JsonObject } from "../../../../../src/model/json/json.ts";

const KINDS = ["TrendsQuery", "LifecycleQuery", "FunnelsQuery", "StickinessQuery", "RetentionQuery", "HogQLQuery"];

function sideOf(query: JsonObject, answer: Json) {
  const question = questionOf({ query }, null, { now: 0, profile: "posthog" });
  return isUncalculable(question) ? question : question.read(answer);
}

function read(kind: string, answer: Json, settings: JsonObject = {}) {
  const side = sideOf({ kind, ...settings }, answer);
  if (isUncalculable(side)) throw new Error(`${kind}: ${side.reason}`);
  return side;
}

function readFilters(filters: JsonObject, answer: Json) {
  const question = questionOf({ filters }, null, { now: 0, profile: "document" });
  if (isUncalculable(question)) throw new Error(question.reason);
  return question.read(answer);
}

const BROKEN_DOWN = { breakdownFilter: { breakdown: "country" } };

describe("a trend", () => {
  const days = ["2026-11-24", "2026-11-25"];

  it("has a series for each of the query, with the sum as its total", () => {
    const results = [
      { data: [1, 2], days, labels: ["24-Nov", "25-Nov"], label: "$pageview", count: 3, action: { order: 0 } },
    ];
    expect(read("TrendsQuery", { results })).toMatchObject({
      shape: "lines",
      series: [
        {
          label: "$pageview",
          total: 3,
          points: [
            { at: "2026-11-24", value: 1 },
            { at: "2026-11-25", value: 2 },
          ],
        },
      ],
    });
  });

  it("keeps gaps, and counts what is there", () => {
    const [series] = read("TrendsQuery", { results: [{ data: [null, 2], days, label: "a" }] }).series;
    expect(series).toMatchObject({ total: 2, points: [{ value: null }, { value: 2 }] });
  });

  it("has a single number where the display shows one", () => {
    const results = [{ data: [], days: [], label: "a", count: 0, aggregated_value: 41 }];
    expect(read("TrendsQuery", { results }).series[0]).toMatchObject({ total: 41, points: [] });
  });

  it("is told apart by place, value of the breakdown, and compared period", () => {
    const one = (order: number, breakdown: Json, period: string) => ({
      data: [1],
      days: ["2026-11-25"],
      label: "a",
      action: { id: "a", name: "a", order },
      breakdown_value: breakdown,
      compare_label: period,
    });
    const results = [
      one(0, "de", "current"),
      one(1, "de", "current"),
      one(0, "at", "current"),
      one(0, "de", "previous"),
      one(0, "de", "previous"),
    ];
    const { series } = read("TrendsQuery", { results }, BROKEN_DOWN);
    expect(new Set(series.map(({ key }) => key)).size).toBe(5);
    expect(series.map(({ label }) => label)).toEqual([
      "a - de",
      "a - de",
      "a - at",
      "a - de - previous",
      "a - de - previous",
    ]);
    expect(new Set(series.map(({ whole }) => whole?.key)).size).toBe(3);
  });

  const CUMULATIVE = { trendsFilter: { display: "ActionsLineGraphCumulative" } };

  const counted = (more: JsonObject): JsonObject => ({
    data: [1, 3],
    days,
    label: "a",
    action: { id: "a", order: 0 },
    ...more,
  });

  it("is the same series without a comparison as the current period of one", () => {
    const keys = [counted({}), counted({ compare_label: "current" })].map(
      (row) => read("TrendsQuery", { results: [row] }).series[0]?.key,
    );
    expect(keys[0]).toBe(keys[1]);
  });

  it("is the same series at another place of the query, and another one if it counts something else", () => {
    const keyAt = (more: JsonObject): unknown => read("TrendsQuery", { results: [counted(more)] }).series[0]?.key;
    expect(keyAt({ action: { id: "a", order: 3 } })).toBe(keyAt({}));
    expect(keyAt({ action: { id: "b", order: 0 } })).not.toBe(keyAt({}));
  });

  it("has its last point as its total if each point holds those before it, and says so", () => {
    const side = read("TrendsQuery", { results: [counted({})] }, CUMULATIVE);
    expect([side.series[0]?.total, side.notes.length]).toEqual([3, 1]);
  });

  it.each<[string, JsonObject, boolean]>([
    ["points that hold those before them", CUMULATIVE, true],
    ["events", { series: [{ kind: "EventsNode", math: "total" }] }, true],
    ["people who are new", { series: [{ kind: "EventsNode", math: "first_time_for_user" }] }, true],
    ["a formula", { trendsFilter: { formula: "A/B" } }, false],
    ["an average", { series: [{ kind: "EventsNode", math: "avg" }] }, false],
    ["people", { series: [{ kind: "EventsNode", math: "dau" }] }, false],
    ["people of a week", { series: [{ kind: "EventsNode" }, { kind: "EventsNode", math: "weekly_active" }] }, false],
  ])("says whether its points can be added up: %s", (_name, settings, isAdditive) => {
    expect(read("TrendsQuery", { results: [counted({})] }, settings)).toMatchObject({ isAdditive });
  });

  it.each([
    ["a value that the label names", "a - de", "de", "a - de"],
    ["a value that it does not name", "Formula (A)", "de", "Formula (A) - de"],
    ["the rest", "$$_posthog_breakdown_other_$$", "$$_posthog_breakdown_other_$$", "other values"],
    ["no value", "a - ", "", "a - no value"],
  ])("names the value of its breakdown: %s", (_name, label, breakdown, expected) => {
    const row = counted({ label, breakdown_value: breakdown, action: null });
    expect(read("TrendsQuery", { results: [row] }, BROKEN_DOWN).series[0]?.label).toBe(expected);
  });

  it("takes the name of no value for that of all", () => {
    const row = counted({ label: "ada@acme.com", breakdown_value: "ada@acme.com", action: null });
    expect(read("TrendsQuery", { results: [row] }, BROKEN_DOWN).series[0]?.whole?.label).toBe("all values");
  });

  it("has numbers that JavaScript cannot hold exactly, and no sum beyond all numbers", () => {
    const data = [new ExactNumber("9007199254740993"), 1];
    expect(read("TrendsQuery", { results: [{ data, days, label: "a" }] }).series[0]?.total).toBeCloseTo(2 ** 53, -2);
    expect(read("TrendsQuery", { results: [{ data: [1e308, 1e308], days, label: "a" }] }).series[0]?.total).toBeNull();
  });

  it("says if its breakdown has more values", () => {
    expect(read("TrendsQuery", { results: [], hasMore: true }, BROKEN_DOWN).notes).toHaveLength(1);
    expect(read("TrendsQuery", { results: [], hasMore: false }).notes).toEqual([]);
  });

  it("of the interface document has them under another key", () => {
    expect(readFilters({ events: [] }, { result: [{ data: [5], days: ["2026-11-25"], label: "a" }] })).toMatchObject({
      series: [{ total: 5 }],
    });
  });
});

describe("a funnel", () => {
  const steps = (breakdown: Json = null) => [
    { name: "a", custom_name: null, count: 10, breakdown_value: breakdown },
    { name: "b", custom_name: "Paid", count: 4, breakdown_value: breakdown },
  ];

  it("has its steps as points, and those who finish it as its total", () => {
    expect(read("FunnelsQuery", { results: steps() })).toMatchObject({
      shape: "steps",
      series: [
        {
          total: 4,
          points: [
            { at: "a", value: 10 },
            { at: "Paid", value: 4 },
          ],
        },
      ],
    });
  });

  it("has one series for each value of a breakdown", () => {
    const { series } = read("FunnelsQuery", { results: [steps(["de"]), steps("at")] });
    expect(series.map(({ label, whole }) => [label, whole?.label])).toEqual([
      ["de", "funnel"],
      ["at", "funnel"],
    ]);
  });

  it("shown in another form is not read", () => {
    expect(
      sideOf({ kind: "FunnelsQuery", funnelsFilter: { funnelVizType: "trends" } }, { results: [] }),
    ).toHaveProperty("reason");
  });

  it("of the interface document has them under another key", () => {
    expect(readFilters({ insight: "FUNNELS" }, { result: steps() })).toMatchObject({ series: [{ total: 4 }] });
  });
});

describe("other queries", () => {
  it("a lifecycle has a series for each status", () => {
    const results = ["new", "dormant"].map((status, at) => ({
      data: [at === 0 ? 3 : -2],
      days: ["2026-11-25"],
      label: `a - ${status}`,
      status,
    }));
    const { series, isAdditive } = read("LifecycleQuery", { results });
    expect([series.map(({ total }) => total), isAdditive]).toEqual([[3, -2], false]);
  });

  it("stickiness is by number of days", () => {
    const results = [{ data: [7, 1], days: [1, 2], labels: ["1 day", "2 days"], label: "a" }];
    expect(read("StickinessQuery", { results })).toMatchObject({
      shape: "rows",
      series: [
        {
          points: [
            { at: "1 day", value: 7 },
            { at: "2 days", value: 1 },
          ],
        },
      ],
    });
  });

  it("retention adds the cohorts up, and counts the returns", () => {
    const cohort = (...counts: number[]) => ({ values: counts.map((count) => ({ count })) });
    const side = read("RetentionQuery", { results: [cohort(10, 4, 1), cohort(20, 5)] });
    expect(side.series[0]).toMatchObject({ total: 10, points: [{ value: 30 }, { value: 9 }, { value: 1 }] });
    expect(side.notes).toHaveLength(1);
  });
});

describe("rows of SQL", () => {
  it("are counted, and each column of numbers is a series", () => {
    const answer = {
      columns: ["day", "n", "name"],
      results: [
        ["2026-11-24", 3, null],
        ["2026-11-25", 4, "x"],
      ],
    };
    expect(read("HogQLQuery", answer)).toMatchObject({
      shape: "rows",
      series: [
        { label: "rows", total: 2, points: [] },
        {
          label: "n",
          total: 7,
          points: [
            { at: "2026-11-24", value: 3 },
            { at: "2026-11-25", value: 4 },
          ],
        },
      ],
      notes: [],
    });
  });

  it("a single number has no points", () => {
    expect(read("HogQLQuery", { columns: ["n"], results: [[41]] }).series).toMatchObject([
      { label: "rows", total: 1 },
      { label: "n", total: 41, points: [] },
    ]);
  });

  it("columns of one name are two series", () => {
    const { series } = read("HogQLQuery", {
      columns: ["c", "c"],
      results: [
        [1, 10],
        [2, 20],
      ],
    });
    expect(new Set(series.map(({ key }) => key)).size).toBe(3);
  });

  it("of names are the first ten, those of times as many as a chart can show; the totals are of all", () => {
    const rows = (nameOf: (at: number) => string) => Array.from({ length: 200_000 }, (_, at) => [nameOf(at), 1]);
    const named = read("HogQLQuery", { results: rows((at) => `user ${String(at)}`) });
    expect(named).toMatchObject({ hasNames: true, series: [{ total: 200_000 }, { total: 200_000 }] });
    expect([named.series[1]?.points.length, named.notes.length]).toEqual([10, 1]);
    const timed = read("HogQLQuery", { results: rows(() => "2026-11-24") });
    expect([timed.series[1]?.points.length, timed.hasNames]).toEqual([2_000, false]);
  });

  it("that were cut say so", () => {
    expect(read("HogQLQuery", { results: [["a"]], hasMore: true }).notes).toHaveLength(1);
  });

  it("no rows are none", () => {
    expect(read("HogQLQuery", { results: [] }).series).toMatchObject([{ label: "rows", total: 0 }]);
  });
});

describe("an answer without numbers says why", () => {
  it.each<[string, Json]>([
    ["nothing", null],
    ["a list", []],
    ["an error", { error: "Unknown function x", results: [] }],
    ["a calculation in the background", { query_status: { complete: false } }],
    ["results of another form", { results: [1] }],
    ["no results", {}],
  ])("%s", (_name, answer) => {
    for (const kind of KINDS)
      expect([kind, sideOf({ kind }, answer)]).toEqual([kind, { reason: expect.any(String) as string }]);
  });
});
