/**
 * A pair is written `from:to`, or `from>to` if the element moved. `1:` was removed and `:1` was added.
 */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { alignLists, findPartners, type AlignedPair } from "../../../src/diff/align.ts";
import type { Json, JsonObject } from "../../../src/model/json/json.ts";
import { SENSITIVE } from "../../../src/model/secret-values.ts";
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
    ["unless more are kept in their order without it", ["a", "b"], ["b", "a", "b"], ":0 0:1 1:2"],
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
});

describe("of elements that are not equal", () => {
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
    ["a part of a list counts as a part", [{ l: [1, 2, 3] }], [{ l: [1] }], "0: :0"],
    ["those that are most alike are paired", [edited("x", 1)], [edited("x", 2), { ...edited("x", 1), c: 1 }], ":0 0:1"],
    ["of two that are as alike the first is paired", [edited("x", 1)], [edited("x", 2), edited("x", 3)], "0:0 :1"],
    [
      "as many as possible are paired",
      [edited("x", 1), edited("y", 1), edited("z", 1)],
      [edited("z", 2), edited("x", 2), edited("y", 2)],
      "2>0 0:1 1:2",
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
  it("by itself, so it did not move", () => {
    expect(aligned([SENSITIVE, 1, 2, 3], [1, 2, 3, SENSITIVE])).toBe("0: 1:0 2:1 3:2 :3");
  });

  it.each<[string, Json, Json]>([
    ["an object", { a: 1, token: SENSITIVE }, { a: 1, b: 1 }],
    ["a deeper value", { a: 1, deep: [{ token: SENSITIVE }, 2] }, { a: 1, b: 1 }],
  ])("%s with a secret is alike, and not equal", (_name, element, alike) => {
    expect(aligned([element, 1, 2, 3], [1, 2, 3, element])).toBe("1:0 2:1 3:2 0>3");
    expect(aligned([alike, element], [element])).toBe("0: 1:0");
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

describe("what an element is about", () => {
  const event = (id: Json, more: JsonObject = {}): JsonObject => ({ event: id, ...more });
  it.each<[string, List, List, string]>([
    [
      "makes it the same one, whatever else was edited",
      [event("a", { b: 1, c: 1 })],
      [event("a", { b: 2, c: 2 })],
      "0:0",
    ],
    ["finds it at another place", [event("a", { b: 1 }), 1, 2], [1, 2, event("a", { b: 2 })], "1:0 2:1 0>2"],
    ["makes it another one, however alike", [event("a", { b: 1, c: 1 })], [event("x", { b: 1, c: 1 })], "0: :0"],
    ["is not the kind of the node", [{ kind: "A", b: 1 }], [{ kind: "A", b: 2, c: 2 }], "0: :0"],
    ["may be an id as a number or a text", [{ id: 7, b: 1 }], [{ id: "7", b: 2 }], "0:0"],
    [
      "may be a property",
      [
        { key: "a", b: 1 },
        { property: "a", b: 1 },
      ],
      [
        { property: "a", b: 2 },
        { key: "a", b: 2 },
      ],
      "1>0 0:1",
    ],
    ["may be a key alone", [{ key: "a", b: 1, c: 1 }], [{ key: "a", b: 2, c: 2 }], "0:0"],
    ["may be a property alone", [{ property: "a", b: 1, c: 1 }], [{ property: "a", b: 2, c: 2 }], "0:0"],
    ["is known by the keys that both have", [{ id: 1, event: "a", b: 1 }], [event("a", { b: 2 })], "0:0"],
    ["is also known if a key is new", [{ id: 1, b: 1, c: 1 }], [{ id: 1, event: "a", b: 2, c: 2 }], "0:0"],
    [
      "is its own if one of its keys is",
      [event("a", { id: 1, b: 1, c: 1, d: 1 }), event("a", { id: 2, b: 1, c: 1, d: 1 })],
      [event("a", { id: 2, b: 2, c: 2, d: 2 })],
      "0: 1:0",
    ],
    ["differs if one of these differs", [{ id: 1, event: "a", b: 1 }], [{ id: 2, event: "a", b: 1 }], "0: :0"],
    ["is new if it was not known before", [{ b: 1, c: 1 }], [event("a", { b: 1, c: 1 })], "0: :0"],
    ["does not count if it is no longer known", [event("a", { b: 1, c: 1 })], [{ b: 1, c: 1 }], "0:0"],
    [
      "leaves it to the rest if others have the same",
      [event("a", { b: 1 }), event("a", { b: 2 })],
      [event("a", { b: 2 }), event("a", { b: 3 })],
      "0: 1:0 :1",
    ],
    [
      "leaves it to the rest if a new one has the same",
      [event("a", { b: 1 })],
      [event("a", { b: 2 }), event("a", { b: 3 })],
      "0: :0 :1",
    ],
    [
      "leaves it to the rest if a removed one has the same",
      [event("a", { b: 1 }), event("a", { b: 2 })],
      [event("a", { b: 3 })],
      "0: 1: :0",
    ],
    [
      "and nothing else makes it the same one",
      [event("a", { b: 1 }), event("a", { b: 2 })],
      [event("a"), event("a")],
      "0: 1: :0 :1",
    ],
  ])("%s", (_name, prior, planned, pairs) => {
    expect(aligned(prior, planned)).toBe(pairs);
  });
});

describe("an element of which only a list changed is the same one", () => {
  it.each<[string, Json, Json]>([
    ["in every element of the list", { a: 1, b: [1, 2, 3, 4] }, { a: 1, b: [5, 6, 7, 8] }],
    ["at its start", { b: [{ c: 1 }, { c: 2 }] }, { b: [{ c: 0 }, { c: 1 }, { c: 2 }] }],
    ["by becoming empty", { a: 1, b: [1, 2, 3] }, { a: 1, b: [] }],
    ["at a depth", { a: 1, b: { c: [1, 2, 3], d: 1 } }, { a: 1, b: { c: [4], d: 1 } }],
  ])("%s", (_name, prior, planned) => {
    expect(aligned([prior], [planned])).toBe("0:0");
    expect(aligned([prior, 1, 2], [1, 2, planned])).toBe("1:0 2:1 0>2");
  });

  it("because it counts as much as one leaf", () => {
    expect(aligned([{ a: 1, b: 1, c: [1, 2, 3] }], [{ a: 2, b: 2, c: [1, 2, 3] }])).toBe("0: :0");
    expect(aligned([{ a: 1, c: [1, 2, 3, 4, 5, 6] }], [{ a: 2, c: [1, 2, 3, 4, 5, 6] }])).toBe("0:0");
  });
});

describe("if the planned elements say only a part", () => {
  const partners = (prior: List, planned: List): string =>
    [...findPartners(prior, planned, { partial: true })]
      .map(([to, from]) => `${from}:${to}`)
      .toSorted()
      .join(" ");

  it.each<[string, List, List, string]>([
    ["only what they say counts", [{ a: 1, b: 1, c: 1, d: [1, 2] }], [{ a: 1 }], "0:0"],
    ["what they say more counts", [{ a: 1 }], [{ a: 1, b: 1, c: 1 }], ""],
    ["so does a part of a list", [{ a: 1, l: [1, 2, 3, 4] }], [{ b: 1, l: [1, 2] }], "0:0"],
    ["an element that says nothing is like any other", [{ a: 1 }], [{}], "0:0"],
    ["but for a list, which is never like an object", [["a"]], [{ a: null }], ""],
    ["null is like nothing", [{ a: 1 }], [{ a: 1, b: null, c: null }], "0:0"],
    [
      "one that says nothing waits until those with a subject have theirs",
      [{ event: "a", b: 1 }],
      [{}, { event: "a", b: 2 }],
      "0:1",
    ],
  ])("%s", (_name, prior, planned, pairs) => {
    expect(partners(prior, planned)).toBe(pairs);
  });

  it("the caller says which are equal", () => {
    const prior = [{ b: 1 }, { b: 1 }];
    const isEqual = (from: number, to: number): boolean => from === 1 && to === 0;
    expect([...findPartners(prior, [{ b: 1 }], { isEqual, partial: true })]).toEqual([[0, 1]]);
  });

  it.each<[string, List, List, number | undefined]>([
    ["an equal one comes before one that says the same", [{ b: 1 }, { b: 1 }], [{ b: 1 }], 1],
    ["an equal one needs to be alike only in half", [{ b: 1 }, { b: 1 }], [{ b: 1, c: 1 }], 1],
    ["one that is not alike is no partner at another place", ["x", { b: 1 }], [{ c: 1 }], undefined],
  ])("%s", (_name, moved, [planned = null], partner) => {
    const kept = ["c", "d", "e"];
    const isEqual = (from: number, to: number): boolean => (from < 2 ? from === 1 && to === 3 : from === to + 2);
    const found = findPartners([...moved, ...kept], [...kept, planned], { isEqual, partial: true });
    expect(found.get(3)).toBe(partner);
  });
});

describe("long lists", () => {
  const item = (id: number, version: number): Json => ({ name: `of ${id}`, version });
  const count = <T>(length: number, at: (index: number) => T): readonly T[] =>
    Array.from({ length }, (_, index) => at(index));
  /** Every element has been edited and stands one place further. */
  const shifted = (length: number): List => [item(-1, 3), ...count(length - 1, (index) => item(index, 2))];

  it("are paired by similarity up to a million leaves that are looked up", () => {
    const prior = count(570, (index) => item(index, 1));
    expect(written(alignLists(prior, shifted(570)))).toEqual([
      ":0",
      ...count(569, (index) => `${index}:${index + 1}`),
      "569:",
    ]);
  });

  it("are paired by place above that", () => {
    const prior = count(600, (index) => item(index, 1));
    const pairs = alignLists(prior, shifted(600).with(7, item(7, 2)));
    expect(written(pairs.filter(({ from, to }) => from !== undefined && to !== undefined))).toEqual(["7:7"]);
  });

  it("are paired by similarity in a short stretch behind many kept elements", () => {
    const kept = count(400, (index) => index);
    const edited = count(20, (index) => item(index, 1));
    const pairs = written(alignLists([...kept, ...edited], [...kept, ...shifted(20)])).slice(400);
    expect(pairs).toEqual([":400", ...count(19, (index) => `${index + 400}:${index + 401}`), "419:"]);
  });

  it("with too many edits keep what is at the same place", () => {
    const prior = count(1_400, (index) => index);
    const half = count(1_300, (index) => (index % 2 === 0 ? index : -index));
    const kept = alignLists(prior, half).filter(({ from, to }) => from !== undefined && to !== undefined);
    expect(kept).toEqual(count(650, (index) => ({ from: 2 * index, to: 2 * index, moved: false })));
  });

  it("with too many edits keep equal elements at the same place, however unlike their texts", () => {
    const isEqual = (from: number, to: number): boolean => from === to && from % 2 === 0;
    const found = findPartners(
      count(1_400, (index) => ({ a: index })),
      count(1_300, (index) => ({ b: index })),
      { isEqual },
    );
    expect([...found]).toEqual(count(650, (index) => [2 * index, 2 * index]));
  });

  it("are quick", () => {
    const list = (from: number): List =>
      count(1_000, (index) => ({ id: from + index, deep: count(20, (key) => ({ key })) }));
    // The time of the processor: other work on the machine does not count.
    const start = process.cpuUsage();
    alignLists(list(0), list(10_000));
    alignLists(list(0), list(0).toReversed());
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(3_000);
  });
});

describe("any two lists", () => {
  const element = fc.oneof(
    fc.constantFrom<Json>("a", "b", 1, null, SENSITIVE, [], {}),
    fc.dictionary(fc.constantFrom("a", "b", "c"), fc.constantFrom<Json>(1, 2, SENSITIVE), { maxKeys: 3 }),
  );
  const list = fc.array(element, { maxLength: 8 });
  const indexes = (pairs: readonly AlignedPair[], side: "from" | "to"): readonly number[] =>
    pairs.flatMap((pair) => pair[side] ?? []);
  const range = (length: number): readonly number[] => Array.from({ length }, (_, index) => index);

  it("have each element once, in the order of the planned list, and what did not move in both orders", () => {
    const property = fc.property(list, list, (prior, planned) => {
      const pairs = alignLists(prior, planned);
      expect(indexes(pairs, "from").toSorted((a, b) => a - b)).toEqual(range(prior.length));
      expect(indexes(pairs, "to")).toEqual(range(planned.length));
      const stayed = pairs.filter(({ moved }) => !moved).flatMap(({ from }) => from ?? []);
      expect(stayed).toEqual(stayed.toSorted((a, b) => a - b));
    });
    fc.assert(property, { numRuns: budget(500) });
  });
});
