import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { patchBody } from "../../../src/diff/body.ts";
import { inspect, compare } from "../../../src/diff/compare.ts";
import { fingerprint } from "../../../src/diff/fingerprint.ts";
import { normalizedAt, indexedPaths } from "../../../src/diff/value-index.ts";
import { collectionOf, kinds } from "../../../src/kinds/registry.ts";
import type { Json, JsonObject } from "../../../src/model/json/json.ts";
import { pointer } from "../../../src/model/pointer.ts";
import type { LiveObject } from "../../../src/model/live.ts";
import { leavesOf, mutated } from "../../scenario/properties/leaves.ts";
import { MASK } from "../../support/organizations.ts";
import { isSameNotation, pairs, taken, type Pair } from "./values.ts";
import { budget, isWhole } from "../../support/budget.ts";

const RUNS = { numRuns: budget(1000) };

describe("the differ", () => {
  it("finds no difference between values and themselves, for every kind", () => {
    const property = fc.property(pairs, ({ name, right }) => {
      expect(compare(kinds[name], right, right)).toEqual([]);
    });
    fc.assert(property, RUNS);
  });

  it("finds no difference if a service holds more than was declared", () => {
    const property = fc.property(pairs, ({ name, left }) => {
      const live = grown(left) as JsonObject;
      expect(compare(kinds[name], left, live, { partial: ["query"] })).toEqual([]);
    });
    fc.assert(property, RUNS);
  });

  it("finds or notes every key that is live and not declared", () => {
    let found = 0;
    const property = fc.property(pairs, ({ name, left }) => {
      const live = grown(left) as JsonObject;
      fc.pre(isSameNotation(name, left, live));
      const { differences, unreadable, uncomparedKeys } = inspect(kinds[name], left, live);
      const hidden = unreadable.map(({ keys }) => pointer(...keys));
      const seen = [...differences.map(({ keys }) => pointer(...keys)), ...uncomparedKeys];
      const added = addedPaths(left, []).filter((path) => !hidden.some((above) => path.startsWith(`${above}/`)));
      expect(seen.toSorted()).toEqual(added.toSorted());
      expect(differences.every(({ keys }) => keys[0] === "query")).toBe(true);
      found += differences.length;
    });
    fc.assert(property, RUNS);
    if (isWhole) expect(found).toBeGreaterThan(0);
  });

  it("finds no difference once the live value is overlaid with the declared one", () => {
    let sent = 0;
    const property = fc.property(pairs, ({ name, left, right }) => {
      // A service that shows filters as a query makes another query of other filters, which nothing here does.
      fc.pre(isSameNotation(name, left, right));
      const leaves = compare(kinds[name], left, right);
      const body = patchBody(kinds[name], { values: left }, right, leaves);
      if (Object.keys(body).length > 0) sent += 1;
      expect(compare(kinds[name], left, taken(right, body))).toEqual([]);
    });
    fc.assert(property, RUNS);
    if (isWhole) expect(sent).toBeGreaterThan(RUNS.numRuns / 4);
  });

  it("sends nothing but declared fields that differ", () => {
    const property = fc.property(pairs, ({ name, left, right }) => {
      const leaves = compare(kinds[name], left, right);
      const fields = new Set(leaves.map(({ keys }) => keys[0]));
      expect(new Set(Object.keys(patchBody(kinds[name], { values: left }, right, leaves)))).toEqual(fields);
    });
    fc.assert(property, RUNS);
  });

  it("finds every change of a declared leaf, at its path or that of the list around it, and nowhere else", () => {
    let found = 0;
    const property = fc.property(pairs, fc.nat(), (pair, choice) => {
      const leaf = chosen(pair, choice);
      if (leaf === undefined) return;
      const [field = "", ...rest] = leaf.keys;
      const live = { ...pair.left, [field]: mutated(pair.left[field] ?? null, rest, leaf.isSet) };
      const differences = compare(kinds[pair.name], pair.left, live);
      expect(differences).toHaveLength(1);
      const [keys = []] = differences.map((one) => one.keys);
      // An element that has changed too much is another element.
      const isAround = leaf.keys.length > keys.length && leaf.keys.some((key) => /^\d+$/.test(key));
      expect([keys, isAround || keys.length === leaf.keys.length]).toEqual([leaf.keys.slice(0, keys.length), true]);
      found += 1;
    });
    fc.assert(property, RUNS);
    if (isWhole) expect(found).toBeGreaterThan(RUNS.numRuns / 2);
  });

  it("neither finds nor hides anything because of the order of keys", () => {
    const property = fc.property(pairs, ({ name, left, right }) => {
      const paths = (declared: JsonObject, live: JsonObject) =>
        compare(kinds[name], declared, live)
          .map(({ keys }) => pointer(...keys))
          .toSorted();
      expect(paths(turned(left) as JsonObject, turned(right) as JsonObject)).toEqual(paths(left, right));
    });
    fc.assert(property, RUNS);
  });

  it("hides the differences of an ignored field, and no others", () => {
    const property = fc.property(pairs, fc.nat(), ({ name, left, right }, choice) => {
      const fields = Object.keys(left);
      const ignored = fields[choice % Math.max(1, fields.length)] ?? "";
      // A query that nothing declares differs only because filters do.
      const hidden = ignored === "filters" && !("query" in left) ? [ignored, "query"] : [ignored];
      const sorted = (found: ReturnType<typeof compare>) =>
        found.toSorted((a, b) => (pointer(...a.keys) < pointer(...b.keys) ? -1 : 1));
      const others = compare(kinds[name], left, right).filter(({ keys }) => !hidden.includes(keys[0]));
      expect(sorted(compare(kinds[name], left, right, { ignore: [ignored] }))).toEqual(sorted(others));
    });
    fc.assert(property, RUNS);
  });

  it("rotates exactly what cannot be compared, besides what differs", () => {
    const property = fc.property(pairs, ({ name, left, right }) => {
      const paths = (leaves: readonly { readonly keys: readonly string[] }[]) =>
        leaves.map(({ keys }) => pointer(...keys)).toSorted();
      const { differences, unreadable } = inspect(kinds[name], left, right);
      const all = paths([...differences, ...unreadable]);
      expect(paths(compare(kinds[name], left, right, { rotate: true }))).toEqual(all);
    });
    fc.assert(property, RUNS);
  });
});

