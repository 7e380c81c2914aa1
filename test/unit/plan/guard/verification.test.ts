import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/model/json.ts";
import type { LiveSnapshot } from "../../../../src/model/live.ts";
import { ACME, changeOf, declare, live, plan } from "../world.ts";

const SIGN_IN = declare("acme/domains/d", { domain: "d.com", sso_enforcement: "saml" });

/** A deployed server with a domain that is not verified. */
const withDomain = (row: JsonObject, organization: JsonObject = { member_count: 1 }): LiveSnapshot =>
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

  it("says which DNS record is needed", () => {
    const { changes } = plan([SIGN_IN], withDomain({}));
    const lift = changes[0]?.blocked?.lift;
    expect(lift).toContain('TXT _posthog-challenge.d.com "abc"');
    expect(lift).toMatchSnapshot();
  });

  it.each<[string, JsonObject, JsonObject, string | undefined]>([
    ["sign-in", { sso_enforcement: "saml" }, {}, "verification_required"],
    ["provisioning", { jit_provisioning_enabled: true }, {}, "verification_required"],
    ["both of them and another field", { sso_enforcement: "saml", saml_entity_id: "e" }, {}, "verification_required"],
    ["another field alone", { saml_entity_id: "e" }, {}, undefined],
    ["sign-in as it is, and another field", { sso_enforcement: "", saml_entity_id: "e" }, {}, undefined],
    ["sign-in, verified", { sso_enforcement: "saml" }, { is_verified: true }, undefined],
    [
      "sign-in, and the service does not show whether it is verified",
      { sso_enforcement: "saml" },
      { is_verified: null },
      undefined,
    ],
  ])("that changes %s", (_name, values, row, rule) => {
    expect(ruleOf(values, row)).toBe(rule);
  });
});

describe("a domain of a service that may keep to the interface document", () => {
  it.each([{ member_count: "1" }, {}])("is changed before it is verified: %j", (organization) => {
    const { changes } = plan([SIGN_IN], withDomain({}, organization));
    expect(changes[0]?.blocked).toBeNull();
  });
});
