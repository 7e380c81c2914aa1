/**
 * Who is never removed, given fewer rights or invited again without a word of somebody: the last owner, the user that the API key
 * belongs to, a person who has another address now, and an invite that delegates the set-up.
 */
import type { Change, ChangeWithWork } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Value, ValueObject } from "../../model/json.ts";
import { listKey, type LiveObject, type LiveSnapshot } from "../../model/live.ts";
import { visible } from "../../model/quote.ts";
import type { Check, CheckedPlan } from "../check.ts";
import { organizationAt } from "../live-organization.ts";
import type { World } from "../world.ts";
import { movedPerson } from "./moved.ts";
import { addressDomain, lookAlikeDomains } from "./look-alikes.ts";
import { declaredDomains, ownDomains } from "./own-domains.ts";
import { declareSelf, ownUser } from "./own-user.ts";
import { ADMIN, isMember, isOfPeople, levelText, mayBeDelegated, OWNER, rightsOf } from "./people.ts";
import { ignoredLevel } from "./protection.ts";

/** An undeclared invite of an admin stays. */
const keptInvite: Check = {
  rule: "delegated",
  look:
    ({ world }) =>
    ({ work: { live, resource, scope } }) => {
      if (resource !== undefined || live === undefined) return undefined;
      const remedy = mayBeDelegated(live, organizationAt(world, scope) ?? {});
      return remedy === undefined ? undefined : { blocked: { remedy } };
    },
};

