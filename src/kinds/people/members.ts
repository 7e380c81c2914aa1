/** The members of an organization, and who of them a setting touches. */
import { isReady, type Change } from "../../model/change.ts";
import { compareNaturally } from "../../model/compare-text.ts";
import type { Value } from "../../model/json/json.ts";
import { listKey, type LiveObject, type LiveWorld } from "../../model/live.ts";
import { plural } from "../../model/text/plural.ts";
import { visible } from "../../model/text/quote.ts";
import { allObjects, type CheckedPlan, type Known } from "../check.ts";
import type { World } from "../world.ts";
import { ADMIN, isMember, isOfDomain, isPerson, levelOf, levelWord, OWNER, rightsOf } from "./people.ts";

/** All members at a scope: from a list that the plan has read, which has people whole, else from a list of their own. */
export function allMembers(world: World, scope: string): Known {
  const lists = (["member", "membership"] as const).map((kind) => world.lists.get(listKey(scope, kind)));
  const listed = lists.find((list) => list?.status === "known") ?? lists[0];
  const { objects, ...known } = allObjects(world, scope, "member", listed);
  return { ...known, objects: objects?.filter(isMember) };
}

/** Why an invite is not there any more, or cannot be made. */
export const JOINED = "the person has become a member since the plan was made";

/** Whether an object shows that a person is a member: among invites, a placeholder does. */
export function isMemberOrPlaceholder(live: LiveObject): boolean {
  return live.state === "placeholder" || isMember(live);
}

/** Whether the person of an invite has become a member. */
export function hasJoined(before: LiveObject, now: LiveObject): boolean {
  return !isMemberOrPlaceholder(before) && isMemberOrPlaceholder(now) && before.keys[0] === now.keys[0];
}

export function membersAt({ lists }: LiveWorld, scope: string): readonly LiveObject[] {
  const listed = (["member", "membership"] as const).flatMap((kind) => lists.get(listKey(scope, kind))?.objects ?? []);
  return listed.filter(isMember);
}

/** The member that a change removes from the organization, or gives a lower level. */
export function loweredMember({ action, work }: Change): LiveObject | undefined {
  const { live, body } = work ?? {};
  if (live === undefined || !isMember(live)) return undefined;
  if (action === "delete") return live;
  const { level: after } = body ?? {};
  // A body without a level does not change it.
  return typeof after === "number" && rightsOf(levelOf(live)) >= after ? live : undefined;
}

/** The keys of the people whom a plan removes. */
export function leavingKeys(changes: readonly Change[]): ReadonlySet<string> {
  const leaving = changes.filter((one) => one.action === "delete" && isReady(one) && isPerson(one.kind));
  return new Set(leaving.flatMap(({ work }) => work?.live?.keys ?? []));
}

/** All members at a scope but those whom the plan removes: its settings touch only the others. */
export function remainingMembers({ world, changes }: Pick<CheckedPlan, "world" | "changes">, scope: string): Known {
  const { objects, ...known } = allMembers(world, scope);
  const leaving = leavingKeys(changes);
  return { ...known, objects: objects?.filter(({ keys: [key = ""] }) => !leaving.has(key)) };
}

/** Such as `2 of 9 people without a second factor (1 owner, 0 admins): ada@acme.com (OWNER), bob@acme.com`. */
export function affectedText(
  affected: readonly LiveObject[],
  among: readonly LiveObject[],
  what: string,
): string | undefined {
  if (affected.length === 0) return undefined;
  const count = `${String(affected.length)} of ${plural(among.length, "person", "people")}`;
  const people = affected.map(({ keys, id, values: { level } }) => ({ email: keys[0] ?? id, level }));
  return `${count} ${what} ${namedPeople(people)}`;
}

/**
 * Such as `(1 owner, 0 admins of 9): ada@acme.com (OWNER), bob@acme.com`, those with most rights first.
 *
 * @param among how many members there are, if that is known
 */
export function namedPeople(
  people: readonly { readonly email: string; readonly level?: Value | undefined }[],
  among?: number,
): string {
  const inOrder = people.toSorted((a, b) => levelRank(b) - levelRank(a) || compareNaturally(a.email, b.email));
  const numberOf = (level: number): number => people.filter((one) => one.level === level).length;
  const levels = `${plural(numberOf(OWNER), "owner")}, ${plural(numberOf(ADMIN), "admin")}`;
  const names = inOrder.map((one) => visible(one.email) + (levelRank(one) < ADMIN ? "" : ` (${levelWord(one.level)})`));
  // Some may not have joined yet.
  const all = among === undefined || among < people.length ? "" : ` of ${String(among)}`;
  return `(${levels}${all}): ${names.join(", ")}`;
}

/** Whether a member has an address of one of some domains. */
export function isOfDomains({ keys: [email = ""] }: LiveObject, domains: readonly string[]): boolean {
  return domains.some((domain) => isOfDomain(email, domain));
}

/** Who signs in with some domains, as far as the plan has read people: the detail of a block. */
export function peopleOf(world: World, scope: string, domains: readonly string[]): string | undefined {
  const { objects: among = [] } = allMembers(world, scope);
  return affectedText(
    among.filter((one) => isOfDomains(one, domains)),
    among,
    "with an address there",
  );
}

function levelRank({ level }: { readonly level?: Value | undefined }): number {
  return typeof level === "number" ? level : 0;
}
