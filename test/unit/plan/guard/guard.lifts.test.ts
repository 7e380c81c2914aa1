/** What the guards say about the ways out. */
import { liftOf } from "../../../support/lift.ts";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/model/json/json.ts";
import type { LiveWorld } from "../../../../src/model/live.ts";
import type { Resource } from "../../../../src/model/resource.ts";
import { sentencesOf } from "../../../support/sentences.ts";
import { kinds } from "../../../../src/kinds/registry.ts";
import { createChange } from "../../../../src/plan/make-change.ts";
import { CHECKS, checkChanges } from "../../../../src/plan/guard/guard.ts";
import { changeOf, CHECKED, declare, live, plan } from "../world.ts";

const EXPORT = "acme/batch_exports/e";
const PLUGIN = "acme/pipeline_destinations/p";
const DOMAIN = "acme/domains/d";
const exportRow = {
  id: "e-1",
  name: "E",
  interval: "hour",
  destination: { type: "HTTP", config: { url: "https://acme.com" } },
};
const exported = (row: JsonObject = {}): LiveWorld => live({ "batch_exports.list": [{ ...exportRow, ...row }] });
const replaced = declare(EXPORT, { name: "E", destination: { type: "NoOp", config: {} } });

describe("a replace that loses values", () => {
  it("names the field and the option, and its reason names the values", () => {
    const change = changeOf(plan([replaced], exported()), EXPORT);
    expect(change).toMatchObject({ action: "replace", blocked: { rule: "replace_loses" } });
    expect(liftOf(change.blocked)).toContain(`--allow-loss ${EXPORT}`);
    expect([change.reason, liftOf(change.blocked)]).toMatchSnapshot("sentences");
  });

  it("names each value and field once", () => {
    const hidden = { password: "********", api_key: "********" };
    const row = { id: 5, url: "https://a.b/old", name: "P", config_schema: hidden, capabilities: hidden };
    const moved = declare(PLUGIN, { url: "https://a.b/new" }, { pin: { field: "id", value: "5" } });
    const change = changeOf(plan([moved], live({ "pipeline_destinations.list": [row] })), PLUGIN);
    expect(change).toMatchObject({ action: "replace", blocked: { rule: "replace_loses" } });
    expect([change.reason, liftOf(change.blocked)]).toMatchSnapshot("sentences");
  });

  it("names every field, also one that driftline has no name for", () => {
    const change = changeOf(plan([replaced], exported({ later: "********" })), EXPORT);
    expect(change.blocked?.rule).toBe("replace_loses");
    expect(liftOf(change.blocked)).toMatch(/\bhogql_query\b.*\bextra_fields\.later\b/u);
    expect(liftOf(change.blocked)).toMatchSnapshot("sentences");
  });

  it("has a fingerprint of all that is carried over, but an update only of what is declared", () => {
    const updated = declare(EXPORT, { name: "E", paused: true });
    const of = (resource: Resource, row: JsonObject) =>
      changeOf(plan([resource], exported({ paused: false, ...row })), EXPORT).fingerprint;
    expect(of(replaced, { interval: "day" })).not.toBe(of(replaced, {}));
    expect(of(updated, { interval: "day" })).toBe(of(updated, {}));
  });
});

describe("a membership whose invite is renewed", () => {
  const bob = declare("acme/memberships/bob@acme.com", { level: 1 }, { lifecycle: { renew: true } });
  const renewed = (message: string) => {
    const invite = { id: "i", target_email: "bob@acme.com", level: 1, is_expired: true, message };
    return changeOf(plan([bob], live({ "members.list": [], "invites.list": [invite] })), bob.address);
  };

  it("keeps the message of the invite, which its fingerprint covers", () => {
    expect(renewed("Hi").work?.body).toMatchObject({ level: 1, message: "Hi" });
    expect(renewed("Hi").fingerprint).not.toBe(renewed("Hello").fingerprint);
  });
});

describe("an organization with a similar name", () => {
  it("is suggested instead of a new one", () => {
    const change = changeOf(plan([declare("beta", { name: "Acme Inq" })], live()), "beta");
    expect(change.blocked).toMatchObject({ rule: "organization_create" });
    expect(liftOf(change.blocked)).toContain('"Acme Inc"');
    expect(sentencesOf(change.blocked)).toMatchSnapshot("sentences");
  });
});

describe("a create in a project of a new organization", () => {
  it("waits for a run of its own, although the organization is created", () => {
    const missing = { status: "absent" } as const;
    const world = live();
    const scopes = new Map([...world.scopes, ["beta", missing], ["beta/projects/web", missing]] as const);
    const beta = declare("beta", { name: "Beta" }, { lifecycle: { create: true } });
    const insight = declare("beta/projects/web/insights/i", { name: "I" });
    const { blocked } = changeOf(plan([beta, insight], { ...world, scopes }), insight.address);
    expect(blocked).toEqual({ rule: "parent", lift: "apply again once beta exists" });
  });
});

describe("a create in an organization that is declared absent", () => {
  it("waits until somebody decides which of the two is meant", () => {
    const world = live();
    const scopes = new Map([...world.scopes, ["beta", { status: "absent" }]] as const);
    const beta = declare("beta", { name: "Beta" }, { lifecycle: { state: "absent" } });
    const domain = declare("beta/domains/d", { domain: "d.com" });
    const { blocked } = changeOf(plan([beta, domain], { ...world, scopes }), domain.address);
    expect(blocked?.rule).toBe("parent");
    expect(sentencesOf(blocked)).toMatchSnapshot("sentences");
  });
});

describe("a domain that is not verified", () => {
  const row = { id: "i", domain: "d.com", is_verified: false, verification_challenge: "abc", sso_enforcement: "" };
  const domains = live({ "domains.list": [row] });

  it("is changed if its organization was not read", () => {
    const lists = new Map([...domains.lists].filter(([key]) => key !== " organization"));
    const resource = declare(DOMAIN, { domain: "d.com", sso_enforcement: "saml" });
    expect(changeOf(plan([resource], { ...domains, lists }), DOMAIN)).toMatchObject({
      action: "update",
      blocked: null,
    });
  });
});

describe("a create in a scope that was not read", () => {
  it("is not refused because of its parent", () => {
    const change = createChange(kinds.domain, declare(DOMAIN, { domain: "d.com" }));
    expect(checkChanges(CHECKS, { ...CHECKED, changes: [change] }).changes).toEqual([change]);
  });
});

describe("the people whose key it may be", () => {
  const member = (index: number, email = `p${index}@acme.com`): JsonObject => ({
    id: `m${index}`,
    level: index === 0 ? 1 : 15,
    user: { uuid: `u${index}`, email },
  });
  const lift = (count: number, organization: JsonObject): string | undefined => {
    const people = Array.from({ length: count }, (_, index) => member(index + 1));
    const world = live(
      { "members.list": [member(0), ...people] },
      {},
      { "organizations.list": [{ id: "a0000000-0000-4000-8000-000000000001", name: "Acme Inc", ...organization }] },
    );
    const lowered = declare("acme/members/p1@acme.com", { level: 8 });
    return liftOf(changeOf(plan([lowered], world), lowered.address).blocked);
  };

  it("are named", () => {
    expect(lift(5, { membership_level: 15 })).toContain("p1@acme.com, p2@acme.com");
    expect(lift(5, { membership_level: 15 })).not.toContain("p0@acme.com");
    expect(lift(4, {})).toContain("p0@acme.com, p1@acme.com");
    expect([lift(5, { membership_level: 15 }), lift(10, { membership_level: 15 })]).toMatchSnapshot("sentences");
  });
});
