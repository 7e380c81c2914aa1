import { describe, expect, it } from "vitest";
import { movedProvider } from "../../../../src/kinds/domain/provider-review.ts";
import { worldOf } from "../../../../src/kinds/world.ts";
import type { ValueObject } from "../../../../src/model/json/json.ts";
import { sentencesOf } from "../../../support/sentences.ts";
import { checked, declare, live, type LiveRows, plan } from "../../plan/world.ts";

const member = (email: string, level: number) => ({ id: email, level, user: { uuid: email, email } });
const MEMBERS = { "members.list": [member("ada@acme.com", 15), member("bob@acme.com", 1), member("c@b.io", 8)] };
const D = "0190d0a0-0000-4000-8000-00000000000d";
const E = "0190d0a0-0000-4000-8000-00000000000e";
const DOMAINS = [
  { id: D, domain: "acme.com", is_verified: true },
  { id: E, domain: "b.io", is_verified: true },
];
const SAML = { saml_acs_url: "https://idp/acs", saml_entity_id: "idp", saml_x509_cert: "key" };
const EVIL = { saml_acs_url: "https://idp.evil.example/acs", saml_entity_id: "evil", saml_x509_cert: "other" };

type Purpose = "plan" | "drift" | "acceptance";

/** What is said of a change of a domain, or of a configuration, from the live values to the declared ones. */
function changing(
  kind: "domain" | "config",
  before: ValueObject | undefined,
  after: ValueObject,
  { rows = MEMBERS, purpose = "plan" }: { rows?: LiveRows; purpose?: Purpose } = {},
) {
  const domains = DOMAINS.map((row) => (kind === "domain" && row.id === D ? { ...row, ...before } : row));
  const configs = kind === "config" && before !== undefined ? [{ id: "i", name: "Okta", ...before }] : [];
  const lists = { "domains.list": domains, "identity_provider_configs.list": configs };
  const world = live({ ...lists, ...rows });
  const resource =
    kind === "domain"
      ? declare("acme/domains/corp", { domain: "acme.com", ...after })
      : declare("acme/identity_provider_configs/okta", { name: "Okta", ...after });
  return checked(plan([resource], world), [movedProvider], worldOf(world), { purpose });
}

const FOR_ACME = { organization_domain_ids: [D], config_scope: "saml" };
const FOR_BOTH = { organization_domain_ids: [D, E], config_scope: "saml" };
type Case = readonly [string, "domain" | "config", ValueObject | undefined, ValueObject];

const MOVED: readonly Case[] = [
  ["another provider", "domain", SAML, EVIL],
  ["another certificate", "domain", SAML, { ...SAML, saml_x509_cert: "other" }],
  ["a first provider", "domain", {}, EVIL],
  ["another provider of a configuration", "config", { ...SAML, ...FOR_ACME }, { ...EVIL, ...FOR_ACME }],
  ["a configuration for one more domain", "config", { ...SAML, ...FOR_ACME }, { ...SAML, ...FOR_BOTH }],
  [
    "a configuration for all domains",
    "config",
    { ...SAML, ...FOR_ACME },
    { ...SAML, ...FOR_ACME, domain_scope: "all" },
  ],
  ["a configuration that begins to let people in", "config", { ...SAML, ...FOR_ACME, config_scope: "scim" }, FOR_ACME],
  ["a new configuration", "config", undefined, { ...EVIL, ...FOR_ACME }],
  [
    "another issuer",
    "config",
    { id_jag_issuer_url: "https://a.io", ...FOR_ACME },
    { id_jag_issuer_url: "https://b.io" },
  ],
];
const STAYS: readonly Case[] = [
  ["the same provider", "domain", SAML, SAML],
  ["no provider any more", "domain", SAML, { saml_acs_url: null, saml_entity_id: null, saml_x509_cert: null }],
  ["a configuration for one domain less", "config", { ...SAML, ...FOR_BOTH }, { ...SAML, ...FOR_ACME }],
  ["a configuration without a provider", "config", FOR_ACME, FOR_BOTH],
  ["a new configuration for nobody", "config", undefined, EVIL],
];

describe("where the people of a domain sign in", () => {
  it.each(MOVED)("is said of %s", (_name, kind, before, after) => {
    const { warnings, needs } = changing(kind, before, after);
    expect([warnings.map(({ code }) => code), needs]).toEqual([["sign_in_moved"], []]);
    // The hint is the same for each: it stands with the drift below.
    expect(sentencesOf(warnings.map(({ message }) => ({ message })))).toMatchSnapshot();
  });

  it.each(STAYS)("is not said of %s", (_name, kind, before, after) => {
    expect(changing(kind, before, after).warnings).toEqual([]);
  });

  it("is said without people if the plan has read nobody", () => {
    const { warnings, needs } = changing("domain", SAML, EVIL, { rows: {} });
    expect([warnings.map(({ code }) => code), needs]).toEqual([["sign_in_moved"], []]);
  });

  it("is said by a drift in the other direction", () => {
    const { warnings } = changing("domain", EVIL, SAML, { purpose: "drift" });
    expect(warnings.map(({ code }) => code)).toEqual(["sign_in_moved"]);
    expect(sentencesOf(warnings)).toMatchSnapshot();
    expect(changing("domain", {}, SAML, { purpose: "drift" }).warnings).toEqual([]);
    expect(changing("domain", EVIL, SAML, { purpose: "acceptance" }).warnings).toEqual([]);
  });
});
