import { describe, expect, it } from "vitest";
import { isUncalculable } from "../../../../../src/kinds/calculation.ts";
import { READERS, readFunnel, readTrend } from "../../../../../src/kinds/insight/calculation/results.ts";
import type { Json } from "../../../../../src/model/json.ts";

const read = (kind: string, answer: Json) => {
  const side = READERS[kind]?.read(answer);
  if (side === undefined || isUncalculable(side)) throw new Error(`${kind}: ${side?.reason ?? "no reader"}`);
  return side;
};

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
      action: { order },
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
    const { series } = read("TrendsQuery", { results });
    expect(new Set(series.map(({ key }) => key)).size).toBe(5);
    expect(series.map(({ label }) => label)).toEqual(["a", "a", "a", "a - previous", "a - previous"]);
    expect(new Set(series.map(({ whole }) => whole?.key)).size).toBe(3);
  });

  it("says if its breakdown has more values", () => {
    expect(read("TrendsQuery", { results: [], hasMore: true }).notes).toHaveLength(1);
    expect(read("TrendsQuery", { results: [], hasMore: false }).notes).toEqual([]);
  });

  it("of the interface document has them under another key", () => {
    expect(readTrend({ result: [{ data: [5], days: ["2026-11-25"], label: "a" }] }, "result")).toMatchObject({
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
      ['["de"]', "funnel"],
      ["at", "funnel"],
    ]);
  });

  it("of the interface document has them under another key", () => {
    expect(readFunnel({ result: steps() }, "result")).toMatchObject({ series: [{ total: 4 }] });
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
    expect(read("LifecycleQuery", { results }).series.map(({ total }) => total)).toEqual([3, -2]);
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

  it("a single number is that number", () => {
    expect(read("HogQLQuery", { columns: ["n"], results: [[41]] }).series).toMatchObject([
      { label: "n", total: 41, points: [] },
    ]);
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
    for (const kind of Object.keys(READERS))
      expect([kind, READERS[kind]?.read(answer)]).toEqual([kind, { reason: expect.any(String) as string }]);
  });
});
