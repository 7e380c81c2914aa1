/** A query that is stored beside legacy filters decides what the insight shows, in both modes of a server. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { JsonObject } from "../../src/emulator/json.ts";
import { changeOf, one, planJson, web } from "../support/acme.ts";
import { SQL } from "../support/queries.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const ADDRESS = "acme/projects/web/insights/i";
const FILTERS = { insight: "TRENDS", events: [{ id: "signed up", type: "events", order: 0 }], date_from: "-7d" };
const trend = (event: string, more: JsonObject = {}): JsonObject => ({
  kind: "InsightVizNode",
  source: { kind: "TrendsQuery", series: [{ kind: "EventsNode", event }], dateRange: { date_from: "-7d" }, ...more },
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
  ])("%s is a difference that the plan shows and the apply refuses", async (_name, stored) => {
    const space = await declared(stored, FILTERS, { description: "New" });
    const { fields, blocked } = changeOf(await planJson(space), ADDRESS);
    expect(fields).toContainEqual({ path: "/query", prior: stored["query"], planned: null });
    expect(blocked).toMatchObject({ rule: "edited_as_query" });
    const before = live(space);
    await space.apply([], 13);
    expect(live(space)).toEqual(before);
  });

  it("a query stays when a deleted insight is restored", async () => {
    const space = await declared({ filters: {}, query: trend("left"), deleted: true }, FILTERS, { id: 5 });
    expect(changeOf(await planJson(space), ADDRESS).action).toBe("restore");
    await space.apply([], 14);
    expect(live(space)).toMatchObject({ filters: {}, query: trend("left"), deleted: false });
    expect(changeOf(await planJson(space), ADDRESS).blocked).toMatchObject({ rule: "edited_as_query" });
  });

  it("a declared null puts the filters back", async () => {
    const space = await declared({ filters: {}, query: trend("left") }, FILTERS, { query: null });
    await space.apply([], replaceFilters ? 14 : 0);
    expect(live(space)).toMatchObject({ filters: FILTERS, query: null });
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

  it("are created, and where they come back as a query the outcome says what to declare", async () => {
    const space = await workspace({ dialect: "deployed", replaceFilters });
    await space.configure(web({ insights: { i: { name: "I", filters: FILTERS } } }));
    const outcomes = await space.apply([], replaceFilters ? 14 : 0);
    expect(live(space)).toMatchObject({ filters: FILTERS, query: null });
    if (!replaceFilters) return;
    const { error } = outcomes.changes.find(({ address }) => address === ADDRESS) ?? {};
    expect(error?.code).toBe("not_comparable");
    expect(error?.hint).toMatchSnapshot();
    await space.run(["drift", "--accept", "--yes"]);
    expect((await planJson(space, "--detailed-exitcode")).code).toBe(0);
  });
});

/** Only what these tests read of a configuration. */
function fileOf(insight: unknown) {
  return { organizations: { acme: { projects: { web: { insights: { i: insight } } } } } };
}
