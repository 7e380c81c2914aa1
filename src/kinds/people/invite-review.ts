/** What today's service refuses about an address, said before anything is sent. */
import { isRemoval } from "../../model/change.ts";
import type { JsonObject } from "../../model/json/json.ts";
import type { LiveObject } from "../../model/live.ts";
import { visible } from "../../model/text/quote.ts";
import { allObjects, type ChangeWarning, type Check } from "../check.ts";
import { organizationAt } from "../live-organization.ts";
import { enforcesDomains } from "../service-signs.ts";
import { admits } from "./people.ts";

export const refusedAddress: Check = {
  ofWholePlan: "plan",
  needsOrganization: isRemoval,
  inspect:
    ({ world }) =>
    ({ action, work: { scope, key: email } }) => {
      if ((action !== "create" && action !== "replace") || email === null) return undefined;
      const organization = organizationAt(world, scope) ?? {};
      if (organization["enforce_verified_domains"] !== true) return { warnings: [withPlus(email, organization)] };
      const { needs, objects } = allObjects(world, scope, "domain");
      return { needs, warnings: [outsiderWarning(email, objects), withPlus(email, organization)] };
    },
};

/** Current service 155. If the domains could not be read, the answer of the service decides. */
function outsiderWarning(email: string, domains: readonly LiveObject[] | undefined): ChangeWarning | undefined {
  if (domains === undefined || domains.some((domain) => admits(domain, email))) return undefined;
  const message = `the service will refuse to invite ${visible(email)}, which is in no verified domain`;
  return {
    code: "outside_verified_domains",
    message,
    hint: "Verify its domain first, or turn off enforce_verified_domains.",
  };
}

/** Current service 156: not certain, and only of the service that has this setting. */
function withPlus(email: string, organization: JsonObject): ChangeWarning | undefined {
  if (!email.includes("+") || !enforcesDomains(organization)) return undefined;
  const message = `the service may refuse to invite ${visible(email)}, because of the plus sign`;
  return { code: "plus_address", message, hint: "If it does, declare another address of the person." };
}
