/**
 * Lists that lag behind the creates of earlier runs: nothing is created a second time, and an object is found if it can
 * be read by its id.
 */
import { describe, expect, it } from "vitest";
import { hideLists } from "../support/hidden.ts";
import { WAYS } from "../support/ways.ts";
import { workspace, type Workspace } from "../support/workspace.ts";
import type { OutcomesDocument } from "../../src/model/outcome.ts";
import type { PlanDocument } from "../../src/model/plan.ts";
import { applyNow, configOf, CREATABLE, made, type Creatable } from "./support.ts";

const CREATED = CREATABLE.filter(({ name }) => name !== "batch_export");
/** Kinds without a read by id. */
const isInvite = ({ stored }: Creatable): boolean => stored === "invite";

async function created(dialect: "document" | "deployed", creatable: Creatable): Promise<Workspace> {
  const space = await workspace({ dialect });
  await space.configure(configOf(creatable.config));
  await space.run(["plan", "--out", "first.json"], { leaves: "first.json" });
  expect((await applyNow(space)).code).toBe(0);
  expect(made(space, creatable)).toHaveLength(1);
  return space;
}

const changesOf = (document: OutcomesDocument): readonly object[] =>
  document.changes.filter(({ action }) => action !== "no_op");

const actionsOf = ({ changes }: PlanDocument): ReadonlySet<string> => new Set(changes.map(({ action }) => action));

const DIALECTS = ["document", "deployed"] as const;

describe.each(DIALECTS.flatMap((dialect) => WAYS.map((way) => ({ dialect, way, name: way.name }))))(
  "$name, on a server that speaks $dialect,",
  ({ dialect, way }) => {
    describe("whose lists do not show created objects", () => {
      it.each(CREATED.filter((one) => !isInvite(one) && one.name !== "organization"))(
        "$name: the next plan is empty, the next apply writes nothing, and an earlier plan is stale",
        async (creatable) => {
          const space = await created(dialect, creatable);
          hideLists(space.emulator, creatable.path);
          expect([...actionsOf(await way.plan(space))]).toEqual(["no_op"]);
          expect([...actionsOf(await way.plan(space, "driftline.drift"))]).toEqual(["no_op"]);
          expect(changesOf(await way.apply(space))).toEqual([]);
          expect((await space.run(["apply", "--plan", "first.json", "--yes"])).code).toBe(12);
          expect(made(space, creatable)).toHaveLength(1);
        },
      );

      it("what is declared absent is not taken for gone", async () => {
        const domain = CREATED.find(({ name }) => name === "domain");
        if (domain === undefined) throw new Error("there is one");
        const space = await created(dialect, domain);
        const lifecycle = { state: "absent" };
        await space.configure(
          configOf({ acme: { name: "Acme Inc", domains: { d: { domain: "made.com", lifecycle } } } }),
        );
        hideLists(space.emulator, domain.path);
        expect([...actionsOf(await way.plan(space))].toSorted()).toEqual(["delete", "no_op"]);
      });

      it("an organization is not created twice", async () => {
        const [organization] = CREATED;
        if (organization === undefined) throw new Error("it is the first one");
        const space = await created(dialect, organization);
        hideLists(space.emulator, organization.path);
        const again = await way.apply(space);
        expect(changesOf(again)).toMatchObject([{ status: "skipped", error: { code: "stale" } }]);
        expect(made(space, organization)).toHaveLength(1);
      });

      it.each(CREATED.filter(isInvite))(
        "$name: nobody is invited twice while the lists catch up",
        async (creatable) => {
          const space = await created(dialect, creatable);
          // The list of the plan, and that of the check before the create.
          hideLists(space.emulator, creatable.path, 2);
          const again = await way.apply(space);
          expect(changesOf(again)).toMatchObject([{ status: "skipped", error: { code: "stale" } }]);
          expect(made(space, creatable)).toHaveLength(1);
        },
      );
    });

    it.each(CREATED)("$name that was removed since is created again", async (creatable) => {
      const space = await created(dialect, creatable);
      for (const { id } of made(space, creatable)) space.emulator.remove(creatable.stored, id);
      expect(made(space, creatable)).toHaveLength(0);
      const again = await way.apply(space);
      expect(again.statuses).toMatchObject({ failed: 0, skipped: 0, unknown: 0, unverified: 0 });
      expect(made(space, creatable)).toHaveLength(1);
    });
  },
);
