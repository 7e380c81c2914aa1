import { expect, it } from "vitest";
import { removedDomain } from "../../../../src/kinds/domain/removal-review.ts";
import { worldOf } from "../../../../src/kinds/world.ts";
import type { JsonObject } from "../../../../src/model/json/json.ts";
import { checked, declare, live, type LiveRows, plan } from "../../plan/world.ts";

const member = (email: string, level: number) => ({ id: email, level, user: { uuid: email, email } });
const PEOPLE = { "members.list": [member("ada@acme.com", 15), member("bob@acme.com", 1), member("c@b.io", 1)] };
const SHOWN = /sso_enforcement.* 2 of 3 people .*1 owner, 0 admins\): ada@acme\.com \(OWNER\), bob@acme\.com$/u;

it.each<[string, JsonObject, LiveRows, RegExp]>([
  ["names its people if it enforces a sign-in", { sso_enforcement: "saml" }, PEOPLE, SHOWN],
  ["names nobody whom the plan has not read", { sso_enforcement: "saml" }, {}, /sso_enforcement$/u],
  ["names nobody if it enforces none", { jit_provisioning_enabled: true }, PEOPLE, /jit_provisioning_enabled$/u],
])("a domain that goes %s", (_name, values, rows, expected) => {
  const world = live({ "domains.list": [{ id: "d", domain: "acme.com", ...values }], ...rows });
  const gone = declare("acme/domains/corp", { domain: "acme.com" }, { lifecycle: { state: "absent" } });
  const { warnings, needs } = checked(plan([gone], world), [removedDomain], worldOf(world));
  expect(warnings.flatMap(({ code, message }) => (code === "domain_rules_lost" ? message : []))).toEqual([
    expect.stringMatching(expected),
  ]);
  expect(needs).toEqual([]);
});
