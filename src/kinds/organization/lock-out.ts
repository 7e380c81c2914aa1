/**
 * An organization that enforces its verified domains locks out all people with other addresses, their keys as well. It is not turned on
 * before somebody has seen who they are.
 *
 * Premise: the service lists the members outside of its verified domains in one request. People who are declared and have not
 * joined yet are in no such list, so they are compared with the verified domains.
 */
import type { Change } from "../../model/change.ts";
import { command } from "../../model/command.ts";
import type { Json } from "../../model/json/json.ts";
import { isPresent, listKey, type ScopePath, scopePathAt } from "../../model/live.ts";
import { plural } from "../../model/text/plural.ts";
import { isWanted, type DesiredGraph } from "../../model/resource.ts";
import { allObjects, type Check, type CheckedPlan, type Finding } from "../check.ts";
import { caselessKey } from "../keys.ts";
import { organizationAt } from "../live-organization.ts";
import { allMembers, leavingKeys, namedPeople } from "../people/members.ts";
import { declareSelf, ownUser } from "../people/own-user.ts";
import { admits, INVITES, isMember, isPerson, MEMBERS, membersGap, membersIn, PERSON } from "../people/people.ts";
import { rowsIn, type Read, type RowsAnswer, type RowsRead, answeredRows, type World } from "../world.ts";

export const lockOut: Check = {
  rule: "lock_out",
  ofWholePlan: true,
  inspect: (plan) => (change) => {
    const isTurnedOn = change.action === "update" || change.action === "create";
    if (change.blocked !== null || !isTurnedOn || change.work.body["enforce_verified_domains"] !== true)
      return undefined;
    const { needs = [], ...found } = outsidersOf(plan, change);
    return { needs, ...lockOutBlock(plan, change.address, found) };
  },
};

/** Who would be locked out by a change, or why that is not known for certain. */
interface Outsiders {
  readonly people: readonly { readonly email: string; readonly level?: Json | undefined }[];
  /** Why there may be others. */
  readonly gap?: string | undefined;
  readonly needs?: readonly Read[];
}

function outsidersOf({ changes, graph, world }: CheckedPlan, { address, work }: Change): Outsiders {
  const declared = wantedPeople(graph, address);
  if (work?.live === undefined) return { people: declared, gap: "a new organization has no verified domain" };
  const path = scopePathAt(world.scopes, address);
  const asked: RowsRead = { what: "rows", operation: MEMBERS, path, query: { outside_verified_domains: true } };
  const [outside, invited] = [rowsIn(world, asked), openInvites(world, address, path)];
  if (outside === undefined || invited.needs !== undefined)
    return { people: [], needs: [asked, ...(invited.needs ?? [])] };
  const leaving = leavingKeys(changes);
  const members = membersIn({ [MEMBERS]: answeredRows(outside) });
  const people = members.flatMap(({ email, row }) => (leaving.has(email) ? [] : [{ email, level: row["level"] }]));
  const isNameless = members.length < answeredRows(outside).length;
  const gap =
    unreadReason(outside) ??
    membersGap(organizationAt(world, address) ?? {}) ??
    (isNameless ? "not every member has an e-mail address" : invited.gap);
  const others = [...declared, ...invited.people.filter(({ email }) => !leaving.has(email))];
  if (people.length + others.length === 0) return { people, gap };
  const { needs, objects: domains } = allObjects(world, address, "domain");
  if (domains === undefined) return { people, gap: gap ?? "the verified domains could not be read", needs };
  const known = new Set(people.map(({ email }) => email));
  const joining = new Map(others.map((one) => [one.email, one])).values();
  const all = [...people, ...[...joining].filter(({ email }) => !known.has(email))];
  return { people: all.filter(({ email }) => !domains.some((live) => admits(live, email))), gap };
}

function unreadReason(answer: RowsAnswer): string | undefined {
  return answer.status === "unknown" ? answer.reason : undefined;
}

/** They are no members yet, and would be locked out as well. A plan that has people has read their lists. */
function openInvites(world: World, scope: string, path: ScopePath): Outsiders {
  const lists = (["membership", "invite"] as const).map((kind) => world.lists.get(listKey(scope, kind)));
  const listed = lists.find((list) => list?.status === "known");
  if (listed !== undefined) {
    const open = listed.objects.filter((live) => isPresent(live) && live.state !== "expired" && !isMember(live));
    return { people: open.flatMap(({ keys }) => keys).map((email) => ({ email })) };
  }
  const read: RowsRead = { what: "rows", operation: INVITES, path };
  const invited = rowsIn(world, read);
  if (invited === undefined) return { people: [], needs: [read] };
  const open = answeredRows(invited).filter((row) => row["is_expired"] !== true);
  const emails = open.flatMap((row) => caselessKey(row["target_email"]));
  return { people: emails.map((email) => ({ email })), gap: unreadReason(invited) };
}

/** The people who are to be in the organization. */
function wantedPeople({ resources }: DesiredGraph, scope: string): Outsiders["people"] {
  const declared = resources.filter((one) => one.scope === scope && isPerson(one.kind) && isWanted(one.lifecycle));
  const emails = declared.flatMap(({ kind, values, name }) =>
    kind === "invite" ? caselessKey(values["target_email"]) : PERSON.declaredKeys(values, name),
  );
  return [...new Set(emails)].map((email) => ({ email }));
}

function lockOutBlock(
  { graph, world }: CheckedPlan,
  address: string,
  { people, gap }: Outsiders,
): Pick<Finding, "blocked"> {
  const { self } = graph.service;
  if (people.length === 0 && gap === undefined) return {};
  const own = people.find(({ email }) => email === self?.toLowerCase());
  if (own !== undefined)
    return {
      blocked: {
        rule: "own_user",
        detail: own.email,
        lift: "use the key of a user whose address is in a verified domain",
      },
    };
  const who = people.length === 0 ? [] : ["remove anybody you do not know, then verify the domains of the others"];
  const others = gap === undefined ? [] : [`find out who would be locked out (${gap})`];
  // The key of a user who is locked out stops as well.
  const { membership_level: level } = organizationAt(world, address) ?? {};
  const possible = people.flatMap((one) =>
    one.level !== undefined && (level === undefined || one.level === level) ? one.email : [],
  );
  const isKnown = possible.length === 0 || ownUser(graph, world) !== undefined;
  const first = isKnown ? [] : [declareSelf(possible, "perhaps ")];
  const lift = `${[...first, ...who, ...others].join(", ")}, or allow it:`;
  const { objects } = allMembers(world, address);
  const named = `${plural(people.length, "person", "people")} ${namedPeople(people, objects?.length)}`;
  const detail = people.length === 0 ? gap : named;
  return { blocked: { detail, lift, command: command("apply", { allowLoss: address }) } };
}
