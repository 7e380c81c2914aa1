/** A name that a rename sets free, and that another declaration takes at once. */
import { expect, it } from "vitest";
import {
  changeOf,
  config,
  NOOP,
  one,
  outcomeOf,
  planJson,
  QUERY,
  applyJson,
  seedOf,
  stored,
  VERIFIED,
  web,
  writes,
} from "../support/acme.ts";
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

    it("a rename that fails leaves its successor alone", async () => {
      const space = await workspace({ seed: seedOf({}, { insights: [{ id: 7, name: "A", query: QUERY }] }) });
      await space.configure(pair());
      space.emulator.faults.add({ method: "PATCH", fault: { type: "status", status: 400 } });
      expect(outcomeOf(await applyJson(space), `${AT}/new`).error?.code).toBe("key_taken");
      expect(stored(space, "insight")).toEqual(["A"]);
    });

    it("an object with the successor's values is the successor's: the other one was deleted, and is created", async () => {
      const space = await workspace({ seed: seedOf({}, { insights: [{ id: 7, name: "A", query: OTHER }] }) });
      await space.configure(pair());
      await space.apply();
      expect(stored(space, "insight")).toEqual(["A", "A (2025)"]);
      expect(one(space.emulator.find("insight", ({ id }) => id === 7))).toMatchObject({ name: "A", query: OTHER });
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

    it("an object that looks renamed is its successor's if that is pinned to it", async () => {
      const space = await workspace({ seed: seedOf({}, { insights: [{ id: 7, name: "A", query: QUERY }] }) });
      await space.configure(pair());
      expect(await space.run(["pin", "--yes", "--only", `${AT}/new=7`])).toMatchObject({ code: 0 });
      await space.apply();
      expect(space.emulator.find("insight").map(({ id, query }) => [id === 7, query])).toEqual([
        [true, OTHER],
        [false, QUERY],
      ]);
    });

    it("a done rename is ordinary drift, whatever the successor is", async () => {
      const insights = [
        { id: 7, name: "A (2025)", query: THIRD },
        { id: 8, name: "A", query: QUERY },
      ];
      const space = await workspace({ seed: seedOf({}, { insights }) });
      await space.configure(pair());
      const planned = await planJson(space);
      expect(changeOf(planned, `${AT}/old`)).toMatchObject({ action: "update", id: "7", removable: "renamed_from" });
      expect(changeOf(planned, `${AT}/new`)).toMatchObject({ action: "update", id: "8" });
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

    it("a row of renames goes from its end", async () => {
      const exports = ["A", "B"].map((name) => ({ name, interval: "day", destination: NOOP }));
      const space = await workspace({ seed: seedOf({}, { batch_exports: exports }) });
      const named = (name: string, from?: string): object => ({
        name,
        interval: "day",
        destination: NOOP,
        ...(from === undefined ? {} : { lifecycle: { renamed_from: from } }),
      });
      await space.configure(web({ batch_exports: { a: named("B", "A"), b: named("C", "B"), n: named("A") } }));
      await space.apply();
      const sent = space.emulator.requests.filter(({ method }) => ["PATCH", "POST"].includes(method));
      expect(sent.slice(0, 3).map(({ body }) => (body as { name?: string }).name)).toEqual(["C", "B", "A"]);
    });
  },
  ALL_DIALECTS,
);

describeDialects("a domain and its successor", () => {
  it("the rename keeps the verification, and goes first", async () => {
    const space = await workspace({ seed: seedOf({ domains: [{ domain: "acme.com", ...VERIFIED }] }) });
    await space.configure(
      config({
        domains: {
          old: { domain: "acme.io", lifecycle: { renamed_from: "acme.com" } },
          new: { domain: "acme.com", lifecycle: { create: true } },
        },
      }),
    );
    await space.apply();
    expect(space.emulator.find("domain").map(({ domain, is_verified }) => [domain, is_verified])).toEqual([
      ["acme.io", true],
      ["acme.com", false],
    ]);
  });
});
