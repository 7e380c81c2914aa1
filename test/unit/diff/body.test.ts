import { describe, expect, it } from "vitest";
import { completedBody, liveAsDeclared, patchBody } from "../../../src/diff/body.ts";
import { conceal, childSchema, kindSchema } from "../../../src/kinds/fields.ts";
import { compare } from "../../../src/diff/compare.ts";
import type { RuleOptions } from "../../../src/diff/comparison-rules.ts";
import { kinds } from "../../../src/kinds/registry.ts";
import { Secret, type Json, type JsonObject, type Value, type ValueObject } from "../../../src/model/json/json.ts";
import { SENSITIVE } from "../../../src/model/secret-values.ts";

const SECRET = new Secret("${secret:KEY}");

function sent(
  kind: "insight" | "batch_export",
  declared: ValueObject,
  live: JsonObject,
  options: RuleOptions = {},
): ValueObject {
  const resource = { values: declared, lifecycle: options };
  const body = patchBody(kinds[kind], resource, live, compare(kinds[kind], declared, live, options));
  return completedBody(kinds[kind], resource, body, live);
}

describe("the body of a PATCH of a field that is compared whole", () => {
  const IGNORED = ["/query/source/breakdownFilter", "/query/source/series/*/math"];
  it.each<[string, RuleOptions, ValueObject, JsonObject, ValueObject]>([
    [
      "no keys that others added beside the declared keys",
      {},
      { query: { a: 1 } },
      { query: { a: 1, b: 2 } },
      { query: { a: 1 } },
    ],
    [
      "no deeper keys of others, but those that the service sets",
      {},
      { query: { a: { b: [{ c: 1 }] } } },
      { query: { a: { b: [{ c: 1, d: 2, version: 3 }], e: null }, version: 1 } },
      { query: { a: { b: [{ c: 1, version: 3 }], e: null }, version: 1 } },
    ],
    [
      "no version that is declared, but the live ones, which nobody compares",
      {},
      {
        query: {
          a: { b: [{ event: "a", c: 1, version: 1 }] },
          version: 1,
          d: { version: 1 },
          e: [{ c: 9, version: 1 }],
        },
      },
      { query: { a: { b: [{ event: "a", c: 2, version: 3 }] }, version: 2, d: {}, e: [] } },
      { query: { a: { b: [{ event: "a", c: 1, version: 3 }] }, version: 2, d: {}, e: [{ c: 9, version: 1 }] } },
    ],
    [
      "the keys that others own",
      { ignore: IGNORED },
      { query: { source: { series: [{ event: "a" }], breakdownFilter: { breakdown: "b" } } } },
      { query: { source: { series: [{ event: "a", math: "dau" }], breakdownFilter: { breakdown: "y" }, z: 1 } } },
      { query: { source: { series: [{ event: "a", math: "dau" }], breakdownFilter: { breakdown: "y" } } } },
    ],
    [
      "the keys that others own in the elements of a list of another length",
      { ignore: ["/query/source/series/*/math"] },
      {
        query: {
          source: {
            series: [
              { event: "new", name: "New" },
              { event: "b", name: "B" },
            ],
          },
        },
      },
      {
        query: {
          source: {
            series: [
              { event: "a", name: "A", math: "sum" },
              { event: "x", name: "X" },
              { event: "b", name: "B", math: "dau", z: 1 },
            ],
          },
        },
      },
      {
        query: {
          source: {
            series: [
              { event: "new", name: "New" },
              { event: "b", name: "B", math: "dau" },
            ],
          },
        },
      },
    ],
    [
      "no keys that others owned and have removed",
      { ignore: ["/query/a"] },
      { query: { a: 1, b: 2 } },
      { query: {} },
      { query: { b: 2 } },
    ],
    [
      "the elements that others own in a list",
      { ignore: ["/query/list"] },
      { query: { b: 1, list: [1] } },
      { query: { b: 2, list: [{ a: 1 }, 2] } },
      { query: { b: 1, list: [{ a: 1 }, 2] } },
    ],
    [
      "no mask of a secret that others own",
      { ignore: ["/query/deep/api_key"] },
      { query: { b: 1, deep: { api_key: "k" } } },
      { query: { b: 2, deep: { api_key: "[masked]" } } },
      { query: { b: 1, deep: { api_key: "k" } } },
    ],
    [
      "no mask inside of values that others own",
      { ignore: ["/query/list"] },
      { query: { b: 1, list: [{ token: "k" }] } },
      { query: { b: 2, list: [{ a: 1 }, { a: 1, token: "[masked]" }] } },
      { query: { b: 1, list: [{ token: "k" }] } },
    ],
    [
      "no mask in a list of secrets that others own",
      { ignore: ["/query/api_keys"] },
      { query: { b: 1, api_keys: ["k"] } },
      { query: { b: 2, api_keys: ["[masked]"] } },
      { query: { b: 1, api_keys: ["k"] } },
    ],
  ])("%s", (_name, options, declared, live, body) => {
    expect(sent("insight", declared, live, options)).toEqual(body);
  });
});

