/** The form in which a live value gets into a file. */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/model/json/json.ts";
import { acceptOne, insight, type Row } from "./support.ts";

/** A row of an export to Postgres, whose settings a service returns as text. */
const postgres = (name: string, declared: string, live: JsonObject, text: string): Row => {
  const destination = (config: string): string =>
    `{ name: E, interval: hour, destination: { type: Postgres, config: { ${config} } } }`;
  const config = { user: "u", host: "h", database: "d", schema: "s", ...live };
  const row = { id: "b", name: "E", interval: "hour", paused: false, destination: { type: "Postgres", config } };
  const others = "user: u, host: h, database: d";
  return [name, "batch_export", destination(`${others}, ${declared}`), row, destination(`${others}, ${text}`)];
};

const query = (...series: readonly JsonObject[]): JsonObject => ({ query: { kind: "T", series } });

const rows: readonly Row[] = [
  insight("a text", "description: a", { description: "b" }, "description: b"),
  insight("a field that was emptied", "description: a", { description: null }, "description: null"),
  insight(
    "a key of a query that is gone",
    "filters: { a: 1, b: { c: 1 } }",
    { filters: { a: 1 } },
    "filters: { a: 1 }",
  ),
  insight("a set, in the declared order", "tags: [c, a, b]", { tags: ["a", "c", "d"] }, "tags: [c, a, d]"),
  insight("a set of numbers", "dashboards: [3, 1]", { dashboards: [2, 1, 3] }, "dashboards: [3, 1, 2]"),
  insight(
    "one value of a query, and nothing around it",
    "query: { kind: T, interval: day, series: [{ event: a }] }",
    { query: { kind: "T", interval: "week", series: [{ event: "a" }] } },
    "query: { kind: T, interval: week, series: [{ event: a }] }",
  ),
  insight(
    "new elements of a list without versions and without null",
    "query: { kind: T, series: [{ event: a }] }",
    query({ event: "a", version: 3 }, { event: "b", version: 3, math: null }),
    "query: { kind: T, series: [{ event: a }, { event: b }] }",
  ),
  insight(
    "elements that moved, each with its own declared keys",
    "query: { kind: T, series: [{ event: a }, { event: b, version: 1 }] }",
    query({ event: "b", version: 2 }, { event: "a", version: 2 }, { event: "c" }),
    "query: { kind: T, series: [{ event: b, version: 2 }, { event: a }, { event: c }] }",
  ),
  insight(
    "an element of a list that others added to, without what they added",
    "filters: { events: [{ id: a }] }",
    { filters: { events: [{ id: "a", math: "dau" }, { id: "b" }] } },
    "filters: { events: [{ id: a }, { id: b }] }",
  ),
  insight(
    "a text where a number was, outside of destinations",
    "query: { kind: T, interval: 1 }",
    { query: { kind: "T", interval: "2" } },
    'query: { kind: T, interval: "2" }',
  ),
  insight(
    "a field that driftline has no name for",
    "extra_fields: { color: red }",
    { color: "blue" },
    "extra_fields: { color: blue }",
  ),
  ["a level as its word", "membership", "{ level: admin }", memberOf(1), "{ level: member }"],
  ["a level that was declared as a number", "membership", "{ level: 8 }", memberOf(1), "{ level: member }"],
  postgres("a number that stays one", "schema: s, port: 1", { port: "2" }, "schema: s, port: 2"),
  postgres("a text of digits that stays a text", 'schema: "1"', { schema: "2" }, 'schema: "2"'),
  postgres(
    "a flag that stays one",
    "schema: s, has_self_signed_cert: false",
    { has_self_signed_cert: "True" },
    "schema: s, has_self_signed_cert: true",
  ),
];

function memberOf(level: number): JsonObject {
  return { id: "m", level, user: { uuid: "u", email: "ada@acme.com" } };
}

describe("an accepted value is", () => {
  it.each(rows)("%s", async (_name, kind, declared, live, text) => {
    const accepted = await acceptOne({ kind, declared, live: [live] });
    expect([accepted.text, accepted.diagnostics, accepted.left]).toEqual([text, [], []]);
  });
});

it.each([
  ["/query/series/*/math", [{ event: "a", math: "dau" }, { event: "b", math: "dau" }, { event: "c" }]],
  ["/query/series/1/math", [{ event: "b", math: "dau" }, { event: "a" }, { event: "c" }]],
])("an accepted list lacks what the lifecycle ignores at %s, wherever the element is now", async (ignored, series) => {
  const declared = `{ id: 7, query: { series: [{ event: a }, { event: b }] }, lifecycle: { ignore: [${ignored}] } }`;
  const live = { id: 7, short_id: "abcdefgh", name: "S", query: { series } };
  const { text } = await acceptOne({ kind: "insight", declared, live: [live] });
  const events = series.map(({ event }) => `{ event: ${event} }`).join(", ");
  expect(text).toBe(declared.replace("{ event: a }, { event: b }", events));
});

it.each([
  [
    "that moved",
    [
      { event: "b", custom_name: "theirs-b" },
      { event: "a", custom_name: "theirs-a" },
    ],
  ],
  ["that lacks it", [{ event: "b" }, { event: "a", custom_name: "theirs-a" }]],
  [
    "beside a new one",
    [{ event: "c" }, { event: "a", custom_name: "theirs-a" }, { event: "b", custom_name: "theirs-b" }],
  ],
])("what the lifecycle ignores stays in an element %s", async (_name, series) => {
  const ours = (event: string): string =>
    event === "c" ? "{ event: c }" : `{ event: ${event}, custom_name: ours-${event} }`;
  const declared = `{ id: 7, query: { series: [${ours("a")}, ${ours("b")}] }, lifecycle: { ignore: [/query/series/*/custom_name] } }`;
  const live = { id: 7, short_id: "abcdefgh", name: "S", query: { series } };
  const { text } = await acceptOne({ kind: "insight", declared, live: [live] });
  expect(text).toBe(declared.replace(`${ours("a")}, ${ours("b")}`, series.map(({ event }) => ours(event)).join(", ")));
});
