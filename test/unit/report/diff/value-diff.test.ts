import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../../../src/model/json/canonical-json.ts";
import type { Json } from "../../../../src/model/json/json.ts";
import { SENSITIVE } from "../../../../src/model/secret-values.ts";
import { pointerKeys } from "../../../../src/model/pointer.ts";
import { diffField, type ValueDifference } from "../../../../src/report/diff/value-diff.ts";
import { budget } from "../../../support/budget.ts";
import { applied } from "./values.ts";

const RUNS = { numRuns: budget(2000) };

/** Few different scalars and keys, so that random values have something in common. */
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<Json>(null, true, 0, 1, "", "a", "b\nc", "b\nc\n", {}, []),
    fc.array(tie("value"), { maxLength: 5 }),
    fc.dictionary(fc.constantFrom("kind", "event", "math", "__proto__", "a/b"), tie("value"), { maxKeys: 4 }),
  ),
}));

/** The difference of a field that is no set. */
const diffOf = (prior: Json, planned: Json): readonly ValueDifference[] =>
  diffField("insight", { path: "/query", prior, planned });

/** The elements that the list itself gains, loses or moves, and those that differ below it. */
const elementsOf = (diff: readonly ValueDifference[]): readonly unknown[] => [
  ...diff.flatMap((one) => (one.type === "list" && one.path === "/query" ? one.elements : [])),
  ...new Set(diff.flatMap(({ path }) => pointerKeys(path)[1] ?? [])),
];

const events = (...names: readonly string[]): Json =>
  names.map((event) => ({ kind: "EventsNode", event, math: "total" }));

describe("the structural difference", () => {
  it("leads from the prior to the planned value", () => {
    const property = fc.property(value, value, (prior, planned) => {
      expect(canonicalJson(applied(prior, diffOf(prior, planned), "/query"))).toBe(canonicalJson(planned));
    });
    fc.assert(property, RUNS);
  });

  it("leads from a list to itself with edits, and keeps what they leave alone", () => {
    const edits = fc.record({ at: fc.nat(8), remove: fc.nat(2), insert: fc.array(value, { maxLength: 2 }) });
    const property = fc.property(fc.array(value, { maxLength: 8 }), edits, (prior, { at, remove, insert }) => {
      const planned = prior.toSpliced(at, remove, ...insert);
      const diff = diffOf(prior, planned);
      expect(canonicalJson(applied(prior, diff, "/query"))).toBe(canonicalJson(planned));
      expect(elementsOf(diff).length).toBeLessThanOrEqual(remove + insert.length);
    });
    fc.assert(property, RUNS);
  });

  it("compares a set by its elements", () => {
    const items = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 6 });
    const property = fc.property(items, items, (prior, planned) => {
      const diff = diffField("insight", { path: "/tags", prior, planned });
      const result = applied(prior, diff, "/tags") as readonly string[];
      expect(result.toSorted()).toEqual(planned.toSorted());
    });
    fc.assert(property, RUNS);
  });

  const cases: readonly (readonly [string, Json, Json, readonly object[]])[] = [
    [
      "an appended element",
      events("a"),
      events("a", "b"),
      [{ path: "/query", type: "list", elements: [{ type: "added", to: 1 }] }],
    ],
    [
      "a removed element",
      events("a", "b", "c"),
      events("a", "c"),
      [{ path: "/query", type: "list", elements: [{ type: "removed", from: 1 }] }],
    ],
    [
      "a moved element",
      events("a", "b", "c"),
      events("c", "a", "b"),
      [{ path: "/query", type: "list", elements: [{ type: "moved", from: 2, to: 0 }] }],
    ],
    [
      "an edited element beside a new one",
      [{ kind: "A", event: "x", math: "sum" }],
      [
        { kind: "B", name: "new" },
        { kind: "A", event: "x", math: "dau" },
      ],
      [
        { path: "/query", type: "list", elements: [{ type: "added", to: 0 }] },
        { path: "/query/1/math", type: "text", prior: "sum", planned: "dau" },
      ],
    ],
    [
      "a moved element of which only a list changed",
      [{ event: "x", math: [1] }, 1, 2],
      [1, 2, { event: "x", math: [1, 2] }],
      [
        { path: "/query", type: "list", elements: [{ type: "moved", from: 0, to: 2, value: { event: "x" } }] },
        { path: "/query/2/math", type: "list", elements: [{ type: "added", to: 1 }] },
      ],
    ],
    [
      "keys in another order",
      { a: 1, b: 2 },
      { b: 2, a: 3 },
      [{ path: "/query/a", type: "value", prior: 1, planned: 3 }],
    ],
    [
      "a null that takes the place of nothing",
      {},
      { a: null },
      [{ path: "/query/a", type: "value", prior: undefined, planned: null }],
    ],
    ["an empty text", "a", "", [{ path: "/query", type: "value", prior: "a", planned: "" }]],
    ["a secret beside a secret", { a: SENSITIVE }, { a: SENSITIVE }, [{ path: "/query/a", type: "value" }]],
    ["a secret in a list", [{ a: SENSITIVE }], [{ a: SENSITIVE }], [{ path: "/query/0/a", type: "value" }]],
    ["equal values", "a", "a", [{ path: "/query", type: "value", prior: "a", planned: "a" }]],
  ];
  it.each(cases)("shows %s", (_name, prior, planned, expected) => {
    expect(diffOf(prior, planned)).toMatchObject(expected);
  });

  it("knows the sets of a kind", () => {
    const field = { path: "/tags", prior: ["b", "a"], planned: ["c", "a", "b"] };
    expect(diffField("insight", field)).toEqual([{ path: "/tags", type: "set", removed: [], added: ["c"] }]);
  });

  it("is quick for long lists that have nothing in common", () => {
    const list = (start: number): Json => Array.from({ length: 3_000 }, (_, index) => ({ id: start + index }));
    const diff = diffOf(list(0), list(10_000));
    expect(diff).toMatchObject([{ type: "list" }]);
    expect(canonicalJson(applied(list(0), diff, "/query"))).toBe(canonicalJson(list(10_000)));
  });
});
