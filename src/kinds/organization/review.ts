/** What a change of an organization does to its people, and what prevents its deletion. */
import { isRemoval } from "../../model/change.ts";
import { visible } from "../../model/quote.ts";
import type { Check } from "../check.ts";
import { organizationAt } from "../live-organization.ts";
import { affectedText, allMembers } from "../people/members.ts";

/** Who has no second factor when it is asked of everybody. */
export const peopleWithoutTwoFactor: Check = {
  ofWholePlan: true,
  look:
    ({ world }) =>
    ({ action, address, work: { body } }) => {
      if (action !== "update" || body["enforce_2fa"] !== true) return undefined;
      const { needs, objects = [] } = allMembers(world, address);
      const without = objects.filter(({ about }) => about?.["is_2fa_enabled"] === false);
      const keptOut = affectedText(without, objects, "without a second factor");
      if (keptOut === undefined) return { needs };
      const message = `enforce_2fa will keep out ${keptOut}`;
      const hint = "Have them set it up first: until they do, they can only sign in to do that.";
      return { needs, warnings: [{ code: "people_without_2fa", message, hint }] };
    },
};

export const personalKeysStop: Check = {
  ofWholePlan: true,
  look:
    () =>
    ({ action, work: { body } }) => {
      if (action !== "update" || body["members_can_use_personal_api_keys"] !== false) return undefined;
      const message = "everybody's personal API keys stop, that of this run as well";
      const hint = "Nothing can be planned or applied with this key afterwards. To undo it, use the web interface.";
      return { warnings: [{ code: "personal_keys_stop", message, hint }] };
    },
};

/** Current service 124: only the service of today asks for a subscription, and no answer shows whether there is one. */
export const subscription: Check = {
  ofWholePlan: true,
  needsOrganization: isRemoval,
  look:
    ({ world }) =>
    ({ action, address, work: { key } }) => {
      const organization = organizationAt(world, address) ?? {};
      if (action !== "delete" || !Object.hasOwn(organization, "enforce_verified_domains")) return undefined;
      const message = `the service refuses to delete ${visible(key ?? address)} while it has an active subscription, and does not show whether it has one`;
      const hint = "If it has a paid plan, cancel that on the billing page of the service first.";
      return { warnings: [{ code: "subscription_blocks_delete", message, hint }] };
    },
};
