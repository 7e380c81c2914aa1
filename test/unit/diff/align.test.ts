/**
 * A pair is written `from:to`, or `from>to` if the element moved. `1:` was removed and `:1` was added.
 */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { alignLists, pairElements, type AlignedPair } from "../../../src/diff/align.ts";
import { canonicalJson, SENSITIVE, type Json, type JsonObject } from "../../../src/model/json.ts";
import { budget } from "../../support/budget.ts";

type List = readonly Json[];

const written = (pairs: readonly AlignedPair[]): readonly string[] =>
  pairs.map(({ from, to, moved }) => `${from ?? ""}${moved ? ">" : ":"}${to ?? ""}`);

const aligned = (prior: List, planned: List): string => written(alignLists(prior, planned)).join(" ");

describe("two lists are aligned with", () => {
  it.each<[string, List, List, string]>([
    ["nothing if both are empty", [], [], ""],
    ["equal elements", ["a", "b", "c"], ["a", "b", "c"], "0:0 1:1 2:2"],
    ["appended elements", ["a"], ["a", "b", "c"], "0:0 :1 :2"],
    ["an element that was put before the others", ["b", "c"], ["a", "b", "c"], ":0 0:1 1:2"],
    ["an element that was removed", ["a", "b", "c"], ["a", "c"], "0:0 1: 2:1"],
    ["everything removed", ["a", "b"], [], "0: 1:"],
    ["an element in the place of another, which is removed first", ["a", "x", "c"], ["a", "y", "c"], "0:0 1: :1 2:2"],
    ["a number and its text, which are different", [1, null], ["1", false], "0: 1: :0 :1"],
    ["edits after one another", ["a", "b", "c", "d", "e"], ["b", "x", "d", "e", "y"], "0: 1:0 2: :1 3:2 4:3 :4"],
  ])("%s", (_name, prior, planned, pairs) => {
    expect(aligned(prior, planned)).toBe(pairs);
    expect(written(pairElements(prior, planned)).join(" ")).toBe(pairs);
  });
});

describe("an element that moved is found", () => {
  it.each<[string, List, List, string]>([
    ["at the start", ["a", "b", "c"], ["c", "a", "b"], "2>0 0:1 1:2"],
    ["at the end", ["a", "b", "c"], ["b", "c", "a"], "1:0 2:1 0>2"],
    ["twice", ["x", "x", "a", "b", "c"], ["a", "b", "c", "x", "x"], "2:0 3:1 4:2 0>3 1>4"],
    ["once if it was removed twice", ["x", "x", "a", "b", "c"], ["a", "b", "c", "x"], "1: 2:0 3:1 4:2 0>3"],
    ["once if it was added twice", ["x", "a", "b", "c"], ["a", "b", "c", "x", "x"], "1:0 2:1 3:2 0>3 :4"],
    ["beside another that was removed", ["x", "y", "a", "b", "c"], ["a", "b", "c", "y"], "0: 2:0 3:1 4:2 1>3"],
    ["but not for one that was kept", ["a", "b", "a"], ["a", "c"], "0:0 1: 2: :1"],
    [
      "but not for one that was edited",
      [{ a: 1, b: 2 }, 1, 2, 3],
      [1, 2, 3, { a: 1, b: 2 }, { a: 1, b: 3 }],
      "1:0 2:1 3:2 0>3 :4",
    ],
  ])("%s", (_name, prior, planned, pairs) => {
    expect(aligned(prior, planned)).toBe(pairs);
  });

  it("only if the caller asks for moves", () => {
    expect(written(pairElements(["a", "b", "c"], ["c", "a", "b"]))).toEqual([":0", "0:1", "1:2", "2:"]);
  });
});

