/**
 * Who is never removed, given fewer rights or invited again without a word of somebody: the last owner, the user that the API key
 * belongs to, a person who has another address now, and an invite that delegates the set-up.
 */
import type { Change, ChangeWithWork } from "../../model/change.ts";
import { compareNaturally } from "../../model/compare-text.ts";
import type { Value } from "../../model/json.ts";
import { listKey, type LiveObject, type LiveSnapshot } from "../../model/live.ts";
import { visible } from "../../model/quote.ts";
import type { Check } from "../check.ts";
import { organizationAt } from "../live-organization.ts";
import { movedPerson } from "./moved.ts";
import { ownUser } from "./own-user.ts";
import { isMember, mayBeDelegated, OWNER } from "./people.ts";

/** An undeclared invite of an admin stays. */
const keptInvite: Check = {
  rule: "prune",
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
      const { scope } = change.work;
      const level = organizationAt(world, scope)?.["membership_level"];
      // Without a level the key's user is not a member (null), or is not shown (undefined) and may be anyone.
      if (level !== undefined && level !== levelOf(lowered)) return undefined;
      const possible = membersAt(world, scope).filter((one) => level === undefined || levelOf(one) === level);
      const emails = [...new Set(possible.flatMap(({ keys }) => keys))].toSorted(compareNaturally);
      const who = emails.length > MAX_EMAILS ? "" : ` (${visible(emails.join(" or "))})`;
      const remedy = `${first}set service.self in the configuration to the e-mail of the user whose API key this is${who}`;
      return { blocked: { remedy: `${remedy}: service: { self: E-MAIL }` } };
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

/** More people than this are not listed. */
const MAX_EMAILS = 5;

const lastOwner: Check = {
  rule: "last_owner",
  look: ({ changes, world }) => {
    // An owner whose removal another rule refuses stays.
    const going = changes.filter(({ blocked }) => blocked === null);
    return (change) => {
      const lowered = loweredMember(change);
      const level = lowered && levelOf(lowered);
      // A person whose level is unknown, or is above all known ones, might be the last owner.
      if (lowered === undefined || (typeof level === "number" && level < OWNER)) return undefined;
      const { scope } = change.work;
      const owners = membersAt(world, scope).filter((one) => levelOf(one) === OWNER);
      const left = new Set(owners.map(({ keys }) => keys[0]));
      for (const other of going) if (other.work?.scope === scope) left.delete(loweredMember(other)?.keys[0]);
      return left.size > 0 ? undefined : { blocked: { remedy: "make another member an owner first, and apply" } };
    };
  },
};

/** The member that a change removes from the organization, or gives a lower level. */
function loweredMember({ action, work }: Change): LiveObject | undefined {
  const { live, body } = work ?? {};
  if (live === undefined || !isMember(live)) return undefined;
  if (action === "delete") return live;
  const [level, after] = [levelOf(live), body?.["level"]];
  // A body without a level does not change it. An unknown level may be any.
  return typeof after === "number" && !(typeof level === "number" && level < after) ? live : undefined;
}

function membersAt({ lists }: LiveSnapshot, scope: string): readonly LiveObject[] {
  const listed = (["member", "membership"] as const).flatMap((kind) => lists.get(listKey(scope, kind))?.objects ?? []);
  return listed.filter(isMember);
}

function levelOf({ values }: LiveObject): Value | undefined {
  return values["level"];
}

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
  leftExpired,
  ownPerson,
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
