/**
 * The signs by which driftline recognizes a service. No service says whether it follows the interface document, is a deployed server,
 * or is one of today. This file has each sign that a row can show, and what the sign means. What routes do differently is in
 * src/api/operations/server-quirks.ts, and fields that only some services have are in varying-fields.ts.
 */
import type { JsonObject } from "../model/json/json.ts";
import type { LiveWorld } from "../model/live.ts";
import { organizationAt } from "./live-organization.ts";
import { takenAt } from "./varying-fields.ts";

/** Whether the organization at a scope shows that its service is a deployed server. The interface document shows a text. */
export function isDeployedAt(world: LiveWorld, scope: string): boolean {
  return typeof organizationAt(world, scope)?.["member_count"] === "number";
}

/** Whether an organization is of a service of today. Only these can keep people of other domains out. */
export function enforcesDomains(organization: JsonObject): boolean {
  return Object.hasOwn(organization, "enforce_verified_domains");
}

/**
 * Whether a service ignores a new name of a domain: today's does, and its domains have no SAML settings. Earlier ones show these in
 * every row, empty or not. The state of a program is no row, and shows nothing about its service.
 */
export function keepsNames(domain: JsonObject): boolean {
  return Object.hasOwn(domain, "is_verified") && !Object.hasOwn(domain, "saml_entity_id");
}

/**
 * Whether the service of an invite takes `send_email`. One whose rows have the projects of an invite, even empty ones, does: it got
 * both at once. Interface: OrganizationInvite. Current service 150, 152.
 */
export function takesQuietInvites(invite: JsonObject): boolean {
  return Object.hasOwn(invite, "private_project_access");
}

/** Whether the service of an export has time zones and offsets. Current service 187 and 188. */
export function isTimed(batchExport: JsonObject): boolean {
  return Object.hasOwn(batchExport, "timezone") || Object.hasOwn(batchExport, "offset_day");
}

/** Whether a service has all of today's rules for destinations: it takes keys for rows, its latest addition. */
export function hasDestinationRules(world: LiveWorld, scope: string): boolean {
  return takenAt(world, scope, "batch_export")?.has("/primary_key") === true;
}

/** A key of every insight of today's service, and of no other. Nothing is searched for, so it is always null. */
export const ONLY_TODAY = "search_match_type";
