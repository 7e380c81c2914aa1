/**
 * Requiring two-factor authentication locks out members who have none. The owners among them are named in a warning.
 */
import type { Change } from "../../model/change.ts";
import type { LiveObject } from "../../model/live.ts";
import type { Review } from "../facts.ts";
import { OWNER } from "../people.ts";

/** Looks at the members of an organization that requires two-factor authentication from this plan on. */
export const twoFactorReview: Review = {
  needs: (change) => (startsToEnforce(change) ? ["member"] : []),
  warnings: (change, objects) => {
    const owners = startsToEnforce(change) ? objects("member").filter(lacksSecondFactor) : [];
    if (owners.length === 0) return [];
    const { address, work } = change;
    const names = owners.map(({ keys }) => keys[0]).join(", ");
    return [
      {
        severity: "warning",
        code: "owners_without_2fa",
        message: `enforce_2fa will keep out owners who have no second factor: ${names}`,
        hint: "Have them set it up first: until they do, they can only sign in to do that.",
        address,
        ...work?.resource?.position,
      },
    ];
  },
};

function startsToEnforce({ action, work }: Change): boolean {
  return action === "update" && work?.body["enforce_2fa"] === true;
}

function lacksSecondFactor({ values }: LiveObject): boolean {
  return values["level"] === OWNER && values["is_2fa_enabled"] === false;
}
