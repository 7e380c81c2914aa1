/** What old declarations of insights do on today's service. Each test has the name of what is declared or done. */
import { describe, expect, it } from "vitest";
import type { StoredObject } from "../../src/emulator/index.ts";
import type { JsonObject } from "../../src/emulator/json.ts";
import { changeOf, one, planJson, QUERY, web } from "../support/acme.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const ADDRESS = "acme/projects/web/insights/i";

const declare = (space: Workspace, fields: object): Promise<void> =>
  space.configure(web({ insights: { i: { name: "I", ...fields } } }));
const stored = ({ emulator }: Workspace): StoredObject => one(emulator.find("insight"));

/** A workspace with an insight that today's service has. */
async function withInsight(live: JsonObject, declared: object): Promise<Workspace> {
  const space = await workspace({ dialect: "current" });
  space.emulator.insert("insight", { project: 2 }, { id: 5, name: "I", query: QUERY, ...live });
  await declare(space, declared);
  return space;
}

async function expectConverged(space: Workspace): Promise<void> {
  await space.apply();
  expect(changeOf(await planJson(space), ADDRESS)).toMatchObject({ action: "no_op", fields: [] });
}

describe("insights on today's service", () => {
  it.each([false, true])("saved: %s", async (saved) => {
    const space = await workspace({ dialect: "current" });
    await declare(space, { query: QUERY, saved });
    await expectConverged(space);
    await declare(space, { query: QUERY, saved, description: "New" });
    await expectConverged(space);
    expect(stored(space)).toMatchObject({ saved, description: "New" });
  });

  it.each([false, true])("saved not declared, and live %s", async (saved) => {
    const space = await withInsight({ saved }, { query: QUERY, description: "New" });
    await expectConverged(space);
    expect(stored(space)).toMatchObject({ saved, description: "New" });
  });

  it("saved, changed by somebody else after the plan", async () => {
    const space = await withInsight({ saved: true }, { query: QUERY, description: "New" });
    expect((await space.run(["plan", "--out", "plan.json"])).code).toBe(0);
    space.emulator.edit("insight", 5, { saved: false });
    await space.apply(["--plan", "plan.json"]);
    expect(stored(space)).toMatchObject({ saved: false, description: "New" });
  });

  it("tags, favorited, name, description", async () => {
    const space = await withInsight({}, { id: 5, query: QUERY });
    for (const more of [{ tags: ["a"] }, { favorited: true }, { name: "New" }, { description: "d" }]) {
      await declare(space, { id: 5, query: QUERY, ...more });
      await expectConverged(space);
      expect(stored(space)).toMatchObject({ ...more, saved: false });
    }
  });
});
