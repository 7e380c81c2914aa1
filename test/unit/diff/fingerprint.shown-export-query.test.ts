import { describe, expect, it } from "vitest";
import { inspect } from "../../../src/diff/compare.ts";
import { fingerprint } from "../../../src/diff/fingerprint.ts";
import { kinds } from "../../../src/kinds/registry.ts";
import type { JsonObject } from "../../../src/model/json/json.ts";
import { pointer } from "../../../src/model/pointer.ts";
import type { LiveObject } from "../../../src/model/live.ts";

const QUERY = "select event from events where event = 'a'";
const SHOWN = "SELECT event FROM events WHERE event = 'a'";
const OTHER = "SELECT event FROM events WHERE event = 'b'";
const schemaOf = (query: string): JsonObject => ({ schema: { fields: [], values: {}, hogql_query: query } });

function inspected(declared: string | null, live: JsonObject): readonly (readonly string[])[] {
  const { differences, unreadable } = inspect(kinds.batch_export, { hogql_query: declared }, live);
  return [differences, unreadable].map((found) => found.map(({ keys }) => pointer(...keys)));
}

describe("the query of an export", () => {
  it.each<[string, string | null, JsonObject, readonly string[], readonly string[]]>([
    ["equals one that is only printed anew", QUERY, schemaOf(SHOWN), [], []],
    ["differs from another one", QUERY, schemaOf(OTHER), ["/hogql_query"], []],
    ["differs from none", QUERY, { schema: null }, ["/hogql_query"], []],
    ["differs from one that is not declared", null, schemaOf(SHOWN), ["/hogql_query"], []],
    ["is not compared with one of an unsure form", QUERY, schemaOf("SELECT * FROM events"), [], ["/hogql_query"]],
    ["is not compared if the service shows none", QUERY, {}, [], ["/hogql_query"]],
    ["is not compared with a schema of another form", QUERY, { schema: "events" }, [], ["/hogql_query"]],
    ["is equal if it is blank and there is none", "", { schema: null }, [], []],
    ["is compared as it is if the service shows it", QUERY, { hogql_query: QUERY, ...schemaOf(OTHER) }, [], []],
    ["differs if the service shows another one", QUERY, { hogql_query: OTHER }, ["/hogql_query"], []],
    ["is read from the schema beside null", QUERY, { hogql_query: null, ...schemaOf(SHOWN) }, [], []],
  ])("%s", (_case, declared, live, differences, unreadable) => {
    expect(inspected(declared, live)).toEqual([differences, unreadable]);
  });

  it("counts in the fingerprint, so that a change after the plan is noticed", () => {
    const of = (values: JsonObject): string => {
      const live: LiveObject = {
        kind: "batch_export",
        scope: "acme/projects/web",
        id: "1",
        pins: { id: "1" },
        keys: ["a"],
        values,
        onDifference: "update",
      };
      return fingerprint(kinds.batch_export, live, { hogql_query: QUERY });
    };
    expect(new Set([schemaOf(SHOWN), schemaOf(OTHER), { schema: null }].map(of)).size).toBe(3);
  });
});
