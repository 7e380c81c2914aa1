/** Empty filters say that an insight shows nothing. A query shows something, so it is a difference. */
import { expect, it } from "vitest";
import { changeOf, planJson, QUERY, web } from "../support/acme.ts";
import { workspace } from "../support/workspace.ts";

it.each(["document", "deployed"] as const)("differ from declared empty filters: %s", async (dialect) => {
  const space = await workspace({ dialect });
  space.emulator.insert("insight", { project: 2 }, { id: 5, name: "I", query: QUERY });
  await space.configure(web({ insights: { i: { name: "I", filters: {} } } }));
  expect(changeOf(await planJson(space), "acme/projects/web/insights/i")).toMatchObject({
    action: "update",
    fields: [{ path: "/query", planned: null }],
    blocked: { rule: "edited_as_query" },
  });
});
