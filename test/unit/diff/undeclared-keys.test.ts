/** Values of an object beyond the declared ones: a create looks like a rename only if there are none. */
import { describe, expect, it } from "vitest";
import { hasUndeclared } from "../../../src/diff/undeclared-keys.ts";
import { allKinds, kinds } from "../../../src/kinds/registry.ts";
import type { JsonObject, ValueObject } from "../../../src/model/json/json.ts";
import type { KindName } from "../../../src/model/kind-name.ts";

const QUERY = { kind: "TrendsQuery", series: [{ kind: "EventsNode", event: "a" }] };
const S3 = { type: "S3", config: { bucket_name: "b" } };
const POSTGRES = { type: "Postgres", config: { host: "h" } };
type Row = readonly [what: string, kind: KindName, declared: ValueObject, live: JsonObject];

describe("an object has more than is declared if it has", () => {
  it.each<Row>([
    ["a field", "insight", { query: QUERY }, { query: QUERY, description: "d" }],
    ["a set", "insight", { query: QUERY }, { query: QUERY, tags: ["a"] }],
    ["an object", "insight", { query: QUERY }, { query: QUERY, filters: { insight: "PATHS" } }],
    ["another value than the default", "insight", { query: QUERY }, { query: QUERY, favorited: true }],
    ["a key of an object", "insight", { query: QUERY }, { query: { ...QUERY, interval: "week" } }],
    [
      "a key in a list",
      "insight",
      { query: QUERY },
      { query: { ...QUERY, series: [{ ...QUERY.series[0], math: "dau" }] } },
    ],
    ["a type of another kind in its filters", "insight", { filters: {} }, { filters: { insight: "PATHS" } }],
    [
      "a field beside filters that are shown as a query",
      "insight",
      { filters: { insight: "TRENDS" } },
      { filters: {}, query: { kind: "TrendsQuery" }, description: "d" },
    ],
    [
      "a setting that is the default but for a blank",
      "batch_export",
      { destination: POSTGRES },
      { destination: { ...POSTGRES, config: { ...POSTGRES.config, table_name: " events" } } },
    ],
    [
      "a setting",
      "batch_export",
      { destination: S3 },
      { destination: { type: "S3", config: { ...S3.config, prefix: "p" } } },
    ],
  ])("%s", (_what, kind, declared, live) => {
    expect(hasUndeclared(kinds[kind], declared, live)).toBe(true);
    expect(hasUndeclared(kinds[kind], live, live)).toBe(false);
  });
});

describe("an object has no more than is declared because of", () => {
  it.each<Row>([
    ["its natural key", "insight", { query: QUERY }, { query: QUERY, name: "A" }],
    ["null, blank and empty values", "insight", {}, { description: "", query: null, filters: {}, tags: [] }],
    [
      "blank values below",
      "insight",
      { query: QUERY },
      { query: { ...QUERY, breakdownFilter: { breakdown: null, z: "" } } },
    ],
    ["defaults", "insight", {}, { favorited: false, dashboards: [] }],
    ["what a create sends by default, and the service does not", "insight", {}, { saved: false }],
    ["what a create sends by default", "insight", {}, { saved: true }],
    ["a default that is read as text", "batch_export", { destination: S3 }, { model: "events", paused: false }],
    ["read-only fields", "insight", {}, { short_id: "abc", is_sample: true }],
    ["values that the service sets", "insight", {}, { derived_name: "Pageview count" }],
    ["the time of a pause", "batch_export", {}, { last_paused_at: "2026-01-01T00:00:00Z" }],
    ["the version of a node", "insight", { query: QUERY }, { query: { ...QUERY, version: 2 } }],
    [
      "secrets",
      "batch_export",
      { destination: S3 },
      { destination: { ...S3, config: { ...S3.config, aws_secret_access_key: "x" } } },
    ],
    ["keys named like secrets", "insight", { query: { kind: "X" } }, { query: { kind: "X", api_key: "x" } }],
    ["keys named like secrets below", "insight", { query: { a: {} } }, { query: { a: { b: { api_key: "x" } } } }],
    [
      "settings that are not returned",
      "batch_export",
      { destination: POSTGRES },
      { destination: { ...POSTGRES, config: { ...POSTGRES.config, user: "u" } } },
    ],
    ["a default that is trimmed", "batch_export", {}, { model: " events" }],
    ["null where it is not the default", "batch_export", {}, { model: null, incremental_mode: null }],
    ["a default that is no blank value", "batch_export", {}, { incremental_mode: "APPEND" }],
    [
      "a query that the service has wrapped",
      "insight",
      { query: QUERY },
      { query: { kind: "InsightVizNode", source: QUERY } },
    ],
    [
      "the type that views add to filters",
      "insight",
      { filters: { events: [] } },
      { filters: { events: [], insight: "TRENDS" } },
    ],
    ["the same set", "insight", { tags: ["A", "b"] }, { tags: ["b", "a"] }],
    ["an element of a set in two forms", "insight", { tags: ["a"] }, { tags: ["a", "A"] }],
  ])("%s", (_what, kind, declared, live) => {
    expect(hasUndeclared(kinds[kind], declared, live)).toBe(false);
  });
});

it("an empty object of any kind has no more than is declared", () => {
  for (const kind of allKinds) expect(hasUndeclared(kind, {}, {}), kind.name).toBe(false);
});
