/** A name that a rename sets free, and that another declaration takes at once. */
import { expect, it } from "vitest";
import { one, QUERY, applyJson, seedOf, web, writes } from "../support/acme.ts";
import { ALL_DIALECTS, describeDialects } from "../support/dialects.ts";
import { linesWith } from "../support/normalized.ts";
import { workspace } from "../support/workspace.ts";

const OTHER = { ...QUERY, source: { ...QUERY.source, series: [{ kind: "EventsNode", event: "paid" }] } };
const THIRD = { ...QUERY, source: { ...QUERY.source, series: [{ kind: "EventsNode", event: "left" }] } };
const AT = "acme/projects/web/insights";

const pair = (more: object = {}) =>
  web({
    insights: {
      old: { name: "A (2025)", query: QUERY, lifecycle: { renamed_from: "A" }, ...more },
      new: { name: "A", query: OTHER },
    },
  });

describeDialects(
  "a rename and its successor",
  () => {
    it("the rename goes first, and the successor is created after it", async () => {
      const space = await workspace({ seed: seedOf({}, { insights: [{ id: 7, name: "A", query: QUERY }] }) });
      await space.configure(pair());
      await space.apply();
      expect(writes(space).map((line) => line.split(" ", 1)[0])).toEqual(["PATCH", "POST"]);
      expect(space.emulator.find("insight").map(({ name, query }) => [name, query])).toEqual([
        ["A (2025)", QUERY],
        ["A", OTHER],
      ]);
      const done = await space.plan();
      expect(done.changes.find(({ address }) => address === `${AT}/old`)?.removable).toBe("renamed_from");
    });

    it("an object with neither values is written by none of the two, until one of them is pinned", async () => {
      const space = await workspace({ seed: seedOf({}, { insights: [{ id: 7, name: "A", query: THIRD }] }) });
      await space.configure(pair());
      const refused = await applyJson(space);
      expect(refused.code).toBe(1);
      expect(writes(space)).toEqual([]);
      expect(linesWith(refused.stderr, "may be this one")).toMatchSnapshot();
      expect(await space.run(["pin", "--yes", "--only", `${AT}/old=7`])).toMatchObject({ code: 0 });
      await space.apply();
      expect(one(space.emulator.find("insight", ({ id }) => id === 7))).toMatchObject({
        name: "A (2025)",
        query: QUERY,
      });
    });

    it("a swap with pins is two updates, in any order", async () => {
      const insights = [
        { id: 7, name: "A", query: QUERY },
        { id: 8, name: "B", query: OTHER },
      ];
      const space = await workspace({ seed: seedOf({}, { insights }) });
      await space.configure(
        web({ insights: { a: { id: 7, name: "B", query: QUERY }, b: { id: 8, name: "A", query: OTHER } } }),
      );
      await space.apply();
      expect(space.emulator.find("insight").map(({ name }) => name)).toEqual(["B", "A"]);
    });
  },
  ALL_DIALECTS,
);
