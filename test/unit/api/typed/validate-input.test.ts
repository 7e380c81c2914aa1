import { describe, expect, it } from "vitest";
import { checkInput, type InputProblem } from "../../../../src/api/typed/validate-input.ts";
import { operations, type OperationName } from "../../../../src/api/operations/index.ts";
import type { Json, JsonObject } from "../../../../src/model/json/json.ts";
import { dataOf, sentencesOf } from "../../../support/sentences.ts";
import { ID, ORGANIZATION } from "../support.ts";

const SERIES = { events: [{ id: "signed up" }] };

function calculation(name: "insights.funnel" | "insights.trend", body: JsonObject): readonly InputProblem[] {
  return checkInput(operations[name], { path: { project_id: "2" }, query: {}, body });
}

/** Every parameter with a valid value. */
const COMMON: JsonObject = {
  events: [{ id: "signed up", math: "total" }],
  actions: [{ id: "7" }],
  properties: { type: "AND", values: [] },
  filter_test_accounts: true,
  date_from: "2024-02-29",
  date_to: "mStart",
  breakdown: "plan",
  breakdown_type: "person",
};
const FUNNEL: JsonObject = {
  ...COMMON,
  funnel_window_interval: 3,
  funnel_window_interval_type: "WEEK",
  funnel_viz_type: "time_to_convert",
  funnel_order_type: "strict",
  exclusions: [{ id: "left" }],
  aggregation_group_type_index: 1,
  breakdown_limit: 25,
};
const TREND: JsonObject = { ...COMMON, compare: true, compare_to: "-1m", display: "BoldNumber", formula: "(A-B)/B" };

describe("a funnel or trend", () => {
  it("takes every parameter of the document", () => {
    expect(calculation("insights.funnel", FUNNEL)).toEqual([]);
    expect(calculation("insights.trend", TREND)).toEqual([]);
    expect(calculation("insights.trend", { actions: [{ id: "7" }] })).toEqual([]);
  });

  it("has exactly the parameters and defaults of the document", () => {
    const fields = (name: OperationName): readonly (readonly [string, unknown])[] => {
      const { body } = operations[name];
      return body?.type === "parameters" ? Object.entries(body.fields).map(([key, field]) => [key, field.default]) : [];
    };
    const common = [["events"], ["actions"], ["properties"], ["filter_test_accounts"], ["date_from", "-7d"]].concat([
      ["date_to", "-7d"],
      ["breakdown"],
      ["breakdown_type", "event"],
    ]);
    const padded = (rows: readonly (readonly unknown[])[]) => rows.map(([name, value]) => [name, value]);
    expect(fields("insights.funnel")).toEqual(
      padded([
        ...common,
        ["funnel_window_interval", 14],
        ["funnel_window_interval_type", "days"],
        ["funnel_viz_type", "steps"],
        ["funnel_order_type", "ordered"],
        ["exclusions"],
        ["aggregation_group_type_index", 0],
        ["breakdown_limit", 10],
        ["funnel_window_days", 14],
      ]),
    );
    expect(fields("insights.trend")).toEqual(
      padded([...common, ["compare"], ["compare_to"], ["display", "ActionsLineGraph"], ["formula"]]),
    );
  });

  it.each([
    ["nothing", {}],
    ["empty lists", { events: [], actions: [] }],
    ["no list", { events: { id: "signed up" } }],
  ])("needs events or actions: %s", (_name, body) => {
    const missing = calculation("insights.trend", body).filter(({ code }) => code === "missing_parameter");
    expect(missing).toMatchObject([{ message: expect.stringMatching(/events.*actions/) as string }]);
    expect(sentencesOf(missing)).toMatchSnapshot("sentences");
  });

  it.each(["2024-05-31", "2024-02-29", "-7d", "-1m", "-365d", "mStart", "yStart"])("takes the date %s", (date) => {
    expect(calculation("insights.trend", { ...SERIES, date_from: date, date_to: date })).toEqual([]);
  });

  it.each([
    "2024-02-30",
    "2023-02-29",
    "2024-13-01",
    "2024-5-1",
    "31.05.2024",
    "7d",
    "-0d",
    "-7",
    "-7D",
    "dStart",
    "all",
    "",
    "2024-05-31T00:00:00Z",
    null,
    7,
  ])("does not accept %j as a date", (date) => {
    for (const name of ["date_from", "date_to"]) {
      const found = calculation("insights.funnel", { ...SERIES, [name]: date });
      const message = expect.stringContaining(name) as string;
      expect(found).toMatchObject([{ severity: "error", code: "invalid_parameter", message }]);
      expect(sentencesOf(found)).toMatchSnapshot("sentences");
    }
  });

  it.each([
    ["breakdown_type", "persn", "person"],
    ["funnel_window_interval_type", "year", "DAY"],
    ["funnel_viz_type", "stepz", "steps"],
    ["funnel_order_type", "orderd", "ordered"],
    ["funnel_window_interval", "14", ""],
    ["aggregation_group_type_index", 1.5, ""],
    ["breakdown_limit", null, ""],
    ["filter_test_accounts", "yes", "true"],
    ["exclusions", {}, ""],
  ])("rejects %s=%j", (name, value, hint) => {
    const found = calculation("insights.funnel", { ...SERIES, [name]: value });
    expect(found).toMatchObject([{ severity: "error", code: "invalid_parameter" }]);
    expect(found[0]?.message).toContain(name);
    expect(found[0]?.hint).toContain(hint);
    expect(sentencesOf(found)).toMatchSnapshot("sentences");
  });

  it("accepts only the displays of the document", () => {
    const found = calculation("insights.trend", { ...SERIES, display: "ActionsBars" });
    expect(found[0]?.hint).toMatch(/\bActionsBar\b/);
    expect(sentencesOf(found)).toMatchSnapshot();
  });

  it("accepts cohort ids only for a breakdown by cohort", () => {
    expect(calculation("insights.trend", { ...SERIES, breakdown_type: "cohort", breakdown: [1, 2] })).toEqual([]);
    expect(calculation("insights.trend", { ...SERIES, breakdown: [1, 2] })).toHaveLength(1);
    expect(calculation("insights.trend", { ...SERIES, breakdown_type: "cohort", breakdown: ["x"] })).toHaveLength(1);
  });

  it("suggests a similar parameter for an unknown one", () => {
    const found = calculation("insights.trend", { ...SERIES, dateFrom: "-7d" });
    const hint = expect.stringContaining("date_from") as string;
    expect(found).toMatchObject([{ severity: "error", code: "unknown_parameter", hint }]);
    expect(sentencesOf(found)).toMatchSnapshot();
    expect(calculation("insights.trend", { ...SERIES, funnel_viz_type: "steps" })[0]?.severity).toBe("error");
    expect(calculation("insights.trend", { ...SERIES, toString: 1 })[0]?.code).toBe("unknown_parameter");
  });

  it("warns about the deprecated window and names its replacement", () => {
    const found = calculation("insights.funnel", { ...SERIES, funnel_window_days: 7 });
    expect(dataOf(found)).toEqual([{ severity: "warning", code: "deprecated_parameter" }]);
    expect(found[0]?.message).toContain("funnel_window_days");
    expect(found[0]?.hint).toMatch(/\bfunnel_window_interval\b.*\bfunnel_window_interval_type\b/);
    expect(sentencesOf(found)).toMatchSnapshot();
  });
});

