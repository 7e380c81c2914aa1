import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isLarge, splitByName } from "../../../src/export/split-collection.ts";
import { budget } from "../../support/budget.ts";

const named = (...names: readonly string[]) => names.map((name) => ({ name, fields: {} }));
const numbered = (count: number, start: string) =>
  named(...Array.from({ length: count }, (_, index) => `${start}${String(index)}`));
const sizes = (resources: Parameters<typeof splitByName>[0]) =>
  Object.fromEntries(splitByName(resources).map(({ prefix, resources: group }) => [prefix, group.length]));

describe("a collection", () => {
  it.each([
    ["of 500 resources", false, numbered(500, "a")],
    ["of 501", true, numbered(501, "a")],
    ["of few that are long", true, [..."ab"].map((name) => ({ name, fields: { query: "x".repeat(300_000) } }))],
    ["of one that is long", false, [{ name: "a", fields: { query: "x".repeat(600_000) } }]],
  ])("%s is large: %s", (_name, expected, resources) => expect(isLarge(resources)).toBe(expected));

  it("is split by the first letter or digit, and further where there are many", () => {
    const resources = [...named("dau", "Weekly", "web-2", "7-days"), ...numbered(600, "insight-")];
    expect(sizes(resources)).toEqual({
      "7": 1,
      d: 1,
      w: 2,
      ...Object.fromEntries(
        Array.from({ length: 10 }, (_, digit) => [`insight-${String(digit)}`, digit === 0 ? 1 : digit < 6 ? 111 : 11]),
      ),
    });
  });

  it("keeps a name that is the beginning of many others in a file of its own", () => {
    expect(sizes([...named("dau"), ...numbered(501, "dau")])).toMatchObject({ dau: 1, dau1: 111 });
  });

  it("is not split where names differ in case only", () => {
    const resources = [
      { name: "A", fields: { text: "x".repeat(300_000) } },
      { name: "a", fields: { text: "x".repeat(300_000) } },
    ];
    expect(sizes(resources)).toEqual({ a: 2 });
  });
});

const names = fc.uniqueArray(fc.stringMatching(/^[a-c][a-c0-2.@-]{0,6}$/), {
  maxLength: 1_200,
  minLength: 700,
  size: "max",
});

it("each resource is in one file that begins its name, no file is large, and a new resource moves none out of a file that is not large", () => {
  fc.assert(
    fc.property(names, fc.stringMatching(/^[a-c][a-c0-2.@-]{0,6}$/), (all, added) => {
      const groups = splitByName(named(...all));
      expect(groups.flatMap(({ resources }) => resources.map(({ name }) => name)).toSorted()).toEqual(all.toSorted());
      for (const { prefix, resources } of groups) {
        expect(isLarge(resources)).toBe(false);
        expect(resources.every(({ name }) => name.startsWith(prefix))).toBe(true);
      }
      const grown = new Map(
        splitByName(named(...all.filter((name) => name !== added), added)).map((group) => [group.prefix, group]),
      );
      for (const { prefix, resources } of groups) if (resources.length < 500) expect(grown.has(prefix)).toBe(true);
    }),
    { numRuns: budget(60) },
  );
});
