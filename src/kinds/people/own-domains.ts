/** Which domains an organization has, and who is in none of them. */
import type { LiveObject } from "../../model/live.ts";
import { type DesiredGraph, isWanted } from "../../model/resource.ts";
import { caselessKey } from "../keys.ts";
import { isOfDomain } from "./people.ts";

/** The domains that the files declare in an organization. @param scope its address */
export function declaredDomains({ resources }: DesiredGraph, scope: string): readonly string[] {
  const domains = resources.filter((one) => one.scope === scope && one.kind === "domain" && isWanted(one.lifecycle));
  return domains.flatMap(({ values }) => caselessKey(values["domain"]));
}

/** The domains of an organization: those that it declares, because anybody may verify one. Only if it declares none, the verified ones. */
export function ownDomains(
  declared: readonly string[],
  live: readonly Pick<LiveObject, "keys" | "values">[],
): readonly string[] {
  if (declared.length > 0) return declared;
  return live.flatMap(({ keys, values }) => (values["is_verified"] === true ? keys : []));
}

/** Whether an address is outside the domains of an organization. If it has no domains, no address is. */
export function isOutside(domains: readonly string[], email: string): boolean {
  return domains.length > 0 && !domains.some((domain) => isOfDomain(email, domain));
}
