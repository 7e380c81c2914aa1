/** The owners of an organization: it never loses the last one, and needs more than one. */
import { visible } from "../../model/text/quote.ts";
import type { Check, CheckedPlan } from "../check.ts";
import { loweredMember, membersAt } from "./members.ts";
import { levelOf, OWNER, rightsOf } from "./people.ts";

export const lastOwner: Check = {
  rule: "last_owner",
  inspect: (plan) => {
    const ownersIn = ownersAfter(plan);
    return (change) => {
      const lowered = loweredMember(change);
      // A person whose level is unknown, or is above all known ones, might be the last owner.
      if (lowered === undefined || rightsOf(levelOf(lowered)) < OWNER) return undefined;
      const isOwned = ownersIn(change.work.scope).length > 0;
      return isOwned ? undefined : { blocked: { lift: "make another member an owner first, and apply" } };
    };
  },
};

/** Who of the owners at a scope stays one. An owner whose removal another rule refuses does. */
function ownersAfter({ changes, world }: Pick<CheckedPlan, "changes" | "world">): (scope: string) => readonly string[] {
  const going = changes.filter(({ blocked }) => blocked === null);
  return (scope) => {
    const owners = membersAt(world, scope).filter((one) => levelOf(one) === OWNER);
    const left = new Set(owners.flatMap(({ keys: [key = ""] }) => key));
    for (const other of going) if (other.work?.scope === scope) left.delete(loweredMember(other)?.keys[0] ?? "");
    return [...left];
  };
}

/** Nobody can help an only owner who loses their account. Said once, of the last one who goes. */
export const fewOwners: Check = {
  ofWholePlan: "plan",
  inspect: (plan) => {
    const lost = plan.changes.filter((one) => one.blocked === null && loweredMember(one)?.values["level"] === OWNER);
    const last = new Map(lost.map((one) => [one.work?.scope, one.address]));
    const gained = plan.changes.filter(
      (one) => one.blocked === null && one.action === "update" && one.work?.body["level"] === OWNER,
    );
    const safe = new Set(gained.map(({ work }) => work?.scope));
    const ownersIn = ownersAfter(plan);
    return ({ address, work: { scope } }) => {
      const [owner, ...others] = last.get(scope) === address && !safe.has(scope) ? ownersIn(scope) : [];
      if (owner === undefined || others.length > 0) return undefined;
      const message = `one owner remains: ${visible(owner)}`;
      return { warnings: [{ code: "few_owners", message, hint: "Make another member an owner." }] };
    };
  },
};