describe("of two elements between kept ones", () => {
  const edited = (id: string, b: number): JsonObject => ({ id, a: `of ${id}`, b });

  it.each<[string, List, List, string]>([
    ["half alike is enough", [{ a: 1, b: 1 }], [{ a: 1, b: 2 }], "0:0"],
    ["less is not", [{ a: 1, b: 1, c: 1 }], [{ a: 1, b: 2, c: 2 }], "0: :0"],
    ["the larger one counts", [{ a: 1 }], [{ a: 1, b: 1, c: 1 }], "0: :0"],
    ["the larger one counts, also if it was there before", [{ a: 1, b: 1, c: 1 }], [{ a: 1 }], "0: :0"],
    ["the same values at other keys do not count", [{ a: 1, b: 2 }], [{ a: 2, b: 1 }], "0: :0"],
    ["empty values count", [{ a: {}, b: 1, c: [], d: 1 }], [{ a: {}, b: 2, c: [], d: 2 }], "0:0"],
    ["other empty values do not count", [{ a: {}, b: 1 }], [{ a: [], b: 1, c: 1 }], "0: :0"],
    ["values at every depth count", [{ a: { b: [1, 2, 3] } }], [{ a: { b: [1, 2, 4] } }], "0:0"],
    ["a list is like a list", [["a", "b"]], [["a", "c"]], "0:0"],
    ["a list is like no object", [["a"]], [{ 0: "a" }], "0: :0"],
    ["those that are most alike are paired", [edited("x", 1)], [edited("x", 2), { ...edited("x", 1), c: 1 }], ":0 0:1"],
    [
      "as many as possible are paired",
      [edited("x", 1), edited("y", 1), edited("z", 1)],
      [edited("z", 2), edited("x", 2), edited("y", 2)],
      ":0 0:1 1:2 2:",
    ],
    [
      "each is paired in its own stretch",
      ["gone", "k", edited("x", 1), "l", edited("y", 1), edited("z", 1)],
      ["k", edited("x", 2), "l", edited("new", 1), edited("y", 2), edited("z", 2)],
      "0: 1:0 2:1 3:2 :3 4:4 5:5",
    ],
    [
      "the first comes first if several are equally alike",
      [{ a: 1, b: 1 }],
      [
        { a: 1, b: 2 },
        { a: 1, b: 3 },
      ],
      "0:0 :1",
    ],
  ])("%s", (_name, prior, planned, pairs) => {
    expect(aligned(prior, planned)).toBe(pairs);
  });
});

describe("a secret is never known to be the same", () => {
  it.each<[string, Json]>([
    ["by itself", SENSITIVE],
    ["in an object", { a: 1, token: SENSITIVE }],
    ["in a list", [1, SENSITIVE]],
    ["deeper", { a: 1, deep: [{ token: SENSITIVE }, 2] }],
  ])("%s, so it did not move", (_name, element) => {
    expect(aligned([element, 1, 2, 3], [1, 2, 3, element])).toBe("0: 1:0 2:1 3:2 :3");
  });

  it.each<[string, Json, Json, string]>([
    ["two secrets are not alike", SENSITIVE, SENSITIVE, "0: :0"],
    ["a secret and an object are not alike", SENSITIVE, { sensitive: true, a: 1 }, "0: :0"],
    ["an object and a secret are not alike", { sensitive: true, a: 1 }, SENSITIVE, "0: :0"],
    ["objects with secrets at the same key are alike", { token: SENSITIVE, a: 1 }, { token: SENSITIVE, a: 2 }, "0:0"],
  ])("%s", (_name, prior, planned, pairs) => {
    expect(aligned([prior], [planned])).toBe(pairs);
  });
});

describe("long lists", () => {
  const item = (id: number, version: number): Json => ({ id, name: `of ${id}`, version });
  const count = <T>(length: number, at: (index: number) => T): readonly T[] =>
    Array.from({ length }, (_, index) => at(index));
  /** Every element has been edited and stands one place further. */
  const shifted = (length: number): List => [item(-1, 1), ...count(length - 1, (index) => item(index, 2))];

  it("are paired by similarity up to ten thousand possible pairs", () => {
    const pairs = written(
      pairElements(
        count(100, (index) => item(index, 1)),
        shifted(100),
      ),
    );
    expect(pairs).toEqual([":0", ...count(99, (index) => `${index}:${index + 1}`), "99:"]);
  });

  it("are paired by place above that", () => {
    const pairs = written(
      pairElements(
        count(101, (index) => item(index, 1)),
        shifted(100),
      ),
    );
    expect(pairs).toEqual([...count(100, (index) => [`${index}:`, `:${index}`]).flat(), "100:"]);
  });

  it("are paired by similarity in a short stretch behind many kept elements", () => {
    const kept = count(400, (index) => index);
    const edited = count(20, (index) => item(index, 1));
    const pairs = written(pairElements([...kept, ...edited], [...kept, ...shifted(20)])).slice(400);
    expect(pairs).toEqual([":400", ...count(19, (index) => `${index + 400}:${index + 401}`), "419:"]);
  });

  it.each([
    ["more elements before than now", 110, 100],
    ["more elements now than before", 100, 110],
  ])("are paired by place between kept elements, with %s", (_name, before, now) => {
    // The kept element after them is like the first one that has no partner.
    const shortest = Math.min(before, now);
    const kept = [item(shortest, 0), "end"];
    const prior = ["gone", "kept", ...count(before, (index) => item(index, 1)), ...kept];
    const planned = ["kept", ...count(now, (index) => item(index % 2 === 0 ? index : index + 1000, 2)), ...kept];
    const pairOf = (index: number): readonly string[] => {
      if (index < shortest && index % 2 === 0) return [`${index + 2}:${index + 1}`];
      return [...(index < before ? [`${index + 2}:`] : []), ...(index < now ? [`:${index + 1}`] : [])];
    };
    expect(written(pairElements(prior, planned))).toEqual([
      "0:",
      "1:0",
      ...count(Math.max(before, now), pairOf).flat(),
      `${before + 2}:${now + 1}`,
      `${before + 3}:${now + 2}`,
    ]);
  });

  it("with too many edits keep what is at the same place, and do not look for it elsewhere", () => {
    const prior = count(700, (index) => index);
    const half = count(600, (index) => (index % 2 === 0 ? index : -index));
    const same = count(700, (index) => {
      if (index >= 600) return [`${index}:`];
      return index % 2 === 0 ? [`${index}:${index}`] : [`${index}:`, `:${index}`];
    });
    expect(written(alignLists(prior, half))).toEqual(same.flat());
    const later = written(pairElements(half, ["new", ...half.map((value) => (value < 0 ? value - 1000 : value))]));
    expect(later).toEqual([...count(600, (index) => [`${index}:`, `:${index}`]).flat(), ":600"]);
  });
});

