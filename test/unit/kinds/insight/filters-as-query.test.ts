/** Filters, and the query as which a server shows them, mean the same. Filters that say something else do not. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { compare } from "../../../../src/diff/compare.ts";
import { withGeneratedQuery } from "../../../../src/emulator/resources/insight/deployed-query.ts";
import { kinds } from "../../../../src/kinds/registry.ts";
import type { JsonObject } from "../../../../src/emulator/json.ts";
import { budget } from "../../../support/budget.ts";
import { changedAt, pathsIn, type Path } from "../../../support/queries.ts";

const word = fc.constantFrom("a", "b", "c");
const property = fc.record(
  {
    key: word,
    value: fc.oneof(word, fc.array(word, { minLength: 1, maxLength: 2 }), fc.integer({ min: 0, max: 3 })),
    operator: fc.constantFrom("exact", "gt"),
    type: fc.constantFrom("event", "person"),
  },
  { requiredKeys: ["key", "value"] },
);
const group = fc.record({
  type: fc.constantFrom("AND", "OR"),
  values: fc.array(
    fc.record({ type: fc.constantFrom("AND", "OR"), values: fc.array(property, { minLength: 1, maxLength: 2 }) }),
    { minLength: 1, maxLength: 2 },
  ),
});
const entity = (id: fc.Arbitrary<string | number>) =>
  fc.record(
    {
      id,
      order: fc.integer({ min: 0, max: 9 }),
      math: fc.constantFrom("dau", "total"),
      custom_name: word,
      properties: fc.array(property, { maxLength: 2 }),
    },
    { requiredKeys: ["id", "order"] },
  );
/** Filters of trends and funnels. Each element has a place of its own. */
const filters: fc.Arbitrary<JsonObject> = fc
  .record(
    {
      insight: fc.constantFrom("TRENDS", "FUNNELS"),
      events: fc.array(entity(word), { maxLength: 3 }),
      actions: fc.array(entity(fc.constantFrom(1, "2")), { maxLength: 2 }),
      properties: fc.oneof(fc.array(property, { maxLength: 2 }), group),
      date_from: fc.constantFrom("-7d", null),
      interval: fc.constantFrom("day", "week"),
      breakdown: word,
      breakdown_limit: fc.integer({ min: 1, max: 3 }),
      filter_test_accounts: fc.boolean(),
      sampling_factor: fc.constantFrom(0.1, 1),
    },
    { requiredKeys: ["insight"] },
  )
  .filter(({ events = [], actions = [] }) => {
    const orders = [...events, ...actions].map(({ order }) => order);
    return new Set(orders).size === orders.length;
  });

const shownFor = (stored: JsonObject): JsonObject => {
  const { filters: shown, query } = withGeneratedQuery({ filters: stored, query: null });
  return { filters: shown, query };
};
const pathsFor = (declared: JsonObject, live: JsonObject): readonly string[] =>
  compare(kinds.insight, { filters: declared }, live).map(({ keys }) => keys.join("/"));

test("filters are equal to the query that a server makes of them", () => {
  fc.assert(
    fc.property(filters, (declared) => {
      expect(pathsFor(declared, shownFor(declared))).toEqual([]);
    }),
    { numRuns: budget(2000) },
  );
});

/** The paths of values whose change means something: not the places, and not how a group of one property combines it. */
const leavesOf = (declared: JsonObject): readonly Path[] =>
  pathsIn(declared).filter((path) => {
    const last = path.at(-1);
    if (last === "order" || last === "insight" || (last === "type" && path.includes("properties"))) return false;
    return true;
  });

test("filters of which somebody has changed or removed a declared value differ, and the query has to go", () => {
  fc.assert(
    fc.property(filters, fc.nat(), fc.boolean(), (declared, pick, isRemoved) => {
      const leaves = leavesOf(declared);
      const path = leaves[pick % leaves.length];
      // Without an operator a filter compares exactly.
      fc.pre(path !== undefined && !(isRemoved && path.at(-1) === "operator"));
      let isEmpty = false;
      const stored = changedAt(declared, path ?? [], (old) => {
        isEmpty = old === null || old === false || (Array.isArray(old) && old.length === 0);
        return isRemoved ? undefined : typeof old === "object" && old !== null ? [{ id: "z", key: "z" }] : "z";
      }) as JsonObject;
      fc.pre(!isEmpty || !isRemoved);
      expect(pathsFor(declared, { filters: stored, query: null })).not.toEqual([]);
      expect(pathsFor(declared, shownFor(stored))).toContain("query");
    }),
    { numRuns: budget(2000) },
  );
});
