/** What a plan says of pinned objects that are missing, and of `--recreate` if there is nothing to create. */
import { liftOf } from "../../support/lift.ts";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/model/json/json.ts";
import type { Resource } from "../../../src/model/resource.ts";
import { sentencesOf } from "../../support/sentences.ts";
import { changeOf, declare, live, plan } from "./world.ts";

const DOMAIN = "acme/domains/d";
const INSIGHT = "acme/projects/web/insights/s";
const pinned = (field: string, value: string): Partial<Resource> => ({ pin: { field, value } });
const rows = (...ids: readonly string[]) => live({ "domains.list": ids.map((id) => ({ id, domain: "d.com" })) });
const none = live({ "pipeline_destinations.list": [], "batch_exports.list": [] }, { "insights.list": [] });

describe("--recreate says why nothing is created", () => {
  it.each<[string, Partial<Resource>, readonly string[]]>([
    ["the pinned object exists", pinned("id", "x"), ["x"]],
    ["another object has its name", pinned("id", "x"), ["y"]],
    ["an object without a pin exists, which can be pinned", {}, ["y"]],
  ])("%s", (_name, more, ids) => {
    const resource = declare(DOMAIN, { domain: "d.com" }, more);
    const { diagnostics } = plan([resource], rows(...ids), { recreate: [DOMAIN] });
    expect(diagnostics).toMatchObject([{ code: "nothing_to_recreate", address: DOMAIN }]);
    expect(sentencesOf(diagnostics)).toMatchSnapshot("sentences");
  });

  it("and suggests no pin for a kind that has none", () => {
    const ada = declare("acme/members/ada@acme.com", { level: 15 });
    const members = live({ "members.list": [{ id: "m", level: 15, user: { uuid: "u", email: "ada@acme.com" } }] });
    const { diagnostics } = plan([ada], members, { recreate: [ada.address] });
    expect(diagnostics).toMatchObject([{ code: "nothing_to_recreate" }]);
    expect(diagnostics[0]).not.toHaveProperty("hint");
  });

  it("and nothing of an object that is created", () => {
    const { diagnostics } = plan([declare(DOMAIN, { domain: "d.com" })], rows(), { recreate: [DOMAIN] });
    expect(diagnostics).toEqual([]);
  });
});

describe("the reason to create a pinned object anew", () => {
  it.each(["id", "short_id"])("names its %s", (field) => {
    const resource = declare(INSIGHT, { name: "Gone" }, pinned(field, "9"));
    const change = changeOf(plan([resource], none, { recreate: [INSIGHT] }), INSIGHT);
    expect(change).toMatchObject({ action: "create", blocked: null });
    expect(change.reason).toMatchSnapshot("reason");
  });
});

describe("a new object in place of a missing one", () => {
  it.each<[string, Resource]>([
    ["one of several natural keys", declare("acme/pipeline_destinations/p", { tag: "x" }, pinned("id", "9"))],
    ["several required fields", declare("acme/batch_exports/b", { name: "B" }, pinned("id", "9"))],
  ])("needs %s", (_name, resource) => {
    const change = changeOf(plan([resource], none), resource.address);
    expect(change.blocked?.rule).toBe("pin_missing");
    expect(liftOf(change.blocked)).toMatchSnapshot("lift");
  });

  it("is not created for an organization, and the hint names the key", () => {
    const acme = declare("acme", { name: "Acme Inc" }, pinned("id", "gone"));
    const { diagnostics } = plan([acme], live());
    expect(diagnostics).toMatchObject([{ code: "pin_missing", severity: "error" }]);
    expect(sentencesOf(diagnostics)).toMatchSnapshot("sentences");
  });
});

describe("a restore of an insight", () => {
  const [keep, other] = [
    { id: 9, name: "Gone", deleted: true },
    { id: 7, name: "Other" },
  ];
  const pruned = (resource: Resource, ...insights: readonly JsonObject[]) =>
    plan(
      [resource],
      live({}, { "insights.list": insights }),
      { prune: true },
      { exclusive: [{ scope: "acme/projects/web", kind: "insight" }] },
    ).changes.map(({ action }) => action);
  const byId = declare(INSIGHT, { name: "Gone" }, pinned("id", "9"));

  it("that no list shows keeps the others from being pruned, because its id may be wrong", () => {
    expect(pruned(byId, other)).toEqual(["restore"]);
  });

  it("that a list shows as deleted does not, and neither does a create", () => {
    expect(pruned(byId, keep, other)).toEqual(["restore", "delete"]);
    expect(pruned(declare(INSIGHT, { name: "New" }), other)).toEqual(["create", "delete"]);
  });
});
