/** A new project of a deployed server has sample insights. They are never a forgotten rename. */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/model/json/json.ts";
import { WAYS } from "../support/ways.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const PAGEVIEW = { kind: "EventsNode", event: "$pageview" };
const FIRST: Readonly<Record<string, JsonObject>> = {
  "a trend of page views": { kind: "TrendsQuery", series: [PAGEVIEW] },
  "a trend of users, in a wrapper": {
    kind: "InsightVizNode",
    source: { kind: "TrendsQuery", series: [{ ...PAGEVIEW, math: "dau" }] },
  },
  "a lifecycle by week": {
    kind: "InsightVizNode",
    source: { kind: "LifecycleQuery", series: [PAGEVIEW], interval: "week" },
  },
  "a funnel": { kind: "InsightVizNode", source: { kind: "FunnelsQuery", series: [PAGEVIEW, PAGEVIEW, PAGEVIEW] } },
};

/** A workspace in which a new organization has been created. `declare` puts an insight into its first project. */
async function started(): Promise<{ readonly space: Workspace; readonly declare: (insight: object) => Promise<void> }> {
  const space = await workspace({ dialect: "deployed" });
  const configure = (more: object): Promise<void> =>
    space.configure({ driftline: 1, organizations: { new: { name: "New", ...more } } });
  await configure({ lifecycle: { create: true } });
  await space.apply();
  const declare = (insight: object): Promise<void> =>
    configure({ projects: { first: { name: "Default project", insights: { mine: insight } } } });
  return { space, declare };
}

describe.each(WAYS)("the first insight of a new project, by $name", ({ plan, apply }) => {
  it.each(Object.entries(FIRST))("is created beside the sample insights: %s", async (_name, query) => {
    const { space, declare } = await started();
    const before = space.emulator.find("insight");
    expect(before).toHaveLength(6);
    await declare({ name: "Mine", query });
    const change = (await plan(space)).changes.find(({ kind }) => kind === "insight");
    expect(change).toMatchObject({ action: "create", blocked: null });
    expect((await apply(space)).changes.map(({ status }) => status)).not.toContain("skipped");
    expect(space.emulator.find("insight").slice(0, 6)).toEqual(before);
    expect(space.emulator.find("insight")).toHaveLength(7);
  });

  it("is blocked if it is a sample insight in all but its name", async () => {
    const { space, declare } = await started();
    const [sample] = space.emulator.find("insight");
    const { query, description, dashboards } = sample as unknown as JsonObject;
    await declare({ name: "Mine", query, description, dashboards });
    const change = (await plan(space)).changes.find(({ kind }) => kind === "insight");
    expect(change?.blocked?.rule).toBe("forgotten_rename");
  });
});

it("a create that looks like a rename is blocked, with the values that were compared", async () => {
  const { space, declare } = await started();
  const [sample] = space.emulator.find("insight");
  const { query, description, dashboards } = sample as unknown as JsonObject;
  await declare({ name: "Mine", query, description, dashboards });
  const { stdout } = await space.run(["plan"]);
  const [refusal] = /blocked \(forgotten_rename\)[^]*?(?=\n\n)/u.exec(stdout) ?? [];
  expect(refusal?.replaceAll(String(sample?.id), "ID")).toMatchSnapshot();
});
