import { describe, expect, it } from "vitest";
import { projectIdsIn } from "../../../../src/kinds/insight/project-ids.ts";
import { valueAt, type JsonObject } from "../../../../src/model/json/json.ts";

const names = (values: JsonObject): readonly string[] => projectIdsIn(values).map(({ what, id }) => `${what} ${id}`);
const hogql = (variables: JsonObject[string]): JsonObject => ({
  query: { kind: "DataVisualizationNode", source: { kind: "HogQLQuery", query: "select 1", variables } },
});

const hogqlOf = (query: string): JsonObject => ({ query: { source: { kind: "HogQLQuery", query } } });

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
      "the cohort of one of several breakdowns",
      {
        query: {
          breakdownFilter: {
            breakdowns: [
              { type: "cohort", property: 3 },
              { type: "event", property: "3" },
            ],
          },
        },
      },
      ["cohort 3"],
    ],
    ["the cohort of people", { query: { kind: "PersonsNode", cohort: 3 } }, ["cohort 3"]],
    [
      "the cohorts of legacy filters",
      { filters: { properties: [{ type: "cohort", key: "id", value: 9 }] } },
      ["cohort 9"],
    ],
    [
      "a cohort at each of its places",
      { query: { a: { type: "cohort", value: 1 }, b: { type: "cohort", value: 1 } } },
      ["cohort 1", "cohort 1"],
    ],
    ["its dashboards", { dashboards: [7, 8] }, ["dashboard 7", "dashboard 8"]],
    ["the action of a series", { query: { series: [{ kind: "ActionsNode", id: 3 }] } }, ["action 3"]],
    ["the actions of legacy filters", { filters: { actions: [{ id: "3" }] } }, ["action 3"]],
    ["the action of a retention", { query: { targetEntity: { id: 3, type: "actions" } } }, ["action 3"]],
    ["the action of a goal", { query: { conversionGoal: { actionId: 3 } } }, ["action 3"]],
    [
      "the cohorts and actions in SQL",
      hogqlOf(
        "SELECT 1 FROM events WHERE person_id IN cohort 5 AND person_id NOT IN COHORT 6 OR matchesAction( 7 ) -- cohorts 8",
      ),
      ["cohort 5", "cohort 6", "action 7"],
    ],
    ["no action in an event", { query: { series: [{ kind: "EventsNode", id: 3 }] } }, []],
    [
      "an SQL variable by its name",
      hogql({ "0190-a": { code_name: "site", variableId: "0190-a" } }),
      ["SQL variable site"],
    ],
    ["an SQL variable without a name by its id", hogql({ "0190-a": {} }), ["SQL variable 0190-a"]],
    ["no SQL variable in a list", hogql([]), []],
    ["no SQL variable outside of SQL", { query: { kind: "TrendsQuery", variables: { a: { code_name: "b" } } } }, []],
  ])("%s", (_name, values, expected) => expect(names(values)).toEqual(expected));

  it("with the path to each, which leads to what the variable replaces", () => {
    const values: JsonObject = { query: { source: { properties: [{ type: "cohort", value: [5, 7] }] } } };
    expect(projectIdsIn(values).map(({ keys, id }) => [valueAt(values, keys), id])).toEqual([
      [5, "5"],
      [7, "7"],
    ]);
  });
});
