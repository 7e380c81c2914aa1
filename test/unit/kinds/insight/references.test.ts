import { describe, expect, it } from "vitest";
import { referencesOf } from "../../../../src/kinds/insight/references.ts";
import type { JsonObject } from "../../../../src/model/json.ts";

const names = (values: JsonObject): readonly string[] => referencesOf(values).map(({ name }) => name);
const hogql = (variables: JsonObject[string]): JsonObject => ({
  query: { kind: "DataVisualizationNode", source: { kind: "HogQLQuery", query: "select 1", variables } },
});

describe("an insight refers to", () => {
  it.each<[string, JsonObject, readonly string[]]>([
    ["nothing without query and filters", {}, []],
    [
      "the cohort of a property filter",
      { query: { properties: [{ type: "cohort", key: "id", value: 5 }] } },
      ["cohort 5"],
    ],
    ["a static cohort", { query: { properties: [{ type: "static-cohort", value: 6 }] } }, ["cohort 6"]],
    [
      "several cohorts, as text too",
      { query: { properties: [{ type: "cohort", value: [5, "7"] }] } },
      ["cohort 5", "cohort 7"],
    ],
    [
      "no cohort in a filter by an event's property",
      { query: { properties: [{ type: "event", key: "cohort", value: 5 }] } },
      [],
    ],
    [
      "the cohorts of a breakdown but not everybody",
      { query: { breakdownFilter: { breakdown_type: "cohort", breakdown: ["all", 3] } } },
      ["cohort 3"],
    ],
    [
      "the cohorts of legacy filters",
      { filters: { properties: [{ type: "cohort", key: "id", value: 9 }] } },
      ["cohort 9"],
    ],
    ["a cohort once", { query: { a: { type: "cohort", value: 1 }, b: { type: "cohort", value: 1 } } }, ["cohort 1"]],
    [
      "an SQL variable by its name",
      hogql({ "0190-a": { code_name: "site", variableId: "0190-a" } }),
      ["SQL variable site"],
    ],
    ["an SQL variable without a name by its id", hogql({ "0190-a": {} }), ["SQL variable 0190-a"]],
    ["no SQL variable in a list", hogql([]), []],
    ["no SQL variable outside of SQL", { query: { kind: "TrendsQuery", variables: { a: { code_name: "b" } } } }, []],
  ])("%s", (_name, values, expected) => expect(names(values)).toEqual(expected));
});
