/** What a change of an organization does to its people, and what prevents its deletion. */
import { isRemoval, type Change } from "../../model/change.ts";
import { listKey, type LiveObject } from "../../model/live.ts";
import { compareNaturally } from "../../model/compare-text.ts";
import { firstOf, MAX_NAMES, plural } from "../../model/plural.ts";
import { visible } from "../../model/quote.ts";
import { allObjects, type ChangeWarning, type Check } from "../check.ts";
import { organizationAt } from "../live-organization.ts";
import { ADMIN, OWNER } from "../people/people.ts";

export const peopleWithoutTwoFactor: Check = {
  ofWholePlan: true,
  look:
    ({ world }) =>
    (change) => {
      if (!startsToEnforce(change)) return undefined;
      // A plan reads people whole.
      const { needs, objects } = allObjects(
        world,
        change.address,
        "member",
        world.lists.get(listKey(change.address, "member")),
      );
      return { needs, warnings: [keptOut(objects)] };
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

/** Whether an organization requires two-factor authentication from this plan on. It keeps out those who have none. */
function startsToEnforce({ action, work }: Change): boolean {
  return action === "update" && work?.body["enforce_2fa"] === true;
}

function keptOut(members: readonly LiveObject[] = []): ChangeWarning | undefined {
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