type Leaves = readonly [number, number, number, number];

/** The leaves that two elements share, or 0 if these are less than half of five. */
function shared(left: Leaves | undefined, right: Leaves | undefined): number {
  const count = left?.filter((leaf, index) => leaf === right?.[index]).length ?? 0;
  return count < 3 ? 0 : count;
}

function greatestSum([left, ...prior]: readonly Leaves[], [right, ...planned]: readonly Leaves[]): number {
  if (left === undefined || right === undefined) return 0;
  return Math.max(
    shared(left, right) + greatestSum(prior, planned),
    greatestSum(prior, [right, ...planned]),
    greatestSum([left, ...prior], planned),
  );
}

describe("any two lists", () => {
  const element = fc.oneof(
    fc.constantFrom<Json>("a", "b", 1, null, SENSITIVE, [], {}),
    fc.dictionary(fc.constantFrom("a", "b", "c"), fc.constantFrom<Json>(1, 2, SENSITIVE), { maxKeys: 3 }),
  );
  const list = fc.array(element, { maxLength: 8 });
  const indexes = (pairs: readonly AlignedPair[], side: "from" | "to"): readonly number[] =>
    pairs.flatMap((pair) => pair[side] ?? []);
  const range = (length: number): readonly number[] => Array.from({ length }, (_, index) => index);

  it("have each element once, in the order of both lists", () => {
    const property = fc.property(list, list, (prior, planned) => {
      const pairs = pairElements(prior, planned);
      expect(indexes(pairs, "from")).toEqual(range(prior.length));
      expect(indexes(pairs, "to")).toEqual(range(planned.length));
      expect(pairs.some(({ moved }) => moved)).toBe(false);
    });
    fc.assert(property, { numRuns: budget(500) });
  });

  it("are paired so that the sum of their similarity is greatest", () => {
    const leaf = fc.constantFrom(1, 2);
    const items = fc.array(fc.tuple(leaf, leaf, leaf, leaf), { maxLength: 5 });
    /** The side is a leaf as well, so no two elements are equal. */
    const of = (side: string, [a, b, c, d]: Leaves): Json => ({ side, a, b, c, d });
    const property = fc.property(items, items, (prior, planned) => {
      const pairs = pairElements(
        prior.map((leaves) => of("prior", leaves)),
        planned.map((leaves) => of("planned", leaves)),
      );
      const sum = pairs.reduce((total, { from = -1, to = -1 }) => total + shared(prior[from], planned[to]), 0);
      expect(sum).toBe(greatestSum(prior, planned));
    });
    fc.assert(property, { numRuns: budget(500) });
  });

  it("have each element once with moves, in the order of the planned list, and none that moved differs", () => {
    const property = fc.property(list, list, (prior, planned) => {
      const pairs = alignLists(prior, planned);
      expect(indexes(pairs, "from").toSorted((a, b) => a - b)).toEqual(range(prior.length));
      expect(indexes(pairs, "to")).toEqual(range(planned.length));
      for (const { from, to } of pairs.filter(({ moved }) => moved))
        expect(canonicalJson(prior[from ?? -1] ?? null)).toBe(canonicalJson(planned[to ?? -1] ?? null));
    });
    fc.assert(property, { numRuns: budget(500) });
  });
});
