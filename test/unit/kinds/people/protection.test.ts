import { describe, expect, it } from "vitest";
import { ignoredLevel, PROTECTION_CHECKS } from "../../../../src/kinds/people/protection.ts";
import { worldOf } from "../../../../src/kinds/world.ts";
import type { ValueObject } from "../../../../src/model/json/json.ts";
import type { Lifecycle } from "../../../../src/model/resource.ts";
import { sentencesOf } from "../../../support/sentences.ts";
import { ACME, checked, declare, live, type LiveRows, plan } from "../../plan/world.ts";

const member = (email: string, has2fa: boolean) => ({
  id: email,
  level: 1,
  is_2fa_enabled: has2fa,
  user: { uuid: email, email },
});
const PEOPLE = {
  "members.list": [member("ada@acme.com", false), member("bob@acme.com", true), member("c@b.io", true)],
};

/** What is said of a change of one field, from the live value to the declared one. */
function changing(
  kind: string,
  before: ValueObject,
  after: ValueObject,
  {
    rows = PEOPLE,
    purpose = "plan",
    lifecycle = {},
  }: { rows?: LiveRows; purpose?: "plan" | "drift"; lifecycle?: Lifecycle } = {},
) {
  const domains = { "domains.list": [{ id: "d", domain: "acme.com", is_verified: true, ...before }] };
  const root = { "organizations.list": [{ ...ACME, ...before }] };
  const world = kind === "domain" ? live({ ...domains, ...rows }) : live(rows, {}, root);
  const declared = { name: "Acme Inc", ...after };
  const resource =
    kind === "domain"
      ? declare("acme/domains/corp", { domain: "acme.com", ...after }, { lifecycle })
      : declare("acme", declared, { lifecycle });
  return checked(plan([resource], world), PROTECTION_CHECKS, worldOf(world), { purpose });
}

const CASES: readonly [string, string, ValueObject[string], ValueObject[string]][] = [
  ["organization", "enforce_2fa", true, false],
  ["organization", "enforce_verified_domains", true, false],
  ["organization", "members_can_use_personal_api_keys", false, true],
  ["organization", "members_can_invite", false, true],
  ["organization", "members_can_create_projects", false, true],
  ["organization", "allow_publicly_shared_resources", false, true],
  ["organization", "read_only_mcp_access", true, false],
  ["organization", "default_anonymize_ips", true, false],
  ["domain", "sso_enforcement", "saml", ""],
  ["domain", "jit_provisioning_enabled", false, true],
];

describe("a protection that an apply turns off", () => {
  it.each(CASES)("of %s is %s", (kind, field, on, off) => {
    const codes = (before: typeof on, after: typeof on) =>
      changing(kind, { [field]: before }, { [field]: after }).warnings.map(({ code }) => code);
    expect([codes(on, off), codes(off, on), codes(on, on)]).toEqual([["protection_off"], [], []]);
  });

  it("of a domain that is replaced is one as well", () => {
    const lifecycle = { renamed_from: "acme.com" };
    const codes = (after: ValueObject) =>
      changing("domain", { sso_enforcement: "saml" }, after, { lifecycle }).warnings.map(({ code }) => code);
    const renamed = { domain: "acme.io" };
    expect([codes({ ...renamed, sso_enforcement: "" }), codes(renamed)]).toEqual([["protection_off"], []]);
  });

  it("is said with the people whom the plan has read, and reads nobody", () => {
    const made = CASES.map(([kind, field, on, off]) => changing(kind, { [field]: on }, { [field]: off }));
    expect(made.flatMap(({ warnings }) => sentencesOf(warnings))).toMatchSnapshot();
    const unread = changing("organization", { enforce_2fa: true }, { enforce_2fa: false }, { rows: {} });
    expect([unread.needs, unread.warnings.length]).toEqual([[], 1]);
  });

  it.each(CASES)("of %s is %s, and a drift says what is off on the service", (kind, field, on, off) => {
    const messages = (before: typeof on, after: typeof on) =>
      changing(kind, { [field]: before }, { [field]: after }, { purpose: "drift" }).warnings.map(
        ({ message, hint }) => `${message}. ${String(hint)}`,
      );
    const said = expect.stringMatching(/is off on the service.*An apply turns it on again/u) as string;
    expect([messages(off, on), messages(on, off)]).toEqual([[said], []]);
  });

  it.each(CASES)("of %s is %s, and the files leave that to others", (kind, field, on, off) => {
    const said = (found: typeof on, ignore: readonly string[], purpose: "plan" | "drift" = "plan") =>
      changing(kind, { [field]: found }, { [field]: on }, { purpose, lifecycle: { ignore } }).warnings.map(
        ({ code, message }) => [code, message.includes("ignored (lifecycle.ignore)")],
      );
    const warned = [["protection_off", true]];
    expect([said(off, [field]), said(off, [`/${field}`], "drift"), said(on, [field]), said(off, [])]).toEqual([
      warned,
      warned,
      [],
      [],
    ]);
  });

  it.each([
    [15, ["level"], ["protection_off"]],
    [1, ["level"], []],
    [15, [], []],
  ])("is a level of %s that is not the declared one, with %j ignored", (level, ignore, codes) => {
    const row = { ...member("ada@acme.com", true), level };
    const resource = declare("acme/members/ada@acme.com", { level: 1 }, { lifecycle: { ignore } });
    const world = live({ "members.list": [row] });
    const { warnings } = checked(plan([resource], world), [ignoredLevel], worldOf(world));
    expect(warnings.map(({ code }) => code)).toEqual(codes);
  });

  it.each<[string, string, ValueObject, readonly string[]]>([
    ["a new domain", "acme/domains/new", { domain: "acmee.com", jit_provisioning_enabled: true }, ["protection_off"]],
    ["no new domain that says nothing of it", "acme/domains/new", { domain: "acmee.com" }, []],
    ["no new organization, which has no people", "other", { name: "Other", enforce_2fa: false }, []],
  ])("is also that of %s", (_name, address, values, codes) => {
    const world = live({ "domains.list": [], ...PEOPLE }, {}, { "organizations.list": [ACME] });
    const made = plan([declare(address, values)], world);
    const { warnings } = checked(made, PROTECTION_CHECKS, worldOf(world), { purpose: "plan" });
    expect(warnings.map(({ code }) => code)).toEqual(codes);
    expect(sentencesOf(warnings)).toMatchSnapshot();
  });

  it("is not a change from one way of signing in to another", () => {
    expect(changing("domain", { sso_enforcement: "saml" }, { sso_enforcement: "github" }).warnings).toEqual([]);
  });
});
