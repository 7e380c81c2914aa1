import { expect, it } from "vitest";
import { isShut } from "../../../src/kinds/entrances.ts";
import type { ValueObject } from "../../../src/model/json/json.ts";

const ENFORCED = { sso_enforcement: "saml" };
const OWN = { saml_entity_id: "urn:acme", saml_acs_url: "https://idp.acme.com", saml_x509_cert: "C" };

it.each<[boolean, string, ValueObject]>([
  [false, "all settings of its own", OWN],
  [true, "a setting that is blank", { ...OWN, saml_acs_url: " " }],
  [false, "settings that its service only counts", { has_saml: true }],
  [true, "settings that its service calls incomplete", { has_saml: false }],
  [true, "a count that what is shown contradicts", { has_saml: true, ...OWN, saml_x509_cert: "" }],
])("a domain that enforces SAML keeps people out (%s) with %s", (expected, _name, values) => {
  expect(isShut({ ...ENFORCED, ...values })).toBe(expected);
  expect(isShut({ sso_enforcement: "google-oauth2", ...values })).toBe(false);
});
