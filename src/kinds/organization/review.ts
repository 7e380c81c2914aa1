/** What a change of an organization does to its owners, and what prevents its deletion. */
import type { Change } from "../../model/change.ts";
import type { JsonObject } from "../../model/json.ts";
import type { LiveObject } from "../../model/live.ts";
import { visible } from "../../model/quote.ts";
import type { Review, ReviewWarning } from "../kind-parts.ts";
import { OWNER } from "../people.ts";

export const organizationReview: Review = {
  needs: (change) => (startsToEnforce(change) ? ["member"] : []),
  warnings: (change, objects, organization) => [
    startsToEnforce(change) ? ownersKeptOut(objects("member")) : undefined,
    subscriptionWarning(change, organization),
  ],
};

/** Whether an organization requires two-factor authentication from this plan on. It keeps out those who have none. */
function startsToEnforce({ action, work }: Change): boolean {
  return action === "update" && work?.body["enforce_2fa"] === true;
}

function ownersKeptOut(members: readonly LiveObject[] = []): ReviewWarning | undefined {
  const owners = members.filter(({ values }) => values["level"] === OWNER && values["is_2fa_enabled"] === false);
  if (owners.length === 0) return undefined;
  const names = owners.map(({ keys }) => keys[0]).join(", ");
  return {
    code: "owners_without_2fa",
    message: `enforce_2fa will keep out owners who have no second factor: ${names}`,
    hint: "Have them set it up first: until they do, they can only sign in to do that.",
  };
}

/** Current service 124: only the service of today asks for a subscription, and no answer shows whether there is one. */
function subscriptionWarning({ action, address, work }: Change, organization: JsonObject): ReviewWarning | undefined {
  if (action !== "delete" || !Object.hasOwn(organization, "enforce_verified_domains")) return undefined;
  const name = visible(work?.key ?? address);
  return {
    code: "subscription_blocks_delete",
    message: `the service refuses to delete ${name} while it has an active subscription, and does not show whether it has one`,
    hint: "If it has a paid plan, cancel that on the billing page of the service first.",
  };
}
