/**
 * Finds people who probably have another e-mail address now: members that nothing declares, each with an invite that would go to the
 * old address.
 *
 * Premise: people change their addresses themselves. The configuration still has the old one, so that the person would be removed,
 * and somebody else might read the invite.
 */
import { type Blocked, isPruned, type Change, type ChangeWithWork, type MovedPerson } from "../../model/change.ts";
import { command } from "../../model/command.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Value } from "../../model/json/json.ts";
import type { LiveObject } from "../../model/live.ts";
import { undeclaredAddress } from "../../model/plan.ts";
import { visible } from "../../model/text/quote.ts";
import type { Check, CheckedPlan } from "../check.ts";
import { kindSchema } from "../fields.ts";
import { isMember, isPerson, PERSON } from "./people.ts";

/** A person with a new address is neither removed nor invited again. */
export const movedPerson: Check = {
  rule: "forgotten_rename",
  inspect: (plan) => {
    const marks = marksOf(plan);
    return (change) => {
      const moved = marks.get(change);
      return moved && { work: { moved }, blocked: blockOf(change, moved) };
    };
  },
};

function blockOf(
  { address, work }: ChangeWithWork,
  { address: other, email }: MovedPerson,
): Pick<Blocked, "lift" | "command"> {
  const declared = work.live === undefined ? address : other;
  const lift = `${visible(email)} (${other}) is probably the same person: declare lifecycle.create: true at ${declared} if it is another one, and accept the new address if not:`;
  return { lift, command: command("drift", { accept: true, only: declared }) };
}

/** The invites, and the removals of members, that are probably about one person, each with the other. */
function marksOf(plan: CheckedPlan): ReadonlyMap<Change, MovedPerson> {
  const removals = new Map(plan.changes.flatMap((change) => (isPruned(change) ? [[personOf(change), change]] : [])));
  const marks = new Map<Change, MovedPerson>();
  for (const { invite, member } of movedPeople(plan)) {
    const removal = removals.get(PERSON.of(member));
    marks.set(invite, { address: removal?.address ?? undeclaredAddress(member), email: member.keys[0] ?? "" });
    if (removal !== undefined) marks.set(removal, { address: invite.address, email: invite.work?.key ?? "" });
  }
  return marks;
}

interface Pair {
  readonly invite: Change;
  readonly member: LiveObject;
}

/**
 * Pairs of an invite and an undeclared member of the same level who may be one person. Their names agree, or they are the only invite
 * and the only undeclared member of that level in a collection that is exclusive.
 */
function movedPeople({ changes, graph, undeclared }: CheckedPlan): readonly Pair[] {
  const ofMembers = graph.exclusive.filter(({ kind }) => isPerson(kind) && kind !== "invite");
  const whole = new Set(ofMembers.map(({ scope }) => scope));
  const members = groupBy(undeclared.filter(isMember), ({ scope, values }) => scopeAndLevel(scope, values["level"]));
  const invites = groupBy(changes.filter(isInvite), ({ kind, work }) =>
    scopeAndLevel(work?.scope, work?.body["level"] ?? kindSchema(kind).properties["level"]?.default),
  );
  return [...invites].flatMap(([place, all]) => {
    const near = members.get(place) ?? [];
    const [first, ...others] = near.filter(({ scope }) => whole.has(scope));
    const only = all.length === 1 && others.length === 0 ? first : undefined;
    return all.flatMap((invite): readonly Pair[] => {
      const member = near.find((live) => isNamedAlike(invite, live)) ?? only;
      return member === undefined ? [] : [{ invite, member }];
    });
  });
}

/** Whether somebody is invited who may be there already. `lifecycle.create` says that it is another person. */
function isInvite({ action, kind, work }: Change): boolean {
  return action === "create" && isPerson(kind) && work?.resource?.lifecycle.create !== true;
}

function personOf({ work }: Change): string | undefined {
  return work?.live && isMember(work.live) ? PERSON.of(work.live) : undefined;
}

/** People of one level in one organization. */
function scopeAndLevel(scope: string | undefined, level: Value | undefined): string {
  return JSON.stringify([scope, level ?? null]);
}

function isNamedAlike({ work }: Change, { keys: [email = ""], person }: LiveObject): boolean {
  const known = new Set([localPart(email), letters(person?.name ?? "")].filter((name) => name !== ""));
  const declared = [localPart(work?.key ?? ""), localPart(work?.resource?.name ?? "")];
  return declared.some((name) => known.has(name));
}

/** `Ada.Lovelace+work@acme.com` is `adalovelace`. */
function localPart(email: string): string {
  return letters(email.split(/[@+]/u, 1)[0] ?? "");
}

function letters(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}