const ownUserStays: Check = {
  rule: "own_user",
  needsOrganization: ({ action }) => action === "update" || action === "delete",
  look: ({ graph, world }) => {
    const self = ownUser(graph, world);
    return (change) => {
      const lowered = loweredMember(change);
      if (lowered === undefined) return undefined;
      // A person without a resource is pruned. The simplest remedy is to declare that person.
      const first = change.work.resource === undefined ? "declare it, or " : "";
      if (self !== undefined)
        return lowered.keys[0] === self ? { blocked: { remedy: `${first}use the key of another user` } } : undefined;
      const mayBeOwn = ofKeyLevel(world, change.work.scope);
      if (!mayBeOwn(lowered)) return undefined;
      const possible = membersAt(world, change.work.scope).filter(mayBeOwn);
      return { blocked: { remedy: `${first}${declareSelf(possible.flatMap(({ keys }) => keys))}` } };
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
const selfUnproved: Check = {
  ofWholePlan: "plan",
  look: ({ graph, world }) => {
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

const ownPerson: Check = {
  look: ({ graph, world }) => {
    const self = ownUser(graph, world);
    return ({ work: { live, key } }) =>
      self !== undefined && (live?.keys[0] ?? key) === self ? { note: "this is you (service.self)" } : undefined;
  },
};

/** Who is to administer the organization, and needs no second factor to sign in. */
const promotedWithoutFactor: Check = {
  look:
    () =>
    ({ action, work: { live, body } }) =>
      action === "update" && live?.about?.["is_2fa_enabled"] === false && isPromotion(live, body)
        ? { note: "has no second factor" }
        : undefined,
};

/** Who is invited, or is to administer the organization, from elsewhere, as far as the plan has read the domains. */
const outsider: Check = {
  look: ({ graph, world }) => {
    const people = [...world.lists.values()].flatMap(({ objects }) => objects.filter(({ kind }) => isOfPeople(kind)));
    const usualIn = new Map(
      [...groupBy(people, ({ scope }) => scope)].map(([scope, found]) => {
        const emails = new Set(found.flatMap(({ keys }) => keys));
        return [scope, lookAlikeDomains([...emails])] as const;
      }),
    );
    return ({ action, work: { scope, live, key, body } }) => {
      const isNoted = action === "update" ? live !== undefined && isPromotion(live, body) : action === "create";
      const email = live?.keys[0] ?? key;
      if (!isNoted || email === null) return undefined;
      const list = world.lists.get(listKey(scope, "domain"));
      const ours = ownDomains(declaredDomains(graph, scope), list?.status === "known" ? list.objects : []);
      const domain = addressDomain(email, { ours, usualOf: usualIn.get(scope) });
      if (domain === null || domain === "own") return undefined;
      return { note: domain === "outside" ? "outside the domains" : domain };
    };
  },
};

const lastOwner: Check = {
  rule: "last_owner",
  look: (plan) => {
    const ownersIn = ownersAfter(plan);
    return (change) => {
      const lowered = loweredMember(change);
      // A person whose level is unknown, or is above all known ones, might be the last owner.
      if (lowered === undefined || rightsOf(levelOf(lowered)) < OWNER) return undefined;
      const isOwned = ownersIn(change.work.scope).length > 0;
      return isOwned ? undefined : { blocked: { remedy: "make another member an owner first, and apply" } };
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
const fewOwners: Check = {
  ofWholePlan: "plan",
  look: (plan) => {
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

/** The member that a change removes from the organization, or gives a lower level. */
function loweredMember({ action, work }: Change): LiveObject | undefined {
  const { live, body } = work ?? {};
  if (live === undefined || !isMember(live)) return undefined;
  if (action === "delete") return live;
  const { level: after } = body ?? {};
  // A body without a level does not change it.
  return typeof after === "number" && rightsOf(levelOf(live)) >= after ? live : undefined;
}

/** Whether a body gives more rights than a live person has, those of an admin or an owner. */
export function isPromotion({ values: { level } }: LiveObject, { level: after }: ValueObject): boolean {
  return typeof after === "number" && after >= ADMIN && !(typeof level === "number" && level >= after);
}

function membersAt({ lists }: LiveSnapshot, scope: string): readonly LiveObject[] {
  const listed = (["member", "membership"] as const).flatMap((kind) => lists.get(listKey(scope, kind))?.objects ?? []);
  return listed.filter(isMember);
}

function levelOf({ values }: LiveObject): Value | undefined {
  return values["level"];
}

/** Who administers the organization and is left to others: no other report names that person. */
const forgottenRights: Check = {
  ofWholePlan: true,
  look:
    () =>
    ({ address, work: { live, resource } }) => {
      const level = live && levelOf(live);
      const isLow = level === undefined || rightsOf(level) < ADMIN;
      if (resource?.lifecycle.forget !== true || isLow || live?.state === "expired") return undefined;
      const message = `${visible(live?.keys[0] ?? address)} has the level ${levelText(level)} and is left to others (lifecycle.forget), so nothing watches it`;
      return {
        warnings: [{ code: "protection_off", message, hint: "Declare the level in the place of lifecycle.forget." }],
      };
    },
};

const leftExpired: Check = {
  look: () => (change) =>
    isLeftExpired(change) ? { warnings: [{ code: "invite_expired", message: change.reason }] } : undefined,
};

/** Whether a change leaves an expired invite alone. */
function isLeftExpired({ action, work: { live, resource } }: ChangeWithWork): boolean {
  return action === "no_op" && live?.state === "expired" && resource?.lifecycle.forget !== true;
}

/** What all kinds of people are checked for. */
export const PEOPLE_CHECKS: readonly Check[] = [
  keptInvite,
  movedPerson,
  ownUserStays,
  lastOwner,
  selfUnproved,
  fewOwners,
  leftExpired,
  ignoredLevel,
  forgottenRights,
  ownPerson,
  promotedWithoutFactor,
  outsider,
];

/**
 * A plan shows an expired invite as a replace that is blocked: the person is not where the configuration says. A declared invite still
 * exists when it has expired.
 */
export const expiredInvite: Check = {
  rule: "expired",
  ofWholePlan: true,
  look: () => (change) =>
    isLeftExpired(change)
      ? { action: "replace", blocked: { remedy: "declare lifecycle.renew: true, which sends a new invite" } }
      : undefined,
};
