/** What today's service refuses about an address, said before anything is sent. */
import type { Change } from "../../model/change.ts";
import type { JsonObject } from "../../model/json.ts";
import type { Review } from "../kind-parts.ts";
import { visible } from "../../model/quote.ts";
import { admits } from "./people.ts";

export const inviteReview: Review = {
  needs: (change, organization) => (isEnforced(organization) && invited(change) !== undefined ? ["domain"] : []),
  warnings: (change, objects, organization) => {
    const email = invited(change);
    if (email === undefined) return [];
    return [outside(email, isEnforced(organization) ? objects("domain") : undefined), withPlus(email, organization)];
  },
};

function invited({ action, work }: Change): string | undefined {
  return action === "create" || action === "replace" ? (work?.key ?? undefined) : undefined;
}

function isEnforced({ enforce_verified_domains: isOn }: JsonObject): boolean {
  return isOn === true;
}

/** Current service 155. If the domains could not be read, the answer of the service decides. */
function outside(email: string, domains: ReturnType<Parameters<Review["warnings"]>[1]>) {
  if (domains === undefined || domains.some((domain) => admits(domain, email))) return undefined;
  const message = `the service will refuse to invite ${visible(email)}, which is in no verified domain`;
  return {
    code: "outside_verified_domains",
    message,
    hint: "Verify its domain first, or turn off enforce_verified_domains.",
  };
}

/** Current service 156: not certain, and only of the service that has this setting. */
function withPlus(email: string, organization: JsonObject) {
  if (!email.includes("+") || !Object.hasOwn(organization, "enforce_verified_domains")) return undefined;
  const message = `the service may refuse to invite ${visible(email)}, because of the plus sign`;
  return { code: "plus_address", message, hint: "If it does, declare another address of the person." };
}
