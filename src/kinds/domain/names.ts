import type { JsonObject } from "../../model/json.ts";

/**
 * Whether a service ignores a new name of a domain: today's does, and its domains have no SAML settings. Earlier ones show these in
 * every row, empty or not.
 */
export function keepsNames(live: JsonObject): boolean {
  return !Object.hasOwn(live, "saml_entity_id");
}
