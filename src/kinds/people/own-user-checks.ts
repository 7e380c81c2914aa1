/** The user that the API key belongs to: no run takes their access, or that of somebody who may be that user. */
import type { LiveObject } from "../../model/live.ts";
import { visible } from "../../model/text/quote.ts";
import type { Check } from "../check.ts";
import { organizationAt } from "../live-organization.ts";
import type { World } from "../world.ts";
import { loweredMember, membersAt } from "./members.ts";
import { declareSelf, ownUser } from "./own-user.ts";
import { levelOf, levelText } from "./people.ts";

export const ownUserStays: Check = {
  rule: "own_user",
  needsOrganization: ({ action }) => action === "update" || action === "delete",
  inspect: ({ graph, world }) => {
    const self = ownUser(graph, world);
    return (change) => {
      const lowered = loweredMember(change);
      if (lowered === undefined) return undefined;
      // A person without a resource is pruned. The simplest lift is to declare that person.
      const first = change.work.resource === undefined ? "declare it, or " : "";
      if (self !== undefined)
        return lowered.keys[0] === self ? { blocked: { lift: `${first}use the key of another user` } } : undefined;
      const mayBeOwn = ofKeyLevel(world, change.work.scope);
      if (!mayBeOwn(lowered)) return undefined;
      const possible = membersAt(world, change.work.scope).filter(mayBeOwn);
      return { blocked: { lift: `${first}${declareSelf(possible.flatMap(({ keys }) => keys))}` } };
    };
  },
};

/** Who of the members at a scope may be the user of the key: the service shows only the level of that user. */
function ofKeyLevel(world: World, scope: string): (member: LiveObject) => boolean {
  const level = organizationAt(world, scope)?.["membership_level"];
  // Without a level the key's user is not a member (null), or is not shown (undefined) and may be anyone.
  return (member) => level === undefined || level === levelOf(member);
}

/** A false claim would have the run remove its own user. */
export const selfUnproved: Check = {
  ofWholePlan: "plan",
  inspect: ({ graph, world }) => {
    const self = ownUser(graph, world);
    return (change) => {
      const lowered = loweredMember(change);
      if (self === undefined || lowered === undefined || lowered.keys[0] === self) return undefined;
      if (!ofKeyLevel(world, change.work.scope)(lowered)) return undefined;
      const message = `only service.self says that the API key is that of ${visible(self)}. If it is that of a person removed or lowered here, the run ends its own access`;
      const hint = `Then another ${levelText(levelOf(lowered))} has to give it back: make sure whose key this is.`;
      return { warnings: [{ code: "self_unproved", message, hint }] };
    };
  },
};

export const ownPerson: Check = {
  inspect: ({ graph, world }) => {
    const self = ownUser(graph, world);
    return ({ work: { live, key } }) =>
      self !== undefined && (live?.keys[0] ?? key) === self ? { note: "this is you (service.self)" } : undefined;
  },
};
