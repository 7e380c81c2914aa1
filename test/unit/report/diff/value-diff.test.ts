import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson, SENSITIVE, type Json } from "../../../../src/model/json.ts";
import { diffField, type ValueDiff } from "../../../../src/report/diff/value-diff.ts";
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
const diffOf = (prior: Json, planned: Json): ValueDiff => diffField("insight", { path: "/query", prior, planned });

const events = (...names: readonly string[]): Json =>
  names.map((event) => ({ kind: "EventsNode", event, math: "total" }));

describe("the structural difference", () => {
  it("leads from the prior to the planned value", () => {
    const property = fc.property(value, value, (prior, planned) => {
      expect(canonicalJson(applied(prior, diffOf(prior, planned)))).toBe(canonicalJson(planned));
    });
    fc.assert(property, RUNS);
  });

  it("leads from a list to itself with edits, and keeps what they leave alone", () => {
    const edits = fc.record({ at: fc.nat(8), remove: fc.nat(2), insert: fc.array(value, { maxLength: 2 }) });
    const property = fc.property(fc.array(value, { maxLength: 8 }), edits, (prior, { at, remove, insert }) => {
      const planned = prior.toSpliced(at, remove, ...insert);
      const diff = diffOf(prior, planned);
      expect(canonicalJson(applied(prior, diff))).toBe(canonicalJson(planned));
      if (diff.type === "list") expect(diff.elements.length).toBeLessThanOrEqual(remove + insert.length);
    });
    fc.assert(property, RUNS);
  });

  it("compares a set by its elements", () => {
    const items = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 6 });
    const property = fc.property(items, items, (prior, planned) => {
      const diff = diffField("insight", { path: "/tags", prior, planned });
      const result = applied(prior, diff) as readonly string[];
      expect(result.toSorted()).toEqual(planned.toSorted());
    });
    fc.assert(property, RUNS);
  });

  const cases: readonly (readonly [string, Json, Json, object])[] = [
    ["an appended element", events("a"), events("a", "b"), { elements: [{ type: "added", to: 1 }] }],
    ["a removed element", events("a", "b", "c"), events("a", "c"), { elements: [{ type: "removed", from: 1 }] }],
    [
      "a moved element",
      events("a", "b", "c"),
      events("c", "a", "b"),
      { elements: [{ type: "moved", from: 2, to: 0 }] },
    ],
    [
      "an edited element beside a new one",
      [{ kind: "A", event: "x", math: "sum" }],
      [
        { kind: "B", name: "new" },
        { kind: "A", event: "x", math: "dau" },
      ],
      {
        elements: [
          { type: "added", to: 0 },
          { type: "changed", from: 0, to: 1, diff: { members: [{ key: "math", type: "changed" }] } },
        ],
      },
    ],
    [
      "a moved element of which only a list changed",
      [{ event: "x", math: [1] }, 1, 2],
      [1, 2, { event: "x", math: [1, 2] }],
      { elements: [{ type: "changed", from: 0, to: 2, moved: { event: "x" }, diff: { members: [{ key: "math" }] } }] },
    ],
    ["keys in another order", { a: 1, b: 2 }, { b: 2, a: 3 }, { members: [{ key: "a", type: "changed" }] }],
    [
      "a null that takes the place of nothing",
      {},
      { a: null },
      { members: [{ key: "a", type: "added", planned: null }] },
    ],
    ["a secret beside a secret", { a: SENSITIVE }, { a: SENSITIVE }, { members: [{ key: "a", type: "changed" }] }],
    ["a secret in a list", [{ a: SENSITIVE }], [{ a: SENSITIVE }], { elements: [{ type: "changed" }] }],
    ["equal values", "a", "a", { type: "replaced" }],
  ];
  it.each(cases)("shows %s", (_name, prior, planned, expected) => {
    expect(diffOf(prior, planned)).toMatchObject(expected);
  });

  it("knows the sets of a kind", () => {
    const field = { path: "/tags", prior: ["b", "a"], planned: ["c", "a", "b"] };
    expect(diffField("insight", field)).toEqual({ type: "set", removed: [], added: ["c"] });
  });

  it("is quick for long lists that have nothing in common", () => {
    const list = (start: number): Json => Array.from({ length: 3_000 }, (_, index) => ({ id: start + index }));
    const diff = diffOf(list(0), list(10_000));
    expect(diff).toMatchObject({ type: "list" });
    expect(canonicalJson(applied(list(0), diff))).toBe(canonicalJson(list(10_000)));
  });
});