describe("the body of a PATCH of a field that is compared in part", () => {
  it.each<[string, ValueObject, JsonObject, ValueObject]>([
    ["is empty if nothing differs", { name: "a" }, { name: "a" }, {}],
    [
      "only the field that differs",
      { name: "a", description: "b" },
      { name: "a", description: "c" },
      { description: "b" },
    ],
    ["null to clear", { query: null }, { query: { a: 1 } }, { query: null }],
    [
      "the keys that others added beside the declared keys",
      { query: { a: 1 } },
      { query: { a: 2, b: { c: [3] } } },
      { query: { a: 1, b: { c: [3] } } },
    ],
    [
      "the deeper keys that others added",
      { query: { a: { b: 1 } } },
      { query: { a: { b: 2, c: 3 }, d: 4 } },
      { query: { a: { b: 1, c: 3 }, d: 4 } },
    ],
    [
      "the keys that others added to elements of a list",
      { query: { s: [{ a: 1, c: 1 }] } },
      { query: { s: [{ a: 2, c: 1, b: 3 }] } },
      { query: { s: [{ a: 1, c: 1, b: 3 }] } },
    ],
    [
      "no keys of an element in the place of another",
      { query: { s: [{ event: "b", c: 1 }, { event: "c" }] } },
      {
        query: {
          s: [
            { event: "a", c: 1, name: "A" },
            { event: "b", c: 2, name: "B" },
          ],
        },
      },
      { query: { s: [{ event: "b", c: 1, name: "B" }, { event: "c" }] } },
    ],
    [
      "the keys of others in the elements that a list of another length keeps",
      { query: { s: [{ a: 1 }, { c: 1 }, 4] } },
      { query: { s: [3, { a: 1, b: 2 }] } },
      { query: { s: [{ a: 1, b: 2 }, { c: 1 }, 4] } },
    ],
    [
      "the declared value over another kind of node",
      { query: { a: [1] } },
      { query: { a: { b: 1 }, c: 2 } },
      { query: { a: [1], c: 2 } },
    ],
    [
      "no part of a node of another kind, but the keys that others added around it",
      { query: { kind: "InsightVizNode", source: { kind: "FunnelsQuery", series: [1] } } },
      { query: { kind: "InsightVizNode", full: true, source: { kind: "TrendsQuery", series: [1], trendsFilter: {} } } },
      { query: { kind: "InsightVizNode", full: true, source: { kind: "FunnelsQuery", series: [1] } } },
    ],
    [
      "a whole query of another kind",
      { query: { kind: "DataTableNode", source: { kind: "HogQLQuery", query: "select 1" } } },
      { query: { kind: "InsightVizNode", source: { kind: "TrendsQuery" }, version: 1 } },
      { query: { kind: "DataTableNode", source: { kind: "HogQLQuery", query: "select 1" } } },
    ],
    [
      "an element of another kind beside one of the same",
      {
        query: {
          series: [
            { kind: "ActionsNode", id: 7 },
            { kind: "EventsNode", event: "b" },
          ],
        },
      },
      {
        query: {
          series: [
            { kind: "EventsNode", event: "a" },
            { kind: "EventsNode", event: "b", name: "B", math: "dau" },
          ],
        },
      },
      {
        query: {
          series: [
            { kind: "ActionsNode", id: 7 },
            { kind: "EventsNode", event: "b", name: "B", math: "dau" },
          ],
        },
      },
    ],
    [
      "no part of a filter of another type, but the keys of a group with another operator",
      {
        query: {
          type: "OR",
          values: [
            { key: "a", type: "hogql" },
            { key: "b", type: "event" },
          ],
        },
      },
      {
        query: {
          type: "AND",
          x: 1,
          values: [
            { key: "a", type: "event", operator: "exact" },
            { key: "b", type: "event", y: 2 },
          ],
        },
      },
      {
        query: {
          type: "OR",
          x: 1,
          values: [
            { key: "a", type: "hogql" },
            { key: "b", type: "event", y: 2 },
          ],
        },
      },
    ],
    [
      "the keys that others added beside a kind outside of a query",
      { filters: { kind: "A" } },
      { filters: { kind: "B", more: 1 } },
      { filters: { kind: "A", more: 1 } },
    ],
    [
      "the keys that others added beside a kind that is not declared, or not live",
      { query: { a: { b: 1 }, c: { kind: "C", d: 1 } } },
      { query: { a: { kind: "A", b: 2 }, c: { d: 2, e: 3 } } },
      { query: { a: { kind: "A", b: 1 }, c: { kind: "C", d: 1, e: 3 } } },
    ],
    ["a set as declared", { tags: ["a"] }, { tags: ["b"] }, { tags: ["a"] }],
    [
      "values that only look similar to a mask",
      { query: { a: 1 } },
      { query: { a: 2, b: "<b>", c: "[x]", d: "hidden", e: "xxxx" } },
      { query: { a: 1, b: "<b>", c: "[x]", d: "hidden", e: "xxxx" } },
    ],
    [
      "no mask of a secret that is known by its name",
      { query: { a: 1 } },
      { query: { a: 2, api_key: "[masked]", deep: "hidden", list: [{ token: "xxxx" }, { token: "ab***" }] } },
      { query: { a: 1, deep: "hidden", list: [{}, {}] } },
    ],
    [
      "texts with stars, which are no masks",
      { query: { a: 1 } },
      { query: { a: 2, note: "*** old ***", deep: { value: ["x", "***", "ab***"] } } },
      { query: { a: 1, note: "*** old ***", deep: { value: ["x", "***", "ab***"] } } },
    ],
    [
      "no mask below an undeclared key with the name of a secret",
      { query: { a: 1 } },
      { query: { a: 2, api_keys: ["[masked]"], credentials: { user: "me", key: "hidden" } } },
      { query: { a: 1, api_keys: [], credentials: { user: "me" } } },
    ],
    [
      "no mask below the declared keys of an overlaid value",
      { query: { s: [{ a: 1 }], o: { a: 1 } } },
      { query: { s: [{ a: 2, password: "********" }], o: { a: 2, secret: "<hidden>" } } },
      { query: { s: [{ a: 1 }], o: { a: 1 } } },
    ],
    [
      "a secret that is shown in clear",
      { query: { a: 1 } },
      { query: { a: 2, api_key: "k" } },
      { query: { a: 1, api_key: "k" } },
    ],
    ["a list for text of its length", { query: { a: ["x"] } }, { query: { a: "y" } }, { query: { a: ["x"] } }],
    ["a set of the same size", { tags: ["a", "b"] }, { tags: ["c", "a"] }, { tags: ["a", "b"] }],
    [
      "a key that every object inherits",
      { query: { a: 1 } },
      { query: { a: 2, toString: "mine" } },
      { query: { a: 1, toString: "mine" } },
    ],
  ])("%s", (_name, declared, live, body) => {
    expect(sent("insight", declared, live, { partial: ["query"] })).toEqual(body);
  });

  it("holds no mask, even if others manage the secret", () => {
    const declared = { destination: { type: "S3", config: { region: "eu", aws_secret_access_key: SECRET } } };
    const live = { destination: { type: "S3", config: { region: "us", aws_secret_access_key: "********" } } };
    const ignore = ["/destination/config/aws_secret_access_key"];
    expect(sent("batch_export", declared, live, { ignore })).toEqual(declared);
  });

  it("holds the whole destination, with its secrets, and never a mask", () => {
    const declared = { destination: { type: "S3", config: { region: "eu", aws_secret_access_key: SECRET } } };
    const live = { destination: { type: "S3", config: { region: "us", prefix: "p/", aws_access_key_id: "********" } } };
    expect(sent("batch_export", declared, live)).toEqual({
      destination: { type: "S3", config: { prefix: "p/", region: "eu", aws_secret_access_key: SECRET } },
    });
  });
});

