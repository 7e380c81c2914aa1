/** The service lists an insight only if it is saved, so a create saves it unless it is declared otherwise. */
import { describe, expect, it } from "vitest";
import { changeOf, one, planJson, QUERY, web } from "../support/acme.ts";
import { ALL_DIALECTS, describeDialects, spokenDialect } from "../support/dialects.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const ADDRESS = "acme/projects/web/insights/i";
const declare = (space: Workspace, fields: object) =>
  space.configure(web({ insights: { i: { name: "I", query: QUERY, ...fields } } }));
const stored = ({ emulator }: Workspace) => one(emulator.find("insight"));
const planned = async (space: Workspace) => changeOf(await planJson(space), ADDRESS);
const patches = ({ emulator }: Workspace) =>
  emulator.requests.flatMap(({ method, body }) => (method === "PATCH" ? [body] : []));

async function withInsight(live: object, declared: object): Promise<Workspace> {
  const space = await workspace();
  space.emulator.insert("insight", { project: 2 }, { id: 5, name: "I", query: QUERY, ...live });
  await declare(space, declared);
  return space;
}

describeDialects(
  "saved",
  () => {
    it.each([
      [undefined, true],
      [true, true],
      [false, false],
    ])("is sent by a create, and shown by its plan: declared as %s", async (saved, expected) => {
      const space = await workspace();
      await declare(space, saved === undefined ? {} : { saved });
      const { fields } = await planned(space);
      expect(fields.filter(({ path }) => path === "/saved")).toEqual([
        { path: "/saved", prior: null, planned: expected },
      ]);
      await space.apply();
      expect(stored(space)).toMatchObject({ saved: expected });
      expect(space.emulator.requests.find(({ method }) => method === "POST")?.body).toMatchObject({ saved: expected });
      expect((await planned(space)).action).toBe("no_op");
    });

    it("is set by a create whose service dropped it", async () => {
      const space = await workspace();
      await declare(space, {});
      space.emulator.faults.add({
        method: "POST",
        path: "/insights/",
        fault: { type: "ignore-field", field: "saved" },
      });
      await space.apply();
      expect(stored(space)).toMatchObject({ saved: true });
    });

    it.each([true, false])("is as it was after an update that does not declare it: %s", async (saved) => {
      const space = await withInsight({ saved }, { description: "New" });
      const { fields, reason } = await planned(space);
      expect(fields.map(({ path }) => path)).toEqual(["/description"]);
      const isRepeated = !saved && spokenDialect() === "current";
      expect(reason.includes("saved")).toBe(isRepeated);
      await space.apply();
      expect(stored(space)).toMatchObject({ saved, description: "New" });
      expect(patches(space)).toEqual([{ description: "New", ...(isRepeated ? { saved: false } : {}) }]);
    });

    it.each([true, false])("is as it was after a restore that does not declare it: %s", async (saved) => {
      const space = await withInsight({ saved, deleted: true }, { id: 5 });
      const { action, reason } = await planned(space);
      expect(action).toBe("restore");
      await space.apply();
      // Nothing shows what a deleted insight has, and today's service changes it: the plan says so.
      const isToday = spokenDialect() === "current";
      expect(reason).toContain("sets an undeclared saved");
      expect(stored(space)).toMatchObject({ deleted: false, saved: isToday || saved });
    });

    it.each([true, false])("is exported if it is false: %s", async (saved) => {
      const space = await withInsight({ saved }, {});
      const { stdout } = await space.run(["export", "--single-file"]);
      expect(stdout.includes("saved: ")).toBe(!saved);
      expect(stdout.includes("saved: false")).toBe(!saved);
      expect((await space.run(["export", "--single-file", "--all-fields"])).stdout).toContain(
        `saved: ${String(saved)}`,
      );
    });

    it.each([true, false])("does not hide that an insight was renamed: %s", async (saved) => {
      const space = await withInsight({ saved, name: "Old" }, {});
      expect((await planned(space)).blocked).toMatchObject({ rule: "forgotten_rename" });
    });
  },
  ALL_DIALECTS,
);

describe("on today's service, saved is repeated", () => {
  it.each([true, false])("where its rows still have filters: %s", async (shown) => {
    const space = await workspace({ dialect: "current", switches: { filters_shown: shown } });
    space.emulator.insert("insight", { project: 2 }, { id: 5, name: "I", query: QUERY, saved: false, order: 1 });
    await declare(space, { order: 2 });
    await space.apply();
    expect(patches(space)).toEqual([{ order: 2, saved: false }]);
  });
});