describe("the forms of two objects", () => {
  it("are the same exactly if the differ finds no difference", () => {
    let [same, other] = [0, 0];
    const property = fc.property(pairs, fc.boolean(), ({ name, left, right }, isGrown) => {
      const live = isGrown ? { ...right, ...(grown(left) as JsonObject) } : right;
      fc.pre(isSameNotation(name, left, live) && !hasEmptyObject(left["filters"]));
      const paths = new Set(compare(kinds[name], left, live).map(({ keys }) => pointer(...keys)));
      for (const place of indexedPaths(kinds[name], left)) {
        const above = place.keys.map((_key, index) => pointer(...place.keys.slice(0, index)));
        if (place.type === "blind" || above.some((path) => paths.has(path))) continue;
        // The form of a list is its length, and moved elements are a difference of the list.
        if (place.type === "list" && paths.has(place.path)) continue;
        const isSame = normalizedAt(place, left) === normalizedAt(place, live);
        expect(isSame, `${name} ${place.path}`).toBe(!paths.has(place.path));
        if (isSame) same += 1;
        else other += 1;
      }
    });
    fc.assert(property, RUNS);
    if (isWhole) expect([same > RUNS.numRuns, other > RUNS.numRuns]).toEqual([true, true]);
  });
});

describe("a fingerprint", () => {
  it("changes exactly if a declared value changes", () => {
    const property = fc.property(pairs, fc.nat(), (pair, choice) => {
      const { name, left, right } = pair;
      const before = fingerprint(kinds[name], liveOf(pair, left), left);
      // A query hides filters, so it counts if they are declared.
      const isHiding = (field: string): boolean => field === "query" && Object.hasOwn(left, "filters");
      const undeclared = Object.fromEntries(
        Object.entries(right).filter(([field]) => !Object.hasOwn(left, field) && !isHiding(field)),
      );
      expect(fingerprint(kinds[name], liveOf(pair, { ...left, ...undeclared }), left)).toBe(before);
      const leaf = chosen(pair, choice);
      if (leaf === undefined) return;
      const [field = "", ...rest] = leaf.keys;
      const live = { ...left, [field]: mutated(left[field] ?? null, rest, leaf.isSet) };
      expect(fingerprint(kinds[name], liveOf(pair, live), left)).not.toBe(before);
    });
    fc.assert(property, RUNS);
  });
});

/** A leaf that can be compared: a masked one counts as not shown. */
function chosen({ name, left }: Pair, choice: number) {
  const leaves = leavesOf(collectionOf(name), left).filter(({ keys }) => valueAt(left, keys) !== MASK);
  return leaves[choice % Math.max(1, leaves.length)];
}

function valueAt(root: Json, keys: readonly string[]): Json {
  return keys.reduce<Json>((value, key) => (value as Readonly<Record<string, Json>>)[key] ?? null, root);
}

function liveOf({ name }: Pair, values: JsonObject): LiveObject {
  return { kind: name, scope: "acme", id: "1", pins: {}, keys: ["key"], values, onDifference: "update" };
}

/** Whether a value holds an object without keys. In the filters of an insight it replaces the live one. */
function hasEmptyObject(value: Json | undefined): boolean {
  return typeof value === "object" && value !== null && JSON.stringify(value).includes("{}");
}

/** The same value with a key more in every object that has any. */
function grown(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => grown(item));
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0) return value;
  return { ...Object.fromEntries(Object.entries(value).map(([key, item]) => [key, grown(item)])), "of the service": 1 };
}

function isVersion(keys: readonly string[]): boolean {
  return keys[0] === "query" && keys.includes("version");
}

/** The paths that {@link grown} adds inside of fields, but not below versions, which are not compared. */
function addedPaths(value: Json, keys: readonly string[]): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item: Json, index) => addedPaths(item, [...keys, String(index)]));
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0 || isVersion(keys)) return [];
  const own = keys.length === 0 ? [] : [pointer(...keys, "of the service")];
  return [...own, ...Object.entries(value).flatMap(([key, item]) => addedPaths(item, [...keys, key]))];
}

function turned(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => turned(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, item]) => [key, turned(item)]),
  );
}
