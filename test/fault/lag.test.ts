/**
 * Lists that lag behind what earlier runs have created: nothing is created a second time, and what is there is seen where it can
 * be read by its id.
 */
import { describe, expect, it } from "vitest";
import { hideLists } from "../support/hidden.ts";
import { workspace, type Workspace } from "../support/workspace.ts";
import { applyNow, changesOf, configOf, CREATABLE, made, type Creatable } from "./support.ts";

const CREATED = CREATABLE.filter(({ name }) => name !== "batch_export");
/** What has no read of its own. */
const isInvite = ({ stored }: Creatable): boolean => stored === "invite";

async function created(dialect: "document" | "deployed", creatable: Creatable): Promise<Workspace> {
  const space = await workspace({ dialect });
  await space.configure(configOf(creatable.config));
  await space.run(["plan", "--out", "first.json"], { leaves: "first.json" });
  expect((await applyNow(space)).code).toBe(0);
  expect(made(space, creatable)).toHaveLength(1);
  return space;
}

describe.each(["document", "deployed"] as const)("on a server that speaks %s", (dialect) => {
  describe("whose lists do not show what was created", () => {
    it.each(CREATED.filter((one) => !isInvite(one) && one.name !== "organization"))(
      "$name: the next plan is empty, the next apply writes nothing, and a plan of before is stale",
      async (creatable) => {
        const space = await created(dialect, creatable);
        hideLists(space.emulator, creatable.path);
        const plan = await space.run(["plan", "--detailed-exitcode"]);
        expect(plan.code, plan.stdout + plan.stderr).toBe(0);
        expect((await space.drift()).code).toBe(0);
        const again = await applyNow(space);
        expect([again.code, changesOf(again)]).toEqual([0, []]);
        expect((await space.run(["apply", "--plan", "first.json", "--yes"])).code).toBe(12);
        expect(made(space, creatable)).toHaveLength(1);
      },
    );

    it("an organization is not founded twice", async () => {
      const [organization] = CREATED;
      if (organization === undefined) throw new Error("it is the first one");
      const space = await created(dialect, organization);
      hideLists(space.emulator, organization.path);
      const again = await applyNow(space);
      expect(changesOf(again)).toMatchObject([{ status: "skipped", error: { code: "stale" } }]);
      expect(made(space, organization)).toHaveLength(1);
    });

    it.each(CREATED.filter(isInvite))(
      "$name: nobody is written to twice while the lists catch up",
      async (creatable) => {
        const space = await created(dialect, creatable);
        // The plan's, and the look before the create.
        hideLists(space.emulator, creatable.path, 2);
        const again = await applyNow(space);
        expect(changesOf(again)).toMatchObject([{ status: "skipped", error: { code: "stale" } }]);
        expect(made(space, creatable)).toHaveLength(1);
      },
    );
  });

  it.each(CREATED)("$name that somebody has removed since is created again", async (creatable) => {
    const space = await created(dialect, creatable);
    for (const { id } of made(space, creatable)) space.emulator.remove(creatable.stored, id);
    expect(made(space, creatable)).toHaveLength(0);
    const again = await applyNow(space);
    expect(again.code, again.stdout + again.stderr).toBe(0);
    expect(made(space, creatable)).toHaveLength(1);
  });
});
