/** Deployed servers return different values of an insight in lists and in other reads. It is the same insight. */
import { describe, expect, it } from "vitest";
import type { Change } from "../../src/model/change.ts";
import type { JsonObject } from "../../src/model/json/json.ts";
import { web } from "../support/acme.ts";
import { WAYS } from "../support/ways.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const ADDRESS = "acme/projects/web/insights/i";
const EVENTS = [{ id: "$pageview" }];

async function deployed(live: JsonObject): Promise<Workspace> {
  const space = await workspace({ dialect: "deployed" });
  space.emulator.insert("insight", { project: 2 }, { id: 5, name: "I", ...live });
  return space;
}

const declare = (space: Workspace, fields: object): Promise<void> =>
  space.configure(web({ insights: { i: { name: "I", ...fields } } }));

describe.each(WAYS)("filters in two views, by $name", ({ plan, apply }) => {
  const planned = async (space: Workspace): Promise<Omit<Change, "work"> | undefined> =>
    (await plan(space)).changes.find(({ address }) => address === ADDRESS);
  const applied = async (space: Workspace): Promise<string | undefined> =>
    (await apply(space)).changes.find(({ address }) => address === ADDRESS)?.status;

  it.each<[string, object, JsonObject]>([
    ["{} and nothing", {}, { filters: {} }],
    ["{} and a trend", {}, { filters: { insight: "TRENDS" } }],
    ["a trend and nothing", { insight: "TRENDS" }, { filters: {} }],
    ["events of a trend and events", { insight: "TRENDS", events: EVENTS }, { filters: { events: EVENTS } }],
    ["events and events of a trend", { events: EVENTS }, { filters: { insight: "TRENDS", events: EVENTS } }],
  ])("%s are the same, before and after an apply that changes something else", async (_name, filters, live) => {
    const space = await deployed(live);
    await declare(space, { filters });
    expect(await planned(space)).toMatchObject({ action: "no_op", fields: [] });
    await declare(space, { filters, description: "New" });
    expect((await planned(space))?.fields.map(({ path }) => path)).toEqual(["/description"]);
    expect(await applied(space)).toBe("applied");
    expect(space.emulator.find("insight")).toMatchObject([{ description: "New", ...live }]);
    expect(await planned(space)).toMatchObject({ action: "no_op" });
  });

  it.each<[string, JsonObject]>([
    ["events", { events: EVENTS }],
    ["events of a trend", { insight: "TRENDS", events: EVENTS }],
    ["another type", { insight: "FUNNELS" }],
  ])("{} empties %s", async (_name, filters) => {
    const space = await deployed({ filters });
    await declare(space, { filters: {} });
    expect(await planned(space)).toMatchObject({
      action: "update",
      fields: [{ path: "/filters", prior: filters, planned: {} }],
    });
    expect(await applied(space)).toBe("applied");
    expect(space.emulator.find("insight")).toMatchObject([{ filters: {} }]);
    expect(await planned(space)).toMatchObject({ action: "no_op" });
  });
});

describe("between a saved plan and its apply", () => {
  const saved = async (): Promise<Workspace> => {
    const space = await deployed({ filters: { events: EVENTS } });
    await declare(space, { description: "New", filters: { events: EVENTS } });
    expect((await space.run(["plan", "--out", "plan.json"])).code).toBe(0);
    return space;
  };

  it("another view is no change", async () => {
    const space = await saved();
    expect((await space.run(["apply", "--yes", "--plan", "plan.json"])).code).toBe(0);
    expect(space.emulator.find("insight")).toMatchObject([{ description: "New" }]);
  });

  it("a change by somebody else is one", async () => {
    const space = await saved();
    space.emulator.edit("insight", 5, { filters: { events: [{ id: "signup" }] } });
    expect((await space.run(["apply", "--yes", "--plan", "plan.json"])).code).toBe(12);
    expect(space.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });
});

it("an export of either view is unchanged by the next plan", async () => {
  const space = await deployed({ filters: {} });
  space.emulator.insert("insight", { project: 2 }, { id: 6, name: "J", filters: { events: EVENTS } });
  expect((await space.run(["export", "--out", "exported"])).code).toBe(0);
  const result = await space.run(["plan", "exported", "--detailed-exitcode"]);
  expect(result.code, result.stdout).toBe(0);
});

it("drift is accepted as the list shows it", async () => {
  const space = await deployed({ filters: { insight: "FUNNELS" } });
  await declare(space, { filters: {} });
  expect((await space.run(["drift", "--accept", "--yes"])).code).toBe(0);
  expect((await space.run(["plan", "--detailed-exitcode"])).code).toBe(0);
  space.emulator.edit("insight", 5, { filters: {} });
  expect((await space.run(["drift", "--accept", "--yes"])).code).toBe(0);
  const result = await space.run(["plan", "--detailed-exitcode"]);
  expect(result.code, result.stdout).toBe(0);
});
