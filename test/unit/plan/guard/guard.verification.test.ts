import { liftOf } from "../../../support/lift.ts";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/model/json/json.ts";
import type { LiveWorld } from "../../../../src/model/live.ts";
import { ACME, changeOf, declare, live, plan } from "../world.ts";

const SIGN_IN = declare("acme/domains/d", { domain: "d.com", sso_enforcement: "saml" });

/** A deployed server with a domain that is not verified. */
const withDomain = (row: JsonObject, organization: JsonObject = { member_count: 1 }): LiveWorld =>
  live(
    {
      "domains.list": [
        { id: "i", domain: "d.com", is_verified: false, verification_challenge: "abc", sso_enforcement: "", ...row },
      ],
    },
    {},
    { "organizations.list": [{ ...ACME, ...organization }] },
  );

describe("a domain that is not verified", () => {
  const ruleOf = (values: JsonObject, row: JsonObject): string | undefined =>
    changeOf(plan([declare("acme/domains/d", { domain: "d.com", ...values })], withDomain(row)), "acme/domains/d")
      .blocked?.rule;

  it("blocks the change with the DNS record that is needed", () => {
    const { changes } = plan([SIGN_IN], withDomain({}));
    const lift = liftOf(changes[0]?.blocked);
    expect(lift).toContain('TXT _posthog-challenge.d.com "abc"');
    expect(lift).toMatchSnapshot();
  });

  it.each<[string, JsonObject, JsonObject, string | undefined]>([
    ["sign-in", { sso_enforcement: "saml" }, {}, "verification_required"],
    ["provisioning", { jit_provisioning_enabled: true }, {}, "verification_required"],
    ["both and another field", { sso_enforcement: "saml", saml_entity_id: "e" }, {}, "verification_required"],
    ["another field alone", { saml_entity_id: "e" }, {}, undefined],
    ["another field, and sign-in unchanged", { sso_enforcement: "", saml_entity_id: "e" }, {}, undefined],
    ["sign-in once it is verified", { sso_enforcement: "saml" }, { is_verified: true }, undefined],
    [
      "sign-in if the service does not show whether it is verified",
      { sso_enforcement: "saml" },
      { is_verified: null },
      undefined,
    ],
  ])("blocks, or allows, a change of %s", (_name, values, row, rule) => {
    expect(ruleOf(values, row)).toBe(rule);
  });
});

describe("a domain of a service that may follow the interface document", () => {
  it.each([{ member_count: "1" }, {}])("may be changed before it is verified: %j", (organization) => {
    const { changes } = plan([SIGN_IN], withDomain({}, organization));
    expect(changes[0]?.blocked).toBeNull();
  });
});
