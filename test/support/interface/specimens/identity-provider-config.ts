import { fieldsOf } from "../../organizations.ts";
import { blank, exact, text, type Field, type Specimen } from "../specimen.ts";

/** The domains that the configuration is for. */
const DOMAINS = ["0190aa11-2b3c-4d5e-8f60-718293a4b5c6", "0190aa11-2b3c-4d5e-8f60-718293a4b5c7"] as const;

/** A URL, without the slashes at its end that the service drops. */
const url = (next: string): Field => ({
  next,
  same: [`${next} `, `${next}/`, `${next}//`],
  hides: ["trimmed", "without_end_slashes", "blank_is_null"],
});

export const identityProviderConfig: Specimen = {
  dialect: "current",
  scopes: ["organization"],
  collection: "identity_provider_configs",
  created: "identity_provider_config",
  stored: ["identity_provider_config"],
  near: DOMAINS.map((id, index) => ["domain", { id, domain: `near-${String(index)}.com` }]),
  fields: {
    name: text("Okta 2"),
    domain_scope: { ...exact("selected"), hides: ["blank_is_null"] },
    config_scope: { ...exact("scim"), hides: ["blank_is_null"] },
    organization_domain_ids: {
      next: [...DOMAINS],
      same: [[...DOMAINS].toReversed(), DOMAINS.map((id) => id.toUpperCase())],
      hides: ["lower_case", "unordered"],
    },
    saml_entity_id: blank("urn:Acme"),
    saml_acs_url: url("https://idp.acme.com/ACS"),
    saml_x509_cert: blank("MIIB"),
    scim_enabled: exact(true),
    id_jag_issuer_url: url("https://idp.acme.com/jag"),
    id_jag_jwks_url: url("https://idp.acme.com/keys"),
    id_jag_allowed_clients: { next: ["agents", "Apps"], same: [["Apps", "agents"]], hides: ["unordered"] },
  },
  readOnly: `id created_at updated_at has_saml saml_relay_state has_scim scim_base_url scim_bearer_token has_id_jag`,
  arbitrary: fieldsOf.identity_provider_config,
  key: "okta",
  create: { name: "Okta", config_scope: "saml" },
  edit: { field: "saml_entity_id", value: "urn:other" },
  required: (name) => ({ name }),
  fresh: (name) => ({ name, saml_entity_id: `urn:${name}` }),
  live: { saml_entity_id: "urn:it" },
  watched: "saml_entity_id",
};
