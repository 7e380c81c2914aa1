/** A key that sees a part of the members calls nobody missing, invites nobody, and removes nobody. */
import { describe, expect, it } from "vitest";
import type { JsonObject, ValueObject } from "../../../src/model/json/json.ts";
import type { Lifecycle } from "../../../src/model/resource.ts";
import { makePlan } from "../../../src/plan/make-plan.ts";
import { needsOrganizations } from "../../../src/plan/scopes-from-pins.ts";
import { sentencesOf } from "../../support/sentences.ts";
import { ACME, declare, graphOf, live, OPTIONS } from "./world.ts";

const BOB = { id: "m", level: 1, user: { uuid: "u", email: "bob@acme.com" } };
const PART = { members_can_see_org_members: false, membership_level: 1 };

const seen = (organization: JsonObject) =>
  live({ "members.list": [BOB], "invites.list": [] }, {}, { "organizations.list": [{ ...ACME, ...organization }] });

const actionOf = (address: string, values: ValueObject, lifecycle: Lifecycle, organization: JsonObject) =>
  makePlan(graphOf([declare(address, values, { lifecycle })]), seen(organization), OPTIONS).plan.changes[0];

describe.each<[string, string, ValueObject, Lifecycle, string]>([
  ["a membership of somebody who is not seen", "acme/memberships/eve@acme.com", { level: 1 }, {}, "create"],
  ["an invite of somebody who is not seen", "acme/invites/eve", { target_email: "eve@acme.com" }, {}, "create"],
  ["a member who is not seen", "acme/members/eve@acme.com", { level: 1 }, {}, "create"],
  ["somebody absent who is not seen", "acme/members/eve@acme.com", {}, { state: "absent" }, "no_op"],
  ["somebody absent who is seen", "acme/memberships/bob@acme.com", {}, { state: "absent" }, "delete"],
])("%s", (_name, address, values, lifecycle, otherwise) => {
  it("is unknown to a key that sees a part, and only to that one", () => {
    expect(actionOf(address, values, lifecycle, PART)?.action).toBe("unknown");
    for (const whole of [{}, { ...PART, membership_level: 8 }, { ...PART, members_can_see_org_members: true }])
      expect(actionOf(address, values, lifecycle, whole)?.action).toBe(otherwise);
  });
});

it("a seen member is compared as ever", () => {
  expect(actionOf("acme/members/bob@acme.com", { level: 8 }, {}, PART)?.action).toBe("update");
});

it("nobody is pruned, and a message says so", () => {
  const graph = graphOf([], { exclusive: [{ scope: "acme", kind: "member" }] });
  const planned = (organization: JsonObject) => makePlan(graph, seen(organization), { ...OPTIONS, prune: true }).plan;
  expect([planned({}).changes.length, planned({}).diagnostics]).toEqual([1, []]);
  expect(planned(PART).changes).toEqual([]);
  expect(planned(PART).diagnostics).toMatchObject([{ severity: "error", code: "partial_list" }]);
  expect(sentencesOf(planned(PART).diagnostics)).toMatchSnapshot("sentences");
  const only = (address: string) =>
    makePlan(graph, seen(PART), { ...OPTIONS, prune: true, only: [address] }).plan.diagnostics.map(({ code }) => code);
  expect([only("acme/members"), only("acme/domains")]).toEqual([["partial_list"], []]);
});

it("only the organization shows that, so a plan that finds nobody reads it", () => {
  const found = makePlan(graphOf([declare("acme/members/bob@acme.com", { level: 1 })]), seen({}), OPTIONS).plan;
  const missing = makePlan(graphOf([declare("acme/memberships/eve@acme.com", { level: 1 })]), seen({}), OPTIONS).plan;
  expect([needsOrganizations(found.changes), needsOrganizations(missing.changes)]).toEqual([false, true]);
});
