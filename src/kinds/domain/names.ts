import type { JsonObject } from "../../model/json.ts";

/**
 * Whether a service ignores a new name of a domain: today's does, and its domains have no SAML settings. Earlier ones show these in
 * every row, empty or not. The state of a program is no row, and shows nothing about its service.
 */
export function keepsNames(live: JsonObject): boolean {
  return Object.hasOwn(live, "is_verified") && !Object.hasOwn(live, "saml_entity_id");
}
