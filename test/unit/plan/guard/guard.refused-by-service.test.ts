/** The rows of a list show what a service would refuse. */
import { describe, expect, it } from "vitest";
import type { JsonObject, ValueObject } from "../../../../src/model/json/json.ts";
import type { Blocked } from "../../../../src/model/change.ts";
import type { Plan } from "../../../../src/model/plan.ts";
import { sentencesOf } from "../../../support/sentences.ts";
import { changeOf, declare, live, plan, seen } from "../world.ts";

const INSIGHT = "acme/projects/web/insights/s";
const EXPORT = "acme/batch_exports/e";
const ROW = { id: 7, short_id: "abcdefgh", name: "Signups", query: { kind: "TrendsQuery" } };
const OF_TODAY = {
  id: "e-1",
  name: "E",
  interval: "hour",
  destination: { type: "NoOp", config: {} },
  primary_key: null,
};

const insight = (values: ValueObject, row: JsonObject = ROW): Plan =>
  plan([declare(INSIGHT, values)], seen(live({}, { "insights.list": [row] })));
const s3 = (...rows: readonly JsonObject[]): Plan =>
  plan(
    [declare(EXPORT, { name: "New", interval: "hour", destination: { type: "S3", config: {} } })],
    seen(live({ "batch_exports.list": rows })),
  );

function ruleAt(made: Plan, address: string): Blocked["rule"] | undefined {
  return changeOf(made, address).blocked?.rule;
}

describe("a service that keeps insights as queries only", () => {
  const filters = { insight: "FUNNELS" };

  it.each<[string, ValueObject, JsonObject, Blocked["rule"] | undefined]>([
    ["refuses filters of a new insight", { name: "New", filters }, ROW, "query_required"],
    ["refuses filters of an insight that exists", { name: "Signups", filters }, ROW, "edited_as_query"],
    ["refuses a new insight without a query", { name: "New" }, ROW, "query_required"],
    ["refuses an empty query", { name: "Signups", query: null }, ROW, "query_required"],
    ["takes a change of another field", { name: "Signups", description: "x" }, ROW, undefined],
    ["takes a new query", { name: "New", query: { kind: "FunnelsQuery" } }, ROW, undefined],
    ["is not one whose rows have filters", { name: "New", filters }, { ...ROW, filters: {} }, undefined],
  ])("%s", (_name, values, row, rule) => {
    expect(ruleAt(insight(values, row), INSIGHT)).toBe(rule);
  });

  it("takes a change of another field beside filters that are not compared", () => {
    const lifecycle = { ignore: ["filters"] };
    const resource = declare(INSIGHT, { name: "Signups", filters, description: "x" }, { lifecycle });
    const made = plan([resource], seen(live({}, { "insights.list": [ROW] })));
    expect(changeOf(made, INSIGHT)).toMatchObject({ action: "update", blocked: null });
  });

  it("offers the live query of an insight that exists, and no command for a new one", () => {
    const commandOf = (values: ValueObject) => changeOf(insight(values), INSIGHT).blocked?.command;
    expect(commandOf({ name: "Signups", filters })).toEqual(["driftline", "drift", "--accept", "--only", INSIGHT]);
    expect(commandOf({ name: "New", filters })).toBeUndefined();
    expect(sentencesOf(changeOf(insight({ name: "Signups", filters }), INSIGHT).blocked)).toMatchSnapshot();
  });

  it("has a warning where the declaration stands, if the kind alone knows the reason", () => {
    const made = s3(OF_TODAY);
    expect(ruleAt(made, EXPORT)).toBe("service_refuses");
    const codes = made.diagnostics.map(({ severity, code, address }) => [severity, code, address]);
    expect(codes).toContainEqual(["warning", "service_refuses", EXPORT]);
    expect(sentencesOf(made.diagnostics)).toMatchSnapshot("sentences");
    expect(insight({ name: "New", filters }).diagnostics.map(({ code }) => code)).not.toContain("query_required");
  });

  it("is not known from an empty list, or from rows without the keys of today: then the answer decides", () => {
    const { primary_key: _key, ...earlier } = OF_TODAY;
    expect(ruleAt(s3(), EXPORT)).toBeUndefined();
    expect(ruleAt(s3(earlier), EXPORT)).toBeUndefined();
  });
});
