import { describe, expect, it } from "vitest";
import { normalizedAt, indexedPaths } from "../../../src/diff/value-index.ts";
import { kinds } from "../../../src/kinds/registry.ts";
import { type Json, type JsonObject, Secret, type ValueObject } from "../../../src/model/json/json.ts";
import { UNKNOWN_SECRET } from "../../../src/model/secret-values.ts";
import type { KindName } from "../../../src/model/kind-name.ts";

const SECRET = new Secret("${secret:KEY}");

function types(kind: KindName, declared: ValueObject): Readonly<Record<string, string>> {
  return Object.fromEntries(indexedPaths(kinds[kind], declared).map(({ path, type }) => [path, type]));
}

describe("the indexed paths of declared values", () => {
  it.each<[string, KindName, ValueObject, Readonly<Record<string, string>>]>([
    [
      "at every depth",
      "insight",
      { query: { a: [1, { "b/c": null }] } },
      {
        "/query": "object",
        "/query/a": "list",
        "/query/a/0": "scalar",
        "/query/a/1": "object",
        "/query/a/1/b~1c": "null",
      },
    ],
    ["at a set as a whole", "insight", { tags: ["a", "b"] }, { "/tags": "set" }],
    [
      "not at a secret",
      "insight",
      { query: { a: SECRET, b: UNKNOWN_SECRET } },
      { "/query": "object", "/query/a": "blind", "/query/b": "blind" },
    ],
    ["not at a value that is never shown", "batch_export", { hogql_query: "select 1" }, { "/hogql_query": "blind" }],
    [
      "not at a value that may be missing",
      "pipeline_destination",
      { url: "https://a.b/c", tag: "x" },
      { "/url": "blind", "/tag": "scalar" },
    ],
    [
      "not at the version of a query",
      "insight",
      { query: { version: 1, a: { version: 2 } }, filters: { version: 1 } },
      {
        "/query": "object",
        "/query/version": "blind",
        "/query/a": "object",
        "/query/a/version": "blind",
        "/filters": "object",
        "/filters/version": "scalar",
      },
    ],
    [
      "not at the settings of a destination, which are text on some servers; at their nesting",
      "batch_export",
      { destination: { type: "Postgres", config: { port: 7, deep: [{ on: true }] } } },
      {
        "/destination": "object",
        "/destination/type": "scalar",
        "/destination/config": "object",
        "/destination/config/port": "blind",
        "/destination/config/deep": "list",
        "/destination/config/deep/0": "object",
        "/destination/config/deep/0/on": "blind",
      },
    ],
  ])("%s", (_name, kind, declared, expected) => {
    expect(types(kind, declared)).toEqual(expected);
  });

  it("do not depend on the order of keys, and the deepest paths come first", () => {
    const paths = (declared: ValueObject) => indexedPaths(kinds.insight, declared).map(({ path }) => path);
    const order = ["/query/a/y", "/query/a/z", "/query/a", "/query/b", "/description", "/query"];
    expect(paths({ description: "", query: { b: 1, a: { z: 1, y: 1 } } })).toEqual(order);
    expect(paths({ query: { a: { y: 1, z: 1 }, b: 1 }, description: "" })).toEqual(order);
  });
});

describe("a form", () => {
  /** Whether an object has the form of what was declared at every place. */
  function agrees(kind: KindName, declared: ValueObject, live: JsonObject): boolean {
    return indexedPaths(kinds[kind], declared).every(
      (place) => normalizedAt(place, live) === normalizedAt(place, declared),
    );
  }

  it.each<[string, KindName, ValueObject, JsonObject, boolean]>([
    ["a field that is trimmed", "insight", { description: " a" }, { description: "a " }, true],
    ["a key in a free-form value, which is not", "insight", { query: { a: " a" } }, { query: { a: "a" } }, false],
    ["tags in another order and in capitals", "insight", { tags: ["B", "a"] }, { tags: ["a", "b", "A"] }, true],
    ["one tag that has a comma, and two", "insight", { tags: ["a,b"] }, { tags: ["a", "b"] }, false],
    ["no tags and null", "insight", { tags: [] }, { tags: null }, false],
    [
      "times in two zones",
      "batch_export",
      { start_at: "2024-01-01T00:00:00Z" },
      { start_at: "2024-01-01T01:00:00+01:00" },
      true,
    ],
    ["null, and nothing", "organization", { enforce_2fa: null }, {}, true],
    ["a list of another length", "insight", { query: { a: [] } }, { query: { a: [1] } }, false],
    ["a list, and text", "insight", { query: { a: ["x"] } }, { query: { a: "x" } }, false],
    ["an object, and a list", "insight", { query: { a: {} } }, { query: { a: [] } }, false],
    ["text, and an object", "insight", { query: { a: "x" } }, { query: { a: { x: 1 } } }, false],
    ["null, and an object", "insight", { query: { a: null } }, { query: { a: {} } }, false],
    ["null, and an empty list", "insight", { query: { a: null } }, { query: { a: [] } }, false],
    [
      "the letters of a text by their place",
      "insight",
      { query: { a: ["x"] } },
      { query: { a: { length: 1, 0: "x" } } },
      false,
    ],
    ["what is below nothing", "insight", { query: { a: { b: null } } }, { query: null }, false],
  ])("of %s", (_name, kind, declared, live, expected) => {
    expect(agrees(kind, declared, live)).toBe(expected);
  });

  it("is unique to its value", () => {
    const [place] = indexedPaths(kinds.insight, { query: "null" }) as readonly [never];
    expect(["null", null, "", {}, [], 0, "0"].map((query: Json) => normalizedAt(place, { query }))).toEqual([
      '"null"',
      "null",
      '""',
      "",
      "",
      "0",
      '"0"',
    ]);
  });
});
