/** A service shows much more of an insight in full than in its light view: an export reads no more than a plan does. */
import { expect, it } from "vitest";
import { workspace, type Workspace } from "../support/workspace.ts";
import { startWire } from "./properties/wire.ts";

const COUNT = 1306;
const ORG = "0190aa11-0000-4000-8000-00000000000a";
const SEED = { organizations: [{ id: ORG, name: "Acme Inc", projects: [{ id: 2, name: "Web", dashboards: [7] }] }] };
/** The calculated result of an insight, which is the largest part of a full row. */
const RESULT = [{ label: "a".repeat(20_000) }];

async function serviceWithInsights(count: number): Promise<Workspace> {
  const space = await workspace({ dialect: "deployed", seed: SEED });
  for (let index = 0; index < count; index += 1)
    space.emulator.insert(
      "insight",
      { project: 2 },
      {
        name: `Insight ${String(index)}`,
        query: { kind: "DataTableNode", source: { kind: "EventsQuery", select: ["*"] } },
        order: index,
        dashboards: [7],
        result: RESULT,
      },
    );
  return space;
}

/** The bytes that a command receives, and its requests for insights. */
async function measure(space: Workspace, args: readonly string[]) {
  const wire = await startWire(space.emulator.url);
  space.emulator.clearRequests();
  const { code, stdout, stderr } = await space.run(args, { env: { DRIFTLINE_URL: wire.url } });
  expect(code, stderr).toBe(0);
  const lists = space.emulator.requests.filter(({ path }) => path.includes("/insights"));
  return { bytes: wire.received(), stdout, stderr, queries: lists.map(({ query }) => query) };
}

it("export of 1,306 insights receives at most a tenth more than a plan of them, in small pages", async () => {
  const space = await serviceWithInsights(COUNT);
  const exported = await measure(space, ["export"]);
  await space.configure(exported.stdout);
  const planned = await measure(space, ["plan", "--detailed-exitcode"]);

  expect(exported.bytes).toBeLessThan(planned.bytes * 1.1);
  expect(exported.bytes).toBeLessThan(COUNT * 2_000);
  for (const query of exported.queries) expect(query).toMatchObject({ basic: "true" });
  expect(Math.max(...exported.queries.map(({ limit }) => Number(limit)))).toBeLessThanOrEqual(200);
  // The light view lacks the order, so the file says that it is not exported.
  expect(exported.stdout).toMatch(/^ *# .*\border\b/m);
  expect(exported.stdout).not.toMatch(/^ *order:/m);
});

it("a plan that declares the order reads full rows, in smaller pages", async () => {
  const space = await serviceWithInsights(120);
  const insights = { one: { name: "Insight 1", order: 1 } };
  await space.configure({ driftline: 1, organizations: { acme: { id: ORG, projects: { web: { id: 2, insights } } } } });
  const { queries } = await measure(space, ["plan", "--detailed-exitcode"]);
  for (const { limit, basic } of queries) expect([basic, Number(limit) <= 50]).toEqual([undefined, true]);
});
