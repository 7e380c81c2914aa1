import { expect, it } from "vitest";
import { unverified } from "../../../../src/kinds/domain/verification.ts";
import { worldOf } from "../../../../src/kinds/world.ts";
import type { JsonObject } from "../../../../src/model/json/json.ts";
import { ACME, checked, declare, live, plan } from "../../plan/world.ts";

const MESSAGE = "sso_enforcement of acme.com has no effect until the service has verified the domain";

it.each<[string, JsonObject, string, JsonObject, readonly string[]]>([
  ["set before", { is_verified: false, sso_enforcement: "" }, "saml", {}, [MESSAGE]],
  ["set after", { is_verified: true, sso_enforcement: "" }, "saml", {}, []],
  ["turned off before", { is_verified: false, sso_enforcement: "saml" }, "", {}, []],
  ["set already", { is_verified: false, sso_enforcement: "saml" }, "saml", {}, []],
  ["set before, which a deployed server refuses", { is_verified: false }, "saml", { member_count: 3 }, []],
])("a sign-in is said to be without effect if it is %s the domain is verified", (_name, row, declared, more, said) => {
  const root = { "organizations.list": [{ ...ACME, ...more }] };
  const world = live({ "domains.list": [{ id: "d", domain: "acme.com", ...row }] }, {}, root);
  const changed = plan([declare("acme/domains/corp", { domain: "acme.com", sso_enforcement: declared })], world);
  const { warnings } = checked(changed, [unverified], worldOf(world));
  expect(warnings.map(({ message }) => message)).toEqual(said);
});
