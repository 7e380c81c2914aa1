import { describe, expect, it } from "vitest";
import { destroyedAlerts } from "../../../../src/kinds/insight/destroyed-alerts.ts";
import { worldOf } from "../../../../src/kinds/world.ts";
import type { JsonObject, ValueObject } from "../../../../src/model/json.ts";
import type { Lifecycle } from "../../../../src/model/resource.ts";
import { untilKnown } from "../../../../src/world/until-known.ts";
import { apiError } from "../../apply/support.ts";
import { checked, declare, live, plan } from "../../plan/world.ts";
import { type Answers, serviceOf } from "../world.ts";

const ROW = { id: 7, short_id: "abcdefgh", name: "A", query: { kind: "Trends" } };

/** The change of one insight, and what was read of it. `row` is what a read by id shows. */
async function attachedTo(values: ValueObject, lifecycle: Lifecycle, row: Answers[string]) {
  const snapshot = live({}, { "insights.list": [ROW] });
  const resource = declare("acme/projects/web/insights/a", { name: "A", ...values }, { lifecycle });
  const { client, asked } = serviceOf({ "insights.get": row ?? {} });
  const made = plan([resource], snapshot);
  const [before] = made.changes;
  const found = await untilKnown(client, worldOf(snapshot), (world) => checked(made, [destroyedAlerts], world));
  const [change] = found.plan.changes;
  return {
    rule: change?.blocked?.rule,
    attached: change?.work?.attached,
    asked,
    isKept: change?.fingerprint === before?.fingerprint,
  };
}

const ABSENT: Lifecycle = { state: "absent" };
const KIND = { query: { kind: "Funnels" } };
const alerts = (...ids: readonly number[]): JsonObject => ({
  ...ROW,
  alerts: ids.map((id) => ({ id })),
  dashboards: [3],
});

describe("what hangs on an object", () => {
  it.each<
    [
      name: string,
      values: ValueObject,
      lifecycle: Lifecycle,
      row: Answers[string],
      rule: string | undefined,
      destroyed: readonly string[] | undefined,
    ]
  >([
    ["blocks a removal that destroys it", {}, ABSENT, alerts(10, 9), "destroys_more", ["9", "10"]],
    ["blocks an update that may destroy it", KIND, {}, alerts(9), "destroys_more", ["9"]],
    ["does not block if it only stays behind", {}, ABSENT, alerts(), undefined, []],
    ["blocks if it cannot be read", {}, ABSENT, apiError("insights.get", {}), "destroys_more", undefined],
    ["blocks if the answer cannot be understood", {}, ABSENT, { ...ROW, alerts: "some" }, "destroys_more", undefined],
  ])("%s", async (_name, values, lifecycle, row, rule, destroyed) => {
    const found = await attachedTo(values, lifecycle, row);
    expect([found.rule, found.attached?.destroyed]).toEqual([rule, destroyed]);
    // An alert that somebody adds after the plan makes the plan stale.
    expect(found.isKept).toBe(destroyed === undefined);
  });

  it("is not read for an update that destroys nothing", async () => {
    const { rule, asked } = await attachedTo({ description: "a" }, {}, alerts(9));
    expect([rule, asked]).toEqual([undefined, []]);
  });
});
