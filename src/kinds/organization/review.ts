/** What a change of an organization does to its people, and what prevents its deletion. */
import type { Change } from "../../model/change.ts";
import type { JsonObject } from "../../model/json.ts";
import type { LiveObject } from "../../model/live.ts";
import { compareNaturally } from "../../model/compare-text.ts";
import { firstOf, plural } from "../../model/plural.ts";
import { visible } from "../../model/quote.ts";
import type { Review, ReviewWarning } from "../kind-parts.ts";
import { ADMIN, OWNER } from "../people/people.ts";

export const organizationReview: Review = {
  needs: (change) => (startsToEnforce(change) ? ["member"] : []),
  warnings: (change, objects, organization) => [
    startsToEnforce(change) ? keptOut(objects("member")) : undefined,
    subscriptionWarning(change, organization),
  ],
};

/** Whether an organization requires two-factor authentication from this plan on. It keeps out those who have none. */
function startsToEnforce({ action, work }: Change): boolean {
  return action === "update" && work?.body["enforce_2fa"] === true;
}

/** More names are only counted. */
const MAX_NAMES = 8;

function keptOut(members: readonly LiveObject[] = []): ReviewWarning | undefined {
  const people = members
    .filter(({ values }) => values["is_2fa_enabled"] === false)
    .toSorted((a, b) => levelOf(b) - levelOf(a) || compareNaturally(a.keys[0] ?? "", b.keys[0] ?? ""));
  if (people.length === 0) return undefined;
  const numberOf = (level: number): number => people.filter((one) => levelOf(one) === level).length;
  const levels = `${plural(numberOf(OWNER), "owner")}, ${plural(numberOf(ADMIN), "admin")}`;
  const count = `${String(people.length)} of ${plural(members.length, "person", "people")}`;
  const names = firstOf(
    people.map(({ keys, id }) => visible(keys[0] ?? id)),
    MAX_NAMES,
  );
  return {
    code: "people_without_2fa",
    message: `enforce_2fa will keep out ${count} without a second factor (${levels}): ${names}`,
    hint: "Have them set it up first: until they do, they can only sign in to do that.",
  };
}

function levelOf({ values: { level } }: LiveObject): number {
  return typeof level === "number" ? level : 0;
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
