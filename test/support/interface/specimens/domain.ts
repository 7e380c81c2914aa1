import { fieldsOf } from "../../organizations.ts";
import { blank, exact, lowerCase, type Specimen } from "../specimen.ts";

const notDeployed = "needs a verified domain";

/** SAML moved to the configurations of identity providers, and a name stays. */
const current: Specimen["current"] = {
  create: { domain: "acme.com" },
  afterCreate: { is_verified: true, verified_at: "2026-01-01T00:00:00Z" },
  fields: { jit_provisioning_enabled: exact(true), sso_enforcement: blank("google-oauth2") },
  edit: { field: "sso_enforcement", value: "github" },
};

export const domain: Specimen = {
  current,
  scopes: ["organization"],
  collection: "domains",
  created: "domain",
  stored: ["domain"],
  fields: {
    domain: lowerCase("acme.org", "acme.com", "ACME.com", " acme.com"),
    jit_provisioning_enabled: { ...exact(true), notDeployed },
    sso_enforcement: { ...blank("google-oauth2"), notDeployed },
    saml_entity_id: blank("urn:Acme"),
    saml_acs_url: blank("https://acme.com/ACS"),
    saml_x509_cert: blank("MIIB"),
  },
  readOnly: "id is_verified verified_at verification_challenge has_saml",
  arbitrary: fieldsOf.domain,
  key: "corp",
  create: { domain: "acme.com" },
  edit: { field: "saml_entity_id", value: "urn:other" },
  required: (name) => ({ domain: `${name}.com` }),
  fresh: (name) => ({ domain: `${name}.com` }),
  live: { jit_provisioning_enabled: false, is_verified: true, verified_at: "2026-01-01T00:00:00Z" },
  watched: "jit_provisioning_enabled",
};
