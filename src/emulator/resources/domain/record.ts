import { defineTable, type Row } from "../../store/table.ts";
import type { Service } from "../../service.ts";

/** A domain of an organization. `has_saml` is computed when it is rendered. */
export interface Domain extends Row {
  readonly id: string;
  readonly organization_id: string;
  readonly domain: string;
  readonly is_verified: boolean;
  readonly verified_at: string | null;
  readonly verification_challenge: string;
  readonly jit_provisioning_enabled: boolean;
  readonly sso_enforcement: string;
  readonly saml_entity_id: string | null;
  readonly saml_acs_url: string | null;
  readonly saml_x509_cert: string | null;
  /** Only the `current` dialect has it, and only while it is switched on. */
  readonly identity_provider_config?: string | null;
}

/** The domains, by organization. */
export const domainTable = defineTable<Domain>((row) => row.organization_id);

/** Adds a domain to an organization. */
export function makeDomain(service: Service, organizationId: string, values: Partial<Domain>): Domain {
  return domainTable(service).put({
    id: service.ids.uuid(),
    domain: "",
    is_verified: false,
    verified_at: null,
    verification_challenge: service.ids.token(43),
    jit_provisioning_enabled: false,
    sso_enforcement: "",
    saml_entity_id: null,
    saml_acs_url: null,
    saml_x509_cert: null,
    ...values,
    organization_id: organizationId,
  });
}

/** Renders a domain like the service. */
export function renderDomain(row: Domain): object {
  const { organization_id: _organization, overrides, ...fields } = row;
  const saml = [row.saml_entity_id, row.saml_acs_url, row.saml_x509_cert];
  return { ...fields, has_saml: saml.every((value) => value !== null && value !== ""), ...overrides };
}