describe("an input", () => {
  const path = { organization_id: ORGANIZATION, id: ID };
  const update = operations["domains.update"];

  it("may have undocumented fields, with a warning", () => {
    const found = checkInput(update, { path, query: {}, body: { sso_enforcment: "saml" } });
    const hint = expect.stringContaining("sso_enforcement") as string;
    expect(found).toMatchObject([{ severity: "warning", code: "unknown_parameter", hint }]);
    expect(sentencesOf(found)).toMatchSnapshot();
  });

  it("with a deprecated field of a resource gives a warning", () => {
    const found = checkInput(operations["insights.update"], {
      path: { project_id: "2", id: "1" },
      query: {},
      body: { dashboards: [1] },
    });
    expect(found).toMatchObject([{ severity: "warning", code: "deprecated_parameter" }]);
  });

  it.each([
    ["a missing part of the path", { path: {}, query: {}, body: {} }, 2],
    ["an invalid id", { path: { ...path, id: "1/2" }, query: {}, body: {} }, 1],
    ["a list for a body", { path, query: {}, body: [] }, 1],
    ["a query that it does not have", { path, query: { limit: 1 }, body: {} }, 1],
    ["a path that it does not have", { path: { ...path, project_id: "2" }, query: {}, body: {} }, 1],
  ])("is rejected for %s", (_name, input, errors) => {
    expect(checkInput(update, input).filter(({ severity }) => severity === "error")).toHaveLength(errors);
  });

  it.each<[OperationName, Json, string | undefined]>([
    ["members.update", { level: "admin" }, "level"],
    ["members.update", { level: 1.5 }, "level"],
    ["organizations.update", { enforce_2fa: "yes" }, "enforce_2fa"],
    ["organizations.update", { name: 5 }, "name"],
    ["insights.create", { tags: "a" }, "tags"],
    ["insights.create", { filters: [] }, "filters"],
    ["batch_exports.create", { destination: [] }, "destination"],
    ["invites.bulk", [{ level: 1 }, { level: {} }], "level"],
    ["organizations.update", { enforce_2fa: null }, undefined],
    ["insights.update", { query: null, order: 3, saved: true, tags: [], name: "" }, undefined],
    ["pipeline_destinations.update", { config_schema: [], metrics: {}, capabilities: null }, undefined],
  ])("%s accepts only the documented type of a field: %j", (name, body, field) => {
    const { params } = operations[name];
    const ids = Object.fromEntries(Object.entries(params).map(([part, type]) => [part, type === "uuid" ? ID : "7"]));
    const found = checkInput(operations[name], { path: ids, query: {}, body });
    expect(found.map((one) => one.message)).toEqual(
      field === undefined ? [] : [expect.stringContaining(field) as string],
    );
    expect(sentencesOf(found)).toMatchSnapshot();
  });

  it("must not have a body if the operation takes none", () => {
    expect(checkInput(operations["domains.get"], { path, query: {}, body: {} })).toHaveLength(1);
    expect(checkInput(operations["domains.get"], { path, query: {}, body: undefined })).toEqual([]);
  });

  it("may be a list of invites, and each of them is checked", () => {
    const bulk = operations["invites.bulk"];
    const body = [{ target_email: "a@b.c" }, { target_mail: "a@b.c" }];
    expect(checkInput(bulk, { path: { organization_id: ORGANIZATION }, query: {}, body })).toMatchObject([
      { severity: "warning", hint: expect.stringContaining("target_email") as string },
    ]);
  });
});
