import { configTable, renderConfigLink } from "../identity-provider-config/record.ts";
import { denied, invalid } from "../../http/errors.ts";
import { flag, nullable, required, text, uuid, type Fields, type Values } from "../../http/fields.ts";
import { hasFeature } from "../../deployed/plan-limits.ts";
import { page } from "../../http/page.ts";
import type { Answer, Authenticated } from "../../http/call.ts";
import type { Domain } from "./record.ts";
import type { Organization } from "../organization/record.ts";
import type { Service } from "../../service.ts";

const PROVISIONING = "automatic_provisioning";
const PROVISIONING_MISSING = "Automatic provisioning is not enabled for this organization.";

const LINK = { identity_provider_config: nullable(uuid()) } satisfies Fields;
/** Fact 139: the fields of a create. The two that need a verified domain are dropped then. */
const CREATE_FIELDS = { domain: required(text({ max: 128 })), ...LINK } satisfies Fields;
/** Facts 139 and 140: the fields of an update. A new name is ignored silently. */
const UPDATE_FIELDS = {
  jit_provisioning_enabled: flag(),
  sso_enforcement: text({ max: 28, blank: true }),
  ...LINK,
} satisfies Fields;

/** Returns the writable fields of a create or an update. The link is one of them only where domains have it (138). */
export function currentDomainFields(
  service: Service,
  isCreate: boolean,
): Partial<typeof CREATE_FIELDS & typeof UPDATE_FIELDS> {
  const fields = isCreate ? CREATE_FIELDS : UPDATE_FIELDS;
  if (service.switches.domain_links) return fields;
  const { identity_provider_config: _link, ...others } = fields;
  return others;
}

/** Fact 141: refuses a create on the vendor's cloud without the feature. @throws ApiError 403 */
export function checkCloudCreate({ service }: Authenticated, owner: Organization): void {
  if (service.switches.cloud && !hasFeature(service, owner, PROVISIONING)) throw denied(PROVISIONING_MISSING);
}

/** Fact 141: refuses provisioning without the feature, and the configuration of another organization. @throws ApiError 400 */
export function checkCurrentValues(service: Service, owner: Organization, sent: Values<typeof UPDATE_FIELDS>): void {
  if (sent.jit_provisioning_enabled === true && !hasFeature(service, owner, PROVISIONING)) {
    throw invalid("feature_not_available", PROVISIONING_MISSING, "jit_provisioning_enabled");
  }
  const link = sent.identity_provider_config ?? null;
  if (link !== null && configTable(service).get(link)?.organization_id !== owner.id) {
    const detail = `Invalid pk "${link}" - object does not exist.`;
    throw invalid("does_not_exist", detail, "identity_provider_config");
  }
}

/** Facts 138 and 142: the eight fields of a domain, and the four that are gone or not, depending on the server's age. */
export function renderCurrentDomain(service: Service, row: Domain): object {
  const shown = {
    id: row.id,
    domain: row.domain,
    is_verified: row.is_verified,
    verified_at: row.verified_at,
    verification_challenge: row.verification_challenge,
    jit_provisioning_enabled: row.jit_provisioning_enabled,
    sso_enforcement: row.sso_enforcement,
    scim_base_url: null,
  };
  const link = row.identity_provider_config ?? null;
  const linked = link === null ? undefined : configTable(service).get(link);
  return { ...shown, ...(service.switches.domain_links ? renderConfigLink(linked) : {}), ...row.overrides };
}

/** Fact 142: the log of SCIM requests. The emulator has no SCIM, so it is empty. */
export function scimLogs(call: Authenticated): Answer {
  return page(call, [], (row: object) => row);
}
