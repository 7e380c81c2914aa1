/** What a change of an organization does to its people, and what prevents its deletion. */
import { isRemoval } from "../../model/change.ts";
import { visible } from "../../model/text/quote.ts";
import type { Check } from "../check.ts";
import { organizationAt } from "../live-organization.ts";
import { enforcesDomains } from "../service-signs.ts";
import { affectedText, remainingMembers } from "../people/members.ts";
import { ADMIN, rightsOf } from "../people/people.ts";

/** Who has no second factor when it is asked of everybody. */
export const peopleWithoutTwoFactor: Check = {
  ofWholePlan: "plan",
  inspect:
    (plan) =>
    ({ action, address, work: { body } }) => {
      if (action !== "update" || body["enforce_2fa"] !== true) return undefined;
      const { needs, objects = [] } = remainingMembers(plan, address);
      const without = objects.filter(({ about }) => about?.["is_2fa_enabled"] === false);
      const keptOut = affectedText(without, objects, "without a second factor");
      if (keptOut === undefined) return { needs };
      const message = `enforce_2fa will keep out ${keptOut}`;
      const hint = "Have them set it up first: until they do, they can only sign in to do that.";
      return { needs, warnings: [{ code: "people_without_2fa", field: "enforce_2fa", message, hint }] };
    },
};

/**
 * Stops the keys of people below an admin (server facts, the answers with 403), who are named as far as the plan has read them. Such a
 * key can plan, but not apply, this change.
 */
export const personalKeysStop: Check = {
  ofWholePlan: "plan",
  inspect:
    (plan) =>
    ({ action, address, work: { body } }) => {
      const field = "members_can_use_personal_api_keys";
      if (action !== "update" || body[field] !== false) return undefined;
      const level = organizationAt(plan.world, address)?.["membership_level"];
      const own = rightsOf(level) < ADMIN ? ", that of this run as well" : "";
      const { objects = [] } = remainingMembers(plan, address);
      const plain = objects.filter(({ values: { level: theirs } }) => rightsOf(theirs) < ADMIN);
      const who = affectedText(plain, objects, "who are plain members");
      const message = `the personal API keys of plain members stop${own}${who === undefined ? "" : `. It concerns ${who}`}`;
      const hint = "Those of admins and owners go on. Give every pipeline a key of one of them first.";
      return { warnings: [{ code: "personal_keys_stop", field, message, hint }] };
    },
};

/** Current service 124: only the service of today asks for a subscription, and no answer shows whether there is one. */
export const subscription: Check = {
  ofWholePlan: "plan",
  needsOrganization: isRemoval,
  inspect:
    ({ world }) =>
    ({ action, address, work: { key } }) => {
      const organization = organizationAt(world, address) ?? {};
      if (action !== "delete" || !enforcesDomains(organization)) return undefined;
      const message = `the service refuses to delete ${visible(key ?? address)} while it has an active subscription, and does not show whether it has one`;
      const hint = "If it has a paid plan, cancel that on the billing page of the service first.";
      return { warnings: [{ code: "subscription_blocks_delete", message, hint }] };
    },
};
