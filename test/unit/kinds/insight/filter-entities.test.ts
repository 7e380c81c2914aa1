/** The elements of filters that a service shows as a query are read from the nodes with their ids, wherever these stand. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { patchBody } from "../../../../src/diff/body.ts";
import { inspect } from "../../../../src/diff/compare.ts";
import { withGeneratedQuery } from "../../../../src/emulator/resources/insight/deployed-query.ts";
import type { JsonObject } from "../../../../src/emulator/json.ts";
import { kinds } from "../../../../src/kinds/registry.ts";
import { filtersFromQuery } from "../../../../src/kinds/insight/filters-as-query.ts";
import { budget } from "../../../support/budget.ts";
import { editedLists, type Element } from "../../../support/edited-lists.ts";

type Events = readonly JsonObject[];

/** What a service shows for stored filters, in both of its ways. */
const shown = (events: Events, list = "events"): { readonly plain: JsonObject; readonly asQuery: JsonObject } => {
  const stored = { filters: { insight: "TRENDS", [list]: events }, query: null };
  return { plain: stored, asQuery: withGeneratedQuery(stored) };
};
const declare = (events: Events, list = "events"): JsonObject => ({ filters: { insight: "TRENDS", [list]: events } });

/** The elements as they are read from the query. */
function restated(declared: Events, live: Events, list = "events"): unknown {
  const { filters } = filtersFromQuery(declare(declared, list), shown(live, list).asQuery)?.values ?? {};
  return (filters as JsonObject)[list];
}

const [a, b, c] = [
  { id: "a", math: "dau" },
  { id: "b", custom_name: "B" },
  { id: "c", math: "total" },
];

describe("the events of a query", () => {
  it.each<[string, Events, Events]>([
    ["removed first and appended last", [b, c], [a, b]],
    ["swapped", [a, b], [b, a]],
    ["rotated", [a, b, c], [c, a, b]],
    ["turned around, with an id twice", [a, b, { ...a, math: "total" }], [{ ...a, math: "total" }, b, a]],
  ])("are read by their ids if they were %s", (_name, declared, live) => {
    expect(restated(declared, live)).toEqual(live);
  });

  it("are read by place if they have one id", () => {
    const twice = [a, { ...a, math: "total" }];
    expect(restated(twice, twice.toReversed())).toEqual(twice.toReversed());
  });

  it("are read by their ids, as a number or as its text", () => {
    const [one, two] = [
      { id: "1", math: "dau" },
      { id: 2, custom_name: "two" },
    ];
    expect(restated([one, two], [two, one], "actions")).toEqual([two, one]);
  });

  it("leave what cannot be compared to their elements", () => {
    const odd = { id: "a", unseen: 1 };
    const { asQuery } = shown([b, { id: "a" }]);
    expect(filtersFromQuery(declare([odd, b]), asQuery)?.unverifiable).toEqual(["/filters/events/0/unseen"]);
  });
});

const bare = ({ subject, properties }: Element): JsonObject => ({
  id: subject,
  properties: properties.map((key) => ({ key, value: "x", operator: "exact" })),
});
/** Somebody has named the elements that were there. */
const labelled = (element: Element): JsonObject => ({
  ...bare(element),
  ...(element.owned ? { custom_name: `Name of ${element.subject}`, math: "dau" } : {}),
});

it("a change of events is seen in both ways of showing them, and no name goes to another element", () => {
  fc.assert(
    fc.property(editedLists, ({ before, after }) => {
      const live = before.map(labelled);
      const declared = declare(after.map(bare));
      const isSame = JSON.stringify(before.map(bare)) === JSON.stringify(after.map(bare));
      const { plain, asQuery } = shown(live);
      for (const values of [plain, asQuery]) {
        const { differences } = inspect(kinds.insight, declared, values);
        expect(differences.length === 0).toBe(isSame);
        if (isSame) continue;
        const { filters } = patchBody(kinds.insight, { values: declared }, values, differences) as {
          readonly filters: JsonObject;
        };
        const sent = filters["events"] as Events;
        expect(sent.map(({ id }) => id)).toEqual(after.map(({ subject }) => subject));
        for (const { id, custom_name: name = `Name of ${String(id)}` } of sent)
          expect(name).toBe(`Name of ${String(id)}`);
      }
    }),
    { numRuns: budget(1000) },
  );
});

it("each element that is read from a query holds what its own node says", () => {
  fc.assert(
    fc.property(editedLists, ({ before, after }) => {
      fc.pre(before.length === after.length);
      const live = before.map(labelled);
      const ids = before.map(({ subject }) => subject);
      const read = restated(after.map(labelled), live) as Events;
      expect(read.map(({ id }) => id)).toEqual(ids);
      for (const { id, custom_name: name } of read) expect([`Name of ${String(id)}`, undefined, null]).toContain(name);
      const kept = after.filter(({ subject, owned }) => owned && ids.includes(subject));
      for (const { subject } of kept)
        expect(read).toContainEqual(expect.objectContaining({ id: subject, math: "dau" }));
    }),
    { numRuns: budget(1000) },
  );
});