describe("a destination of another type", () => {
  it("is sent without the settings of the live one", () => {
    const declared = { destination: { type: "S3", config: { bucket_name: "b" } } };
    const live = { destination: { type: "HTTP", config: { url: "https://acme.com/hook" } } };
    expect(sent("batch_export", declared, live)).toEqual(declared);
  });
});

describe("the undeclared keys in a long list, all of whose elements have changed", () => {
  const settings = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`s${String(index)}`, "x"]));
  const row = (label: number, version: number): JsonObject => ({ label, ...settings, edited: version });
  const notesOf = (count: number): readonly (readonly [Json, Json])[] => {
    const labels = Array.from({ length: count }, (_, label) => label);
    const live = { query: { rows: labels.map((label) => ({ ...row(label, 1), note: label })) } };
    const declared = { query: { rows: [-1, ...labels].map((label) => row(label, 2)) } };
    const body = sent("insight", declared, live, { partial: ["query"] });
    const { rows } = body["query"] as { readonly rows: readonly JsonObject[] };
    return rows.flatMap(({ label = null, note }) => (note === undefined ? [] : [[label, note] as const]));
  };

  it("stay with their elements", () => {
    const notes = notesOf(40);
    expect(notes).toHaveLength(40);
    expect(notes.filter(([label, note]) => label !== note)).toEqual([]);
  });

  it("go to no other element if there are too many to compare", () => {
    expect(notesOf(400)).toEqual([]);
  });
});

