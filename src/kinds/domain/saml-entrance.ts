/** A domain that enforces SAML keeps out its people until they have an identity provider: its own settings, or a configuration. */
import type { Value } from "../../model/json.ts";
import type { Entrance } from "../kind-parts.ts";

const OWN_SETTINGS = ["saml_entity_id", "saml_acs_url", "saml_x509_cert"];

export const samlEntrance: Entrance = {
  isNeeded: (values) =>
    values["sso_enforcement"] === "saml" &&
    !OWN_SETTINGS.every((field) => isSet(values[field])) &&
    // A service that does not show these settings may show that they are complete.
    !(values["has_saml"] === true && !OWN_SETTINGS.some((field) => Object.hasOwn(values, field))),
  openedBy: "identity_provider_config",
  // Current service 145: without a scope, a configuration is for the domains that it names.
  opened: ({ config_scope, domain_scope, organization_domain_ids: ids, saml_x509_cert }) => {
    if (config_scope !== "saml" || !isSet(saml_x509_cert)) return [];
    if (domain_scope === "all") return "all";
    return Array.isArray(ids) ? ids.map((id) => String(id).toLowerCase()) : [];
  },
  remedy:
    "declare its identity provider: all saml_* of the domain, or an identity_provider_config with config_scope: saml, a certificate, and the domain",
};

function isSet(value: Value | undefined): boolean {
  return typeof value === "string" ? value.trim() !== "" : (value ?? null) !== null;
}
