/** A query that is stored beside legacy filters decides what the insight shows, in both modes of a server. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { JsonObject } from "../../src/emulator/json.ts";
import { changeOf, one, outcomeOf, applyJson, planJson, web } from "../support/acme.ts";
import { SQL } from "../support/queries.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const ADDRESS = "acme/projects/web/insights/i";
const FILTERS = { insight: "TRENDS", events: [{ id: "signed up", type: "events", order: 0 }], date_from: "-7d" };
const trend = (event: string, more: JsonObject = {}): JsonObject => ({
  kind: "InsightVizNode",
  source: {
    kind: "TrendsQuery",
    series: [{ kind: "EventsNode", event }],
    dateRange: { date_from: "-7d" },
    ...more,
  },
});

const MODES = [
  { mode: "plain", replaceFilters: false },
  { mode: "as query", replaceFilters: true },
] as const;

describe.each(MODES)("legacy filters ($mode)", ({ replaceFilters }) => {
  /** A workspace with a live insight, and a configuration that declares its filters. */
  const declared = async (live: JsonObject, filters: JsonObject = FILTERS, more: object = {}): Promise<Workspace> => {
    const space = await workspace({ dialect: "deployed", replaceFilters });
    space.emulator.insert("insight", { project: 2 }, { id: 5, name: "I", ...live });
    await space.configure(web({ insights: { i: { name: "I", filters, ...more } } }));
    return space;
  };
  const live = ({ emulator }: Workspace) => one(emulator.find("insight"));
  const insightIn = async ({ folder }: Workspace): Promise<unknown> => {
    const file = parse(await readFile(join(folder, "driftline.yaml"), "utf8")) as ReturnType<typeof fileOf>;
    return file.organizations.acme.projects.web.insights.i;
  };

  it.each<[string, JsonObject]>([
    ["an edit in the web interface", { filters: {}, query: trend("left") }],
    ["an edit that left the filters", { filters: FILTERS, query: trend("left") }],
    ["an edit that left other filters", { filters: { ...FILTERS, date_from: "-1d" }, query: trend("left") }],
    ["another node", { filters: {}, query: SQL }],
    ["another node beside the filters", { filters: FILTERS, query: SQL }],
  ])("%s is a difference, and the apply removes the query that the plan shows", async (_name, stored) => {
    for (const more of [{}, { query: null }]) {
      const space = await declared(stored, FILTERS, more);
      const { fields } = changeOf(await planJson(space), ADDRESS);
      expect(fields.filter(({ path }) => path.startsWith("/query"))).toEqual([
        { path: "/query", prior: stored["query"], planned: null },
      ]);
      await space.apply();
      expect(live(space)).toMatchObject({ filters: FILTERS, query: null });
      expect((await planJson(space, "--detailed-exitcode")).code).toBe(0);
    }
  });

  it("a stored query stays if nothing of the filters differs", async () => {
    const space = await declared({ filters: {}, query: trend("signed up") }, FILTERS, { description: "New" });
    expect(changeOf(await planJson(space), ADDRESS).fields.map(({ path }) => path)).toEqual(["/description"]);
    await space.apply();
    expect(live(space)).toMatchObject({ description: "New", filters: {}, query: trend("signed up") });
  });

  it.each([["filters"], ["query"]])("a query stays if lifecycle.ignore has %s", async (field) => {
    const space = await declared({ filters: FILTERS, query: SQL }, FILTERS, { lifecycle: { ignore: [field] } });
    expect((await planJson(space, "--detailed-exitcode")).code).toBe(0);
  });

  it.each<[string, JsonObject]>([
    ["filters that became a trend", { filters: {}, query: trend("left") }],
    ["filters that became SQL", { filters: {}, query: SQL }],
    ["filters beside a query", { filters: FILTERS, query: trend("left", { interval: "week" }) }],
  ])("drift --accept puts the live query in the place of %s", async (_name, stored) => {
    for (const more of [{}, { query: null }]) {
      const space = await declared(stored, FILTERS, { tags: ["kept"], ...more });
      space.emulator.edit("insight", 5, { tags: ["kept"] });
      const result = await space.run(["drift", "--accept", "--yes"]);
      expect(result.code, result.stderr).toBe(0);
      expect(await insightIn(space)).toEqual({ name: "I", tags: ["kept"], query: stored["query"] });
      expect((await space.drift()).code).toBe(0);
      expect((await planJson(space, "--detailed-exitcode")).code).toBe(0);
    }
  });

  it("drift --accept leaves filters that come from a merge key, and writes no query beside them", async () => {
    const space = await declared({ filters: {}, query: trend("left") });
    const text = `x-shared: &shared { filters: ${JSON.stringify(FILTERS)} }
driftline: 1
organizations:
  acme:
    name: Acme Inc
    projects:
      web:
        id: "2"
        insights:
          i:
            <<: *shared
            name: I
`;
    await space.configure(text);
    expect((await space.run(["drift", "--accept", "--yes"])).code).toBe(2);
    expect(await readFile(join(space.folder, "driftline.yaml"), "utf8")).toBe(text);
  });

  it.each<[string, JsonObject]>([
    ["exclusions", { insight: "FUNNELS", exclusions: [{ id: "bug", type: "events", funnel_from_step: 0 }] }],
    ["a comparison", { compare: true, compare_to: "-1y" }],
    ["no comparison", { compare: false }],
    ["shown_as", { shown_as: "Volume" }],
    ["shown_as of another kind", { insight: "STICKINESS", shown_as: "Stickiness" }],
    ["an order with gaps", { events: [{ id: "a", order: 3 }], actions: [{ id: 7, order: 9 }] }],
    [
      "a list out of order",
      {
        events: [
          { id: "b", order: 5 },
          { id: "a", order: 0 },
        ],
        actions: [{ id: 7, order: 2 }],
      },
    ],
    ["a text as the number of an action", { actions: [{ id: "7", type: "actions", order: 0 }] }],
    ["no operator", { properties: [{ key: "plan", value: "pro" }] }],
    ["the default operator", { properties: [{ key: "plan", value: "pro", operator: "exact", type: "event" }] }],
    ["properties of an event", { events: [{ id: "a", properties: [{ key: "plan", value: "pro" }] }] }],
    ["a limit of a breakdown", { breakdown: "plan", breakdown_limit: 5, breakdown_hide_other_aggregation: true }],
    ["a group", { aggregation_group_type_index: 1, sampling_factor: 0.1 }],
    ["SQL of paths", { insight: "PATHS", paths_hogql_expression: "event", step_limit: 5 }],
    ["retention, which has no events", { insight: "RETENTION", events: [], period: "Week", total_intervals: 8 }],
    ["an empty list", { events: [], actions: [] }],
  ])("%s is no difference after an apply", async (_name, filters) => {
    const space = await declared({ filters: {} }, { insight: "TRENDS", ...filters });
    await space.apply();
    const result = await planJson(space, "--detailed-exitcode");
    expect(result.code, result.stdout).toBe(0);
    expect(changeOf(result, ADDRESS).reason).toBe("nothing differs");
  });

  it("what a service does not take is no paid feature: declare the query", async () => {
    const space = await declared({ filters: {}, query: trend("left") });
    space.emulator.faults.add({ method: "PATCH", fault: { type: "ignore-field", field: "query" } });
    const outcome = outcomeOf(await applyJson(space), ADDRESS);
    expect(outcome.error?.code).toBe("ignored_by_service");
    expect(outcome.error?.hint).toMatchSnapshot();
  });
});

/** Only what these tests read of a configuration. */
function fileOf(insight: unknown) {
  return { organizations: { acme: { projects: { web: { insights: { i: insight } } } } } };
}
