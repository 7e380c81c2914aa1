import { describe, expect, test } from "vitest";
import { start } from "../harness.ts";

const I = "/api/projects/2/insights/";
const STORED = { kind: "InsightVizNode", source: { kind: "TrendsQuery", series: [] } };
const MODES = [
  ["plain", false],
  ["as query", true],
] as const;

async function shown(filters: object, replaceFilters: boolean) {
  const { send } = await start({ dialect: "deployed", replaceFilters });
  return (await send("POST", I, { filters })).json;
}

const sourceOf = async (filters: object) => (await shown(filters, true))["query"]?.["source"];

// A number in a test name is that of the observation of a real server which the test repeats.
describe.each(MODES)("deployed: legacy filters (%s)", (_mode, replaceFilters) => {
  test("233 a stored query stays if filters are written, until it is set to null with them", async () => {
    const { emulator, send } = await start({ dialect: "deployed", replaceFilters });
    emulator.insert("insight", { project: 2 }, { id: 5, query: STORED });
    const filters = { insight: "TRENDS", date_from: "-7d" };
    const patched = await send("PATCH", `${I}5/`, { filters });
    expect([patched.status, patched.json["query"]]).toEqual([200, STORED]);
    await send("PATCH", `${I}5/`, { filters, query: null });
    expect(emulator.find("insight")).toMatchObject([{ filters, query: null }]);
  });
});

describe("deployed: filters that are shown as a query", () => {
  test("234 as stored without the mode, as a query with it", async () => {
    const filters = { insight: "TRENDS", events: [] };
    expect(await shown(filters, false)).toMatchObject({ filters, query: null });
    expect(await shown(filters, true)).toMatchObject({ filters: {}, query: { source: { kind: "TrendsQuery" } } });
  });

  test("244 the order decides the place of events and actions, and ids are numbers", async () => {
    const source = await sourceOf({
      events: [
        { id: "b", order: 2 },
        { id: "a", order: 0 },
      ],
      actions: [{ id: "7", order: 1 }],
    });
    expect(source?.["series"]).toEqual([
      { kind: "EventsNode", event: "a" },
      { kind: "ActionsNode", id: 7 },
      { kind: "EventsNode", event: "b" },
    ]);
  });

  test("244 a filter by a property compares exactly if it names no operator", async () => {
    const properties = [
      { key: "plan", value: "pro" },
      { key: "age", value: 3, operator: "gt" },
    ];
    const source = await sourceOf({ properties, events: [{ id: "a", properties }] });
    const expected = [
      { operator: "exact", key: "plan", value: "pro" },
      { operator: "gt", key: "age", value: 3 },
    ];
    expect(source).toMatchObject({
      properties: { type: "AND", values: [{ type: "AND", values: expected }] },
      series: [{ properties: expected }],
    });
  });

  test("exclusions and a comparison have places of their own", async () => {
    const exclusions = [{ id: "bug", type: "events", funnel_from_step: 0, funnel_to_step: 1 }];
    expect(await sourceOf({ insight: "FUNNELS", exclusions, shown_as: "Volume" })).toMatchObject({
      funnelsFilter: { exclusions: [{ kind: "EventsNode", event: "bug", funnelFromStep: 0, funnelToStep: 1 }] },
    });
    expect(await sourceOf({ insight: "TRENDS", compare: true, compare_to: "-1y" })).toMatchObject({
      compareFilter: { compare: true, compare_to: "-1y" },
    });
  });
});
