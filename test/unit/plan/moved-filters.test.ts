import { describe, expect, it } from "vitest";
import type { Json } from "../../../src/model/json.ts";
import { changeOf, declare, live, plan } from "./world.ts";

/** The plan of filters with these events, against a service that shows others as the query which it has generated of them. */
function planOf(declared: readonly Json[], series: readonly Json[]) {
  const filters = { insight: "TRENDS", events: declared };
  const resource = declare("acme/projects/web/insights/s", { name: "S", filters });
  const query = { kind: "InsightVizNode", source: { kind: "TrendsQuery", series } };
  const rows = [{ id: 1, short_id: "abcdefgh", name: "S", filters: {}, query }];
  return changeOf(plan([resource], live({}, { "insights.list": rows })), resource.address);
}

const node = (event: string, more: object = {}): Json => ({ kind: "EventsNode", event, name: event, ...more });

describe("filters that a service shows as a query", () => {
  const [a, b] = [
    { id: "a", math: "dau" },
    { id: "b", unseen: 1 },
  ];

  it("do not differ if the query has the declared events in their order", () => {
    expect(planOf([a, b], [node("a", { math: "dau" }), node("b")])).toMatchObject({ action: "no_op" });
  });

  it("differ if the events are in another order, and the plan shows what is sent", () => {
    const { fields, work } = planOf([b, a], [node("a", { math: "dau" }), node("b")]);
    expect(work?.body).toMatchObject({ filters: { insight: "TRENDS", events: [b, a] } });
    expect(fields.map(({ path, planned }) => [path, planned])).toContainEqual(["/filters/events", [b, a]]);
  });
});
