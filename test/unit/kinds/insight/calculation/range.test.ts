import { describe, expect, it } from "vitest";
import { rangeOf } from "../../../../../src/kinds/insight/calculation/range.ts";
import type { JsonObject } from "../../../../../src/model/json/json.ts";

/** A Thursday. Twelve hours behind UTC it is still the same day. */
const NOW = Date.parse("2026-11-26T15:30:00Z");

const trend = (dateRange: JsonObject | null, more: JsonObject = {}): JsonObject => ({
  query: {
    kind: "InsightVizNode",
    source: { kind: "TrendsQuery", series: [], ...more, ...(dateRange && { dateRange }) },
  },
});

describe("the range of both sides ends with the last full day, and begins where the declared query says", () => {
  const table: readonly [string, JsonObject, string, string][] = [
    ["nothing is seven days", trend(null), "2026-11-19", "2026-11-25"],
    ["30 days", trend({ date_from: "-30d" }), "2026-10-27", "2026-11-25"],
    ["24 hours are a day", trend({ date_from: "-24h" }, { interval: "hour" }), "2026-11-25", "2026-11-25"],
    ["two weeks by day", trend({ date_from: "-2w" }), "2026-11-12", "2026-11-25"],
    [
      "eight weeks by week are whole ones",
      trend({ date_from: "-8w" }, { interval: "week" }),
      "2026-09-27",
      "2026-11-21",
    ],
    ["seven days by week are the week that has ended", trend(null, { interval: "week" }), "2026-11-15", "2026-11-21"],
    ["three days by week as well", trend({ date_from: "-3d" }, { interval: "week" }), "2026-11-15", "2026-11-21"],
    [
      "a year by month has whole months",
      trend({ date_from: "-1y" }, { interval: "month" }),
      "2025-11-01",
      "2026-10-31",
    ],
    [
      "a month that has not ended is the one before",
      trend({ date_from: "mStart" }, { interval: "month" }),
      "2026-10-01",
      "2026-10-31",
    ],
    ["a quarter", trend({ date_from: "-1q" }), "2026-08-26", "2026-11-25"],
    ["this year", trend({ date_from: "yStart" }), "2026-01-01", "2026-11-25"],
    ["the last month", trend({ date_from: "-1mStart", date_to: "-1mEnd" }), "2026-10-01", "2026-10-31"],
    ["the last year", trend({ date_from: "-1yStart", date_to: "-1yEnd" }), "2025-01-01", "2025-12-31"],
    ["dates", trend({ date_from: "2026-03-01", date_to: "2026-03-31" }), "2026-03-01", "2026-03-31"],
    [
      "dates by week are whole weeks",
      trend({ date_from: "2026-03-03", date_to: "2026-03-31" }, { interval: "week" }),
      "2026-03-01",
      "2026-04-04",
    ],
    ["times", trend({ date_from: "2026-03-01T10:00:00Z", date_to: "2026-03-31" }), "2026-03-01", "2026-03-31"],
    ["an end in the future", trend({ date_from: "2026-11-01", date_to: "2027-01-01" }), "2026-11-01", "2026-11-25"],
    ["an end that is relative", trend({ date_from: "-30d", date_to: "-10d" }), "2026-10-27", "2026-11-16"],
    ["everything", trend({ date_from: "all" }), "all", "2026-11-25"],
    ["filters", { filters: { events: [], date_from: "-3d" } }, "2026-11-23", "2026-11-25"],
    [
      "SQL with filters",
      { query: { kind: "HogQLQuery", filters: { dateRange: { date_from: "-3d" } } } },
      "2026-11-23",
      "2026-11-25",
    ],
    [
      "a retention",
      { query: { kind: "RetentionQuery", retentionFilter: { period: "Week", totalIntervals: 4 } } },
      "2026-10-25",
      "2026-11-21",
    ],
  ];

  it.each(table)("%s", (_name, after, from, to) => {
    expect(rangeOf(undefined, after, NOW)).toEqual({ from, to });
  });

  it("a day has ended only if it has ended in every time zone", () => {
    expect(rangeOf(undefined, trend(null), Date.parse("2026-11-26T11:59:59Z"))).toMatchObject({ to: "2026-11-24" });
    expect(rangeOf(undefined, trend(null), Date.parse("2026-11-26T12:00:00Z"))).toMatchObject({ to: "2026-11-25" });
  });

  it("the longer interval of the two sides decides", () => {
    const before = trend({ date_from: "-30d" }, { interval: "week" });
    expect(rangeOf(before, trend({ date_from: "-30d" }), NOW)).toEqual({ from: "2026-10-25", to: "2026-11-21" });
  });

  it("the 31st of a shorter month is its last day", () => {
    const now = Date.parse("2026-12-31T15:00:00Z");
    expect(rangeOf(undefined, trend({ date_from: "-1m" }), now)).toMatchObject({ from: "2026-11-30" });
  });
});

describe("no range", () => {
  it("SQL without filters has none", () => {
    expect(rangeOf(undefined, { query: { kind: "HogQLQuery", query: "SELECT 1" } }, NOW)).toBeNull();
  });

  it.each([
    ["today", trend({ date_from: "dStart" })],
    ["the future", trend({ date_from: "2026-12-01" })],
    ["a text of another form", trend({ date_from: "yesterday" })],
    ["an end of another form", trend({ date_from: "-3d", date_to: "soon" })],
    ["a number", trend({ date_from: 7 })],
    ["a number of days without end", trend({ date_from: "-999999999d" })],
  ])("%s cannot be calculated", (_name, after) => {
    expect(rangeOf(undefined, after, NOW)).toHaveProperty("reason");
  });
});
