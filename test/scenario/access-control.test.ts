/** Deployed servers leave an insight out of the lists of a user who may not see it. Hidden is not deleted. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, describe, it } from "vitest";
import { changeOf, applyJson, planJson, seedOf, stored, web, writes } from "../support/acme.ts";
import { linesWith } from "../support/normalized.ts";
import { WAYS } from "../support/ways.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const OWNER = "owner@example.com";
const HIDDEN = "acme/projects/web/insights/hidden";
const READ = "GET /api/projects/2/insights/7/";

/** Two pinned insights, of which the key's user may see one. */
async function hidden(lifecycle: object = {}): Promise<Workspace> {
  const insights = [
    { id: 7, name: "Hidden" },
    { id: 8, name: "Seen" },
  ];
  const space = await workspace({ dialect: "deployed", seed: seedOf({}, { insights }) });
  await declare(space, { id: 7, name: "Hidden", ...lifecycle });
  space.emulator.setAccess(7, OWNER, "none");
  return space;
}

function declare(space: Workspace, insight: object, project: object = {}): Promise<void> {
  return space.configure(web({ insights: { hidden: insight, seen: { id: 8, name: "Seen" } }, ...project }));
}

const yaml = ({ folder }: Workspace): Promise<string> => readFile(join(folder, "driftline.yaml"), "utf8");
const reads = ({ emulator }: Workspace): number =>
  emulator.requests.filter(({ method, path }) => `${method} ${path}` === READ).length;

describe.each(WAYS)("a pinned insight that is hidden from the key's user, by $name", ({ plan, apply }) => {
  it("is unknown in plan, drift and apply, and nothing is sent", async () => {
    const space = await hidden();
    for (const type of ["driftline.plan", "driftline.drift"] as const) {
      const { changes, summary } = await plan(space, type);
      expect(changes.find(({ address }) => address === HIDDEN)).toMatchObject({ action: "unknown", id: "7" });
      expect(summary).toMatchObject({ unknown: 1, restore: 0, no_op: 2, unmanaged: 0 });
    }
    const outcomes = await apply(space);
    expect(outcomes.changes.find(({ address }) => address === HIDDEN)).toMatchObject({ action: "unknown" });
    expect(writes(space)).toEqual([]);
  });
});

describe("a pinned insight that is hidden from the key's user", () => {
  it("exits like everything that is unknown, and says why in one line", async () => {
    const space = await hidden();
    expect([(await planJson(space)).code, (await space.drift()).code, (await applyJson(space)).code]).toEqual([
      1, 1, 1,
    ]);
    expect(linesWith((await space.run(["plan"])).stdout, HIDDEN)).toMatchSnapshot();
  });

  it.each([
    ["drift", "--accept", "--yes"],
    ["drift", "--accept", "--only", HIDDEN, "--yes"],
  ])("keeps its declaration: %s %s %s", async (...args) => {
    const space = await hidden();
    const before = await yaml(space);
    const { code } = await space.run(args);
    expect([code === 0, await yaml(space)]).toEqual([false, before]);
  });

  it("keeps its declaration with a short_id, by which no service of this age reads: only a person can say that it is gone", async () => {
    const space = await hidden();
    const [found] = space.emulator.find("insight", ({ id }) => id === 7);
    await declare(space, { short_id: found?.["short_id"], name: "Hidden" });
    const before = await yaml(space);
    const { code, stderr } = await space.run(["drift", "--accept", "--yes"]);
    expect([code, stderr, await yaml(space)]).toEqual([2, expect.stringContaining("not_accepted"), before]);
  });

  it("keeps the collection from being pruned, but not from imports: it is none of the others", async () => {
    const space = await hidden();
    space.emulator.insert("insight", { project: 2 }, { name: "Other" });
    const { code, stdout, stderr } = await space.run(["import", "--all", "--yes"]);
    expect([stdout, stderr]).toEqual([expect.stringContaining("insights/other"), ""]);
    expect(code).toBe(0);
    await declare(space, { id: 7, name: "Hidden" }, { exclusive: ["insights"] });
    expect((await applyJson(space, "--prune")).code).toBe(1);
    expect(writes(space)).toEqual([]);
  });

  it("costs one request, and an insight that a list shows costs none", async () => {
    const space = await hidden();
    await space.plan();
    const withRead = space.emulator.requests.length;
    expect(reads(space)).toBe(1);
    space.emulator.setAccess(7, OWNER, "editor");
    space.emulator.clearRequests();
    await space.plan();
    expect([space.emulator.requests.length, reads(space)]).toEqual([withRead - 1, 0]);
  });
});

it("a deleted one is missing, and restored: its read answers 404", async () => {
  const space = await hidden();
  space.emulator.edit("insight", 7, { deleted: true });
  expect(changeOf(await planJson(space), HIDDEN).action).toBe("restore");
  expect(reads(space)).toBe(1);
  space.emulator.setAccess(7, OWNER, "editor");
  await space.apply();
  expect(stored(space, "insight")).toEqual(["Hidden", "Seen"]);
});