describe("a text with stars", () => {
  it("stays in the settings of a destination", () => {
    const config = { bucket_name: "b", region: "r", exclude_events: ["a", "*** test ***", "c"], prefix: "*** n ***" };
    const declared = { destination: { type: "S3", config: { region: "us" } } };
    expect(sent("batch_export", declared, { destination: { type: "S3", config } })).toEqual({
      destination: { type: "S3", config: { ...config, region: "us" } },
    });
  });

  it("stays if others manage it", () => {
    const queryWith = (query: string, display: string): JsonObject => ({ query: { source: { query }, display } });
    const live = queryWith("/*** revenue ***/ SELECT 1", "a");
    const ignore = ["/query/source/query"];
    expect(sent("insight", queryWith("SELECT 0", "b"), live, { ignore })).toEqual(
      queryWith("/*** revenue ***/ SELECT 1", "b"),
    );
  });

  it("is a mask if it is nothing else, and driftline has no name for what it stands for", () => {
    const declared = { destination: { type: "Newest", config: { region: "us" } } };
    const live = { destination: { type: "Newest", config: { region: "r", connection: "********" } } };
    expect(sent("batch_export", declared, live)).toEqual(declared);
  });
});

describe("a setting that the service never returns", () => {
  it("is not sent as its mask, under any name", () => {
    const declared = { destination: { type: "Postgres", config: { host: "new" } } };
    const live = { destination: { type: "Postgres", config: { host: "old", user: "[masked]", database: "hidden" } } };
    expect(sent("batch_export", declared, live)).toEqual({
      destination: { type: "Postgres", config: { host: "new", database: "hidden" } },
    });
  });
});

