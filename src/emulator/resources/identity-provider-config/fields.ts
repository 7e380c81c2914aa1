import {
  choice,
  flag,
  list,
  nullable,
  readFields,
  required,
  text,
  uuid,
  type Fields,
  type Values,
} from "../../http/fields.ts";
import { configTable, type IdentityProviderConfig } from "./record.ts";
import { domainTable } from "../domain/record.ts";
import { hasFeature } from "../../deployed/plan-limits.ts";
import { invalid } from "../../http/errors.ts";
import { objectBody } from "../../http/body.ts";
import type { Authenticated } from "../../http/call.ts";
import type { Organization } from "../organization/record.ts";
import type { Service } from "../../service.ts";

const url = nullable(text({ max: 512, blank: true }));

/** Fact 145: the writable fields. */
const FIELDS = {
  name: required(text()),
  domain_scope: nullable(choice(["all", "selected", ""])),
  config_scope: nullable(choice(["saml", "scim", "xaa", ""])),
  organization_domain_ids: list(uuid()),
  saml_entity_id: nullable(text({ max: 512, blank: true })),
  saml_acs_url: url,
  saml_x509_cert: nullable(text({ blank: true })),
  scim_enabled: flag(),
  id_jag_issuer_url: url,
  id_jag_jwks_url: url,
  id_jag_allowed_clients: list(text({ max: 256 })),
} satisfies Fields;

type SentConfig = Values<typeof FIELDS>;

const URLS = ["saml_acs_url", "id_jag_issuer_url", "id_jag_jwks_url"] as const;
const INTERNAL = /^https?:\/\/(localhost|127\.|10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|\[?::1)/i;

/** Fact 147: the features of the plan that two fields need. */
const FEATURES = [
  { field: "scim_enabled", feature: "scim", detail: "SCIM provisioning is not available for this organization." },
  { field: "id_jag_issuer_url", feature: "xaa", detail: "XAA (ID-JAG) is not available for this organization." },
] as const;

/** Reads the body of a create or an update. @throws ApiError 400 */
export function readConfig(call: Authenticated, owner: Organization, partial: boolean): SentConfig {
  const sent = readFields(objectBody(call), FIELDS, { lenient: true, partial });
  for (const { field, feature, detail } of FEATURES) {
    const isWanted = (sent[field] ?? false) !== false && sent[field] !== "";
    if (isWanted && !hasFeature(call.service, owner, feature)) throw invalid("feature_not_available", detail, field);
  }
  checkDomains(call.service, owner, sent.organization_domain_ids ?? []);
  return { ...sent, ...normalizedUrls(sent) };
}

/** Fact 148: urls lose blanks and slashes at the end, an empty one is null, and internal addresses are refused. */
function normalizedUrls(sent: SentConfig): Partial<Record<(typeof URLS)[number], string | null>> {
  const given = URLS.flatMap((field) => (sent[field] === undefined ? [] : [[field, sent[field]] as const]));
  const normalized = given.map(([field, value]) => {
    const address = (value ?? "").trim().replace(/\/+$/, "");
    if (INTERNAL.test(address)) throw invalid("invalid_input", `URL is not allowed: ${address}`, field);
    return [field, address === "" ? null : address];
  });
  return Object.fromEntries(normalized);
}

function checkDomains(service: Service, owner: Organization, ids: readonly string[]): void {
  if (ids.every((id) => domainTable(service).get(id)?.organization_id === owner.id)) return;
  throw invalid("invalid_input", "All domains must belong to this organization.", "organization_domain_ids");
}

/** Fact 149: a domain that a configuration names is taken from the other configurations of that scope, without a word. */
export function takeDomains(service: Service, row: IdentityProviderConfig): void {
  const taken = new Set(row.organization_domain_ids);
  for (const other of configTable(service).within(row.organization_id)) {
    const kept = other.organization_domain_ids.filter((id) => !taken.has(id));
    const isRival = other.id !== row.id && other.config_scope === row.config_scope;
    if (!isRival || kept.length === other.organization_domain_ids.length) continue;
    configTable(service).put({ ...other, organization_domain_ids: kept });
  }
}
