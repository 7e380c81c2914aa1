/**
 * Finds people who probably have another e-mail address now: members that nothing declares, each with an invite that would go to the
 * old address.
 *
 * Premise: people change their addresses themselves. The configuration still has the old one, so that the person would be removed,
 * and somebody else might read the invite.
 */
import { kindSchema } from "../../kinds/fields.ts";
import { kinds } from "../../kinds/registry.ts";
import { isPruned, type Change, type MovedPerson } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Value } from "../../model/json.ts";
import type { LiveObject } from "../../model/live.ts";
import { unmanagedAddress } from "../../model/plan.ts";
import { claimKey } from "../match.ts";

/** Marks the invites, and the removals of members, that are probably about one person. @param unmanaged objects that no resource has claimed */
export function markMovedPeople(changes: readonly Change[], unmanaged: readonly LiveObject[]): readonly Change[] {
  const pairs = movedPeople(changes, unmanaged);
  if (pairs.length === 0) return changes;
  const removals = new Map(
    changes.flatMap((change) => (isPruned(change) ? [[personOf(change), change] as const] : [])),
  );
  const marks = new Map<Change, MovedPerson>();
  for (const { invite, member } of pairs) {
    const removal = removals.get(claimKey(member));
    marks.set(invite, { address: removal?.address ?? unmanagedAddress(member), email: member.keys[0] ?? "" });
    if (removal !== undefined) marks.set(removal, { address: invite.address, email: invite.work?.key ?? "" });
  }
  return changes.map((change) => {
    const moved = marks.get(change);
    return change.work === null || moved === undefined ? change : { ...change, work: { ...change.work, moved } };
  });
}

interface Pair {
  readonly invite: Change;
  readonly member: LiveObject;
}

/** An invite and a member of one level, if their names agree, or if nobody else of that level comes or goes. */
function movedPeople(changes: readonly Change[], unmanaged: readonly LiveObject[]): readonly Pair[] {
  const going = new Set(changes.filter(isPruned).map(personOf));
  const members = groupBy(
    unmanaged.filter((live) => kinds[live.kind].membership?.isMember(live) === true),
    ({ kind, scope, values }) => placeOf({ kind, scope, level: values["level"] }),
  );
  const invites = groupBy(changes.filter(isInvite), ({ kind, work }) =>
    placeOf({ kind, scope: work?.scope, level: work?.body["level"] ?? kindSchema(kind).properties["level"]?.default }),
  );
  return [...invites].flatMap(([place, all]) => {
    const near = members.get(place) ?? [];
    const [first, ...others] = near.filter((live) => going.has(claimKey(live)));
    const only = all.length === 1 && others.length === 0 ? first : undefined;
    return all.flatMap((invite): readonly Pair[] => {
      const member = near.find((live) => isNamedAlike(invite, live)) ?? only;
      return member === undefined ? [] : [{ invite, member }];
    });
  });
}

/** Whether somebody is invited who may be there already. `lifecycle.create` says that it is another person. */
function isInvite({ action, kind, work }: Change): boolean {
  const isOfPeople = Object.values(kinds).some(
    ({ membership, identity }) => membership !== undefined && identity.idSpace === kinds[kind].identity.idSpace,
  );
  return action === "create" && isOfPeople && work?.resource?.lifecycle.create !== true;
}

function personOf({ work }: Change): string | undefined {
  return work?.live && claimKey(work.live);
}

/** People of one level in one organization. */
function placeOf(of: {
  readonly kind: Change["kind"];
  readonly scope: string | undefined;
  readonly level: Value | undefined;
}): string {
  return JSON.stringify([kinds[of.kind].identity.idSpace, of.scope, of.level ?? null]);
}

function isNamedAlike({ work }: Change, { keys: [email = ""], person = "" }: LiveObject): boolean {
  const known = new Set([localPart(email), letters(person)].filter((name) => name !== ""));
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