describe("the values that documents show", () => {
  const destination = childSchema("batch_export", kindSchema("batch_export"), "destination", {});

  it.each<[string, Value, Json]>([
    [
      "a secret by its schema",
      { type: "S3", config: { aws_secret_access_key: "hush" } },
      { type: "S3", config: { aws_secret_access_key: SENSITIVE } },
    ],
    [
      "a secret by its name",
      { type: "Newest", config: { deep: [{ api_key: "hush" }] } },
      { type: "Newest", config: { deep: [{ api_key: SENSITIVE }] } },
    ],
    [
      "a flag with the name of a secret",
      { type: "Newest", config: { fields: [{ key: "k", secret: true }], password: 5 } },
      { type: "Newest", config: { fields: [{ key: "k", secret: true }], password: SENSITIVE } },
    ],
    [
      "a declared secret under any name",
      { type: "Newest", config: { harmless: SECRET } },
      { type: "Newest", config: { harmless: SENSITIVE } },
    ],
    [
      "all other values unchanged",
      { type: "Newest", config: { a: [1, null, "x"] } },
      { type: "Newest", config: { a: [1, null, "x"] } },
    ],
    [
      "null, which is no secret",
      { type: "S3", config: { aws_secret_access_key: null } },
      { type: "S3", config: { aws_secret_access_key: null } },
    ],
  ])("%s", (_name, value, expected) => {
    expect(conceal("batch_export", destination, value)).toEqual(expected);
  });
});

describe("the body of a PATCH of a batch export", () => {
  const POSTGRES = { type: "Postgres", config: { database: "d" } };
  const to = (database: string, more: JsonObject = {}): JsonObject => ({
    destination: { type: "Postgres", config: { database }, ...more },
  });
  const weekly = { interval: "week", timezone: "UTC", offset_day: 1, offset_hour: 3 };
  it.each<[string, ValueObject, JsonObject, ValueObject, RuleOptions?]>([
    ["the live integration", to("e"), to("d", { integration: 7 }), to("e", { integration: 7 })],
    ["the declared integration", to("d", { integration: 8 }), to("d", { integration: 7 }), to("d", { integration: 8 })],
    ["no integration where there is none", to("e"), to("d", { integration: null }), to("e")],
    ["a declared null", to("d", { integration: null }), to("d", { integration: 7 }), to("d", { integration: null })],
    [
      "no integration of another type",
      { destination: { ...POSTGRES, type: "NoOp" } },
      to("d", { integration: 7 }),
      { destination: { ...POSTGRES, type: "NoOp" } },
    ],
    ["both offsets beside one", { offset_day: 2 }, weekly, { interval: "week", offset_day: 2, offset_hour: 3 }],
    [
      "both offsets beside an interval",
      { interval: "week" },
      { ...weekly, interval: "day", offset_day: null },
      { interval: "week", offset_hour: 3 },
    ],
    ["no offsets beside an interval without them", { interval: "hour" }, weekly, { interval: "hour" }],
    [
      "the hour beside a daily interval",
      { interval: "day", offset_hour: 3 },
      weekly,
      { interval: "day", offset_hour: 3 },
    ],
    [
      "the offsets that others own",
      { interval: "week", offset_day: 5, offset_hour: 4 },
      weekly,
      { interval: "week", offset_day: 1, offset_hour: 4 },
      { ignore: ["offset_day"] },
    ],
    ["no interval beside other fields", { name: "b" }, { ...weekly, name: "a" }, { name: "b" }],
    [
      "no offsets on a service without them",
      { interval: "week", offset_day: 1 },
      { interval: "day" },
      { interval: "week", offset_day: 1 },
    ],
  ])("has %s", (_name, declared, live, body, options = {}) => {
    expect(sent("batch_export", declared, live, options)).toEqual(body);
  });
});

describe("live values in the notation of the declared ones", () => {
  it.each<[string, ValueObject, JsonObject, JsonObject]>([
    [
      "have the type that only filters of one service say",
      { filters: { insight: "TRENDS" } },
      { filters: { events: [] } },
      { filters: { events: [], insight: "TRENDS" } },
    ],
    [
      "are the same without another notation",
      { filters: { events: [] } },
      { filters: { events: [1] } },
      { filters: { events: [1] } },
    ],
    [
      "are the same if the notation hides some of them",
      { filters: { insight: "TRENDS" } },
      { filters: {}, query: { kind: "TrendsQuery" } },
      { filters: {}, query: { kind: "TrendsQuery" } },
    ],
  ])("%s", (_name, declared, live, shown) => {
    expect(liveAsDeclared(kinds.insight, declared, live)).toEqual(shown);
  });
});
