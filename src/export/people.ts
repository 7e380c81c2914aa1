import { kinds } from "../kinds/registry.ts";
import type { LiveObject } from "../model/live.ts";
import { withWords } from "../kinds/fields.ts";
import { compareText } from "./names.ts";
import { type ExportSession, warn } from "./session.ts";
import { invalidFields } from "./invalid-fields.ts";
import type { ExportedResources, Scope } from "./types.ts";

/** Members as memberships, by e-mail. */
export function exportMemberships(
  members: readonly LiveObject[],
  scope: Scope,
  session: ExportSession,
): readonly ExportedResources[] {
  return [...byEmail(members)].flatMap(([email, group]): readonly ExportedResources[] => {
    const address = `${scope.address}/${kinds.membership.collection}/${email}`;
    const [live] = group;
    const { level } = group[0]?.values ?? {};
    const problem = undeclarable(email, group);
    if (live === undefined || problem !== undefined || level === undefined) {
      const ids = group.map(({ id }) => id).join(", ");
      warn(session, scope.address, "not_declarable", `member ${ids} is left out: ${problem}`);
      return [];
    }
    if (invalidFields("membership", { level }).size > 0) {
      const message = `level ${JSON.stringify(level)} has no name, and the configuration will not take it`;
      warn(session, address, "not_declarable", message, "set one of member, admin and owner");
    }
    return [{ live, kind: "membership", name: email, address, fields: withWords("membership", { level }) }];
  });
}

/** What keeps the members of an address from being declared by it. */
function undeclarable(email: string, group: readonly LiveObject[]): string | undefined {
  if (group.length > 1) return `several have the address ${email}`;
  if (invalidFields("invite", { target_email: email }).size > 0)
    return `${JSON.stringify(email)} is no address that could be declared`;
  return (group[0]?.values["level"] ?? null) === null ? `${email} has no level` : undefined;
}

/** Invites, one per address, less those whose address is a member by now: these would declare a person twice. */
export function ownInvites(
  invites: readonly LiveObject[],
  members: readonly LiveObject[],
  scope: Scope,
  session: ExportSession,
): readonly LiveObject[] {
  const joined = new Set(members.flatMap((live) => live.keys));
  return [...byEmail(invites.filter((live) => !live.keys.some((email) => joined.has(email))))].flatMap(
    ([email, group]) => {
      const [current, ...rest] = group.toSorted(currentFirst);
      if (current === undefined) return [];
      if (rest.length > 0) {
        const ids = rest.map((live) => live.id).join(", ");
        const message = `${email} was invited ${group.length} times; left out: ${ids}`;
        warn(session, scope.address, "several_invites", message, `invite ${current.id} is the one that is written`);
      }
      return [current];
    },
  );
}

/** The objects of each address, both in an order of their own. */
function byEmail(objects: readonly LiveObject[]): ReadonlyMap<string, readonly LiveObject[]> {
  const groups = new Map<string, LiveObject[]>();
  for (const live of objects.toSorted(
    (left, right) => compareText(emailOf(left), emailOf(right)) || compareText(left.id, right.id),
  )) {
    const email = emailOf(live);
    if (email !== "" && live.placeholder !== true) groups.set(email, [...(groups.get(email) ?? []), live]);
  }
  return groups;
}

function emailOf(live: LiveObject): string {
  return live.keys[0] ?? "";
}

/** Pending before expired, then the newest where its time is known, then by id: the order of the list must not count. */
function currentFirst(left: LiveObject, right: LiveObject): number {
  const expired = Number(left.expired === true) - Number(right.expired === true);
  return expired || compareText(createdAt(right), createdAt(left)) || compareText(left.id, right.id);
}

function createdAt(live: LiveObject): string {
  const time = live.values["created_at"];
  return typeof time === "string" ? time : "";
}
