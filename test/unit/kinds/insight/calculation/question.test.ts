import { describe, expect, it } from "vitest";
import { CALCULATIONS } from "../../../../../src/kinds/insight/calculation/question.ts";
import { isUncalculable } from "../../../../../src/kinds/calculation.ts";
import type { JsonObject } from "../../../../../src/model/json/json.ts";

const RANGE = { from: "2026-11-01", to: "2026-11-25" };
const POSTHOG = { now: 0, profile: "posthog" } as const;

describe("the question about an insight", () => {
  it("is its query over the range, with every other setting", () => {
    const source = {
      kind: "TrendsQuery",
      series: [{ kind: "EventsNode", event: "a" }],
      dateRange: { date_from: "-7d", explicitDate: false },
    };
    expect(CALCULATIONS.of({ query: { kind: "InsightVizNode", source } }, RANGE, POSTHOG)).toMatchObject({
      call: {
        operation: "queries.run",
        body: {
          query: { ...source, dateRange: { date_from: "2026-11-01", date_to: "2026-11-25" } },
          refresh: "blocking",
        },
      },
      interval: "day",
    });
  });

  it("is the text of SQL, unchanged", () => {
    const source = { kind: "HogQLQuery", query: "SELECT 1" };
    const values = { query: { kind: "DataVisualizationNode", source } };
    expect(CALCULATIONS.of(values, null, POSTHOG)).toMatchObject({ call: { body: { query: source } }, interval: null });
  });

  it.each([
    ["a trend", { events: [] }, "insights.trend", "day"],
    ["a trend by week", { insight: "TRENDS", events: [], interval: "week" }, "insights.trend", "week"],
    ["a funnel", { insight: "FUNNELS", events: [] }, "insights.funnel", null],
  ])("of filters is the documented one: %s", (_name, filters: JsonObject, operation, interval) => {
    const { insight: _insight, ...rest } = filters;
    const body = { ...rest, date_from: RANGE.from, date_to: RANGE.to };
    expect(CALCULATIONS.of({ filters, query: null }, RANGE, { now: 0, profile: "document" })).toMatchObject({
      call: { operation, body },
      interval,
    });
  });

  it.each<[string, JsonObject, "posthog" | "document"]>([
    ["nothing", { filters: {}, query: null }, "posthog"],
    ["filters of a retention", { filters: { insight: "RETENTION" } }, "posthog"],
    [
      "a query that only shows events",
      { query: { kind: "DataTableNode", source: { kind: "EventsQuery" } } },
      "posthog",
    ],
    ["a query without a kind", { query: {} }, "posthog"],
    ["a query, where the document has none", { query: { kind: "TrendsQuery" } }, "document"],
  ])("there is none about %s", (_name, values, profile) => {
    expect(isUncalculable(CALCULATIONS.of(values, RANGE, { now: 0, profile }))).toBe(true);
  });
});

describe("the values after a write", () => {
  it.each<[string, JsonObject, JsonObject, JsonObject]>([
    [
      "a query is replaced",
      { query: { kind: "a" }, filters: {} },
      { query: { kind: "b" } },
      { query: { kind: "b" }, filters: {} },
    ],
    [
      "filters alone take the place of the query",
      { query: { kind: "a" }, filters: {} },
      { filters: { events: [] } },
      { query: null, filters: { events: [] } },
    ],
    ["a query beside filters counts", {}, { query: { kind: "b" }, filters: {} }, { query: { kind: "b" }, filters: {} }],
  ])("%s", (_name, live, body, after) => {
    expect(CALCULATIONS.after(live, body)).toEqual(after);
  });
});
