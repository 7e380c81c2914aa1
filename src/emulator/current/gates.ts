import { denied, deniedWith, type ApiError } from "../http/errors.ts";
import { domainTable } from "../resources/domain/record.ts";
import { membershipOf } from "../resources/member/record.ts";
import type { Authenticated } from "../http/call.ts";
import type { Organization } from "../resources/organization/record.ts";
import type { Service } from "../service.ts";

const ADMIN = 8;
/** The mark that the MCP server of the vendor leaves in its requests. */
const MCP_CLIENT = /posthog[-/ ]mcp/i;

/** A reason to refuse every request for an organization and its objects. */
interface Gate {
  readonly fact: number;
  readonly refusal: (call: Authenticated, organization: Organization) => ApiError | undefined;
}

/** The gates in the order in which a request meets them. Each row is one fact. */
const GATES: readonly Gate[] = [
  {
    fact: 127,
    refusal(_call, { is_active, is_not_active_reason: reason }) {
      if (is_active !== false) return undefined;
      const detail = "Your organization has been deactivated.";
      return denied(typeof reason === "string" && reason !== "" ? `${detail} ${reason}` : detail);
    },
  },
  {
    fact: 126,
    refusal: (_call, { is_pending_deletion }) =>
      is_pending_deletion === true ? denied("Your organization is being deleted.") : undefined,
  },
  {
    fact: 128,
    refusal(call, organization) {
      if (isAdmitted(call.service, organization, call.user.email)) return undefined;
      const detail =
        "Your organization only allows members with a verified email domain. Contact your organization's admin for access.";
      return deniedWith("verified_domain_required", detail);
    },
  },
  {
    fact: 114,
    refusal(call, { id, name, members_can_use_personal_api_keys: isAllowed }) {
      if (isAllowed !== false || isAdminOf(call, id)) return undefined;
      const detail = `Organization '${name}' does not allow using personal API keys.`;
      return denied(`${detail} Contact an admin to enable personal API keys for this organization.`);
    },
  },
  {
    fact: 132,
    refusal({ method, userAgent }, { read_only_mcp_access }) {
      if (read_only_mcp_access !== true || method === "GET" || !MCP_CLIENT.test(userAgent)) return undefined;
      return denied("Access through MCP is read-only in this organization.");
    },
  },
];

/**
 * Refuses a request for an organization or its objects, in the `current` dialect.
 * @param open the facts whose gate lets this request pass
 * @throws ApiError 403
 */
export function checkGates(call: Authenticated, organization: Organization, open: readonly number[] = []): void {
  if (!call.service.current) return;
  for (const { fact, refusal } of GATES) {
    const refused = open.includes(fact) ? undefined : refusal(call, organization);
    if (refused !== undefined) throw refused;
  }
}

/**
 * Fact 129: a change of the organization itself by an admin passes the gate of verified domains, so that the setting can be
 * turned off. Nothing else may be changed in that state.
 * @throws ApiError 403
 */
export function checkGatesOfChange(call: Authenticated, organization: Organization, sent: readonly string[]): void {
  const isWayOut =
    isAdminOf(call, organization.id) && sent.length > 0 && sent.every((field) => field === "enforce_verified_domains");
  checkGates(call, organization, isWayOut ? [128] : []);
}

function isAdminOf({ service, user }: Authenticated, organization: string): boolean {
  return (membershipOf(service, organization, user)?.level ?? 0) >= ADMIN;
}

/** Reports whether the verified domains of an organization admit an address. Without enforcement every address is admitted. */
export function isAdmitted(service: Service, organization: Organization, address: string): boolean {
  return organization.enforce_verified_domains !== true || isInVerifiedDomain(service, organization.id, address);
}

/** Reports whether an address is in a verified domain of an organization. */
export function isInVerifiedDomain(service: Service, organization: string, address: string): boolean {
  const name = address.slice(address.lastIndexOf("@") + 1).toLowerCase();
  return domainTable(service)
    .within(organization)
    .some((row) => row.is_verified && row.domain === name);
}
