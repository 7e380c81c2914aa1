import { defineTable, type Row } from "../../store/table.ts";
import { stamp } from "../../store/time.ts";
import type { Service } from "../../service.ts";

/** How people of an organization log in through an identity provider. */
export interface IdentityProviderConfig extends Row {
  readonly id: string;
  readonly organization_id: string;
  readonly name: string;
  readonly domain_scope: string | null;
  readonly config_scope: string | null;
  readonly organization_domain_ids: readonly string[];
  readonly saml_entity_id: string | null;
  readonly saml_acs_url: string | null;
  readonly saml_x509_cert: string | null;
  readonly saml_relay_state: string;
  readonly scim_enabled: boolean;
  readonly id_jag_issuer_url: string | null;
  readonly id_jag_jwks_url: string | null;
  readonly id_jag_allowed_clients: readonly string[];
  readonly created_at: string;
  readonly updated_at: string;
}

/** The configurations, by organization. */
export const configTable = defineTable<IdentityProviderConfig>((row) => row.organization_id);

/** Adds a configuration to an organization. */
export function makeConfig(
  service: Service,
  organizationId: string,
  values: Partial<IdentityProviderConfig>,
): IdentityProviderConfig {
  const at = stamp(service.now());
  return configTable(service).put({
    id: service.ids.uuid(),
    name: "",
    domain_scope: null,
    config_scope: null,
    organization_domain_ids: [],
    saml_entity_id: null,
    saml_acs_url: null,
    saml_x509_cert: null,
    saml_relay_state: service.ids.uuid(),
    scim_enabled: false,
    id_jag_issuer_url: null,
    id_jag_jwks_url: null,
    id_jag_allowed_clients: [],
    created_at: at,
    updated_at: at,
    ...values,
    organization_id: organizationId,
  });
}

/** Facts 145 and 146: renders a configuration. `token` is the secret that only this answer shows. */
export function renderConfig(row: IdentityProviderConfig, origin: string, token: string | null = null): object {
  const { organization_id: _organization, overrides, ...fields } = row;
  const scim_base_url = `${origin}/scim/v2/${row.id}`;
  return { ...fields, ...presenceOf(row), scim_base_url, scim_bearer_token: token, ...overrides };
}

/** Fact 138: what a domain said about its configuration while it still had a link to one. */
export function renderConfigLink(row: IdentityProviderConfig | undefined): object {
  const none = { has_saml: false, has_scim: false, has_id_jag: false };
  return { ...(row === undefined ? none : presenceOf(row)), identity_provider_config: row?.id ?? null };
}

function presenceOf(row: IdentityProviderConfig): { has_saml: boolean; has_scim: boolean; has_id_jag: boolean } {
  const saml = [row.saml_entity_id, row.saml_acs_url, row.saml_x509_cert];
  return {
    has_saml: saml.every((value) => value !== null && value !== ""),
    has_scim: row.scim_enabled,
    has_id_jag: row.id_jag_issuer_url !== null,
  };
}
