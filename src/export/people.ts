import { isName } from "../model/name.ts";
import { compareNaturally, compareText } from "../model/compare-text.ts";
import { collectionOf } from "../kinds/registry.ts";
import { groupBy } from "../model/group-by.ts";
import type { LiveObject } from "../model/live.ts";
import { withWords } from "../kinds/fields.ts";
import type { ExportSession } from "./session.ts";
import { invalidFields } from "./invalid-fields.ts";
import type { ExportedResource } from "./types.ts";

/** Exports members as memberships, by e-mail. */
export function exportMemberships(
  members: readonly LiveObject[],
  scope: string,
  session: ExportSession,
): readonly ExportedResource[] {
  return [...byEmail(members)].flatMap(([email, group]): readonly ExportedResource[] => {
    const address = `${scope}/${collectionOf("membership")}/${email}`;
    const [live] = group;
    const level = live.values["level"] ?? null;
    const problem = membershipProblem(email, group, session);
    if (problem !== undefined) {
      const ids = group.map(({ id }) => id).join(", ");
      const subject = group.length === 1 ? `member ${ids} is` : `members ${ids} are`;
      session.warn(scope, "not_declarable", `${subject} left out: ${problem}`);
      return [];
    }
    if (invalidFields("membership", { level }).size > 0) {
      const message = `the configuration does not accept level ${JSON.stringify(level)}`;
      session.warn(address, "not_declarable", message, "Set the level to member, admin or owner.");
    }
    return [{ live, kind: "membership", name: email, address, fields: withWords("membership", { level }) }];
  });
}

/** The reason why the members with an e-mail address cannot be declared. */
function membershipProblem(
  email: string,
  group: readonly [LiveObject, ...LiveObject[]],
  { isSecret }: ExportSession,
): string | undefined {
  if (isSecret(email)) return "the address holds a secret of this run";
  if (group.length > 1) return `several members have the address ${email}`;
  if (!isName(email) || invalidFields("invite", { target_email: email }).size > 0)
    return `the configuration does not accept the address ${JSON.stringify(email)}`;
  return (group[0].values["level"] ?? null) === null ? `${email} has no level` : undefined;
}

/**
 * One invite per address. Addresses of members are left out, because they would declare a person twice, and so are expired
 * invites: a plan warns about those, and elsewhere they would be sent anew. Without ids, an address with several invites is left
 * out, because a plan could not identify the right one.
 */
export function currentInvites(
  invites: readonly LiveObject[],
  members: readonly LiveObject[],
  scope: string,
  session: ExportSession,
): readonly LiveObject[] {
  const memberEmails = new Set(members.flatMap((live) => live.keys));
  session.expired.push(...invites.filter(({ state }) => state === "expired"));
  const open = invites.filter(
    (live) => live.state !== "expired" && !live.keys.some((email) => memberEmails.has(email)),
  );
  return [...byEmail(open)].flatMap(([email, group]) => {
    const [current, ...rest] = group.toSorted(byCurrency);
    if (current === undefined) return [];
    const all = invites.filter((live) => emailOf(live) === email);
    if (!session.ids && all.length > 1) {
      const message = `the ${String(all.length)} invites of ${email} are left out: without ids they cannot be distinguished`;
      const hint = "Export without --no-ids, or delete all but one on the service.";
      session.warn(scope, "several_invites", message, hint);
      return [];
    }
    if (rest.length > 0) {
      const ids = rest.map((live) => live.id).join(", ");
      const message = `${email} has ${group.length} invites; left out: ${ids}`;
      const hint = `Only invite ${current.id} is exported. Delete the others on the service.`;
      session.warn(scope, "several_invites", message, hint);
    }
    return [current];
  });
}

/** The objects by address. Addresses and objects are sorted. */
function byEmail(objects: readonly LiveObject[]): ReadonlyMap<string, readonly [LiveObject, ...LiveObject[]]> {
  const sorted = objects.toSorted(
    (left, right) => compareNaturally(emailOf(left), emailOf(right)) || compareNaturally(left.id, right.id),
  );
  return groupBy(
    sorted.filter((live) => emailOf(live) !== "" && live.state !== "placeholder"),
    emailOf,
  );
}

function emailOf(live: LiveObject): string {
  return live.keys[0] ?? "";
}

/** Sorts newest first, then by id, so that the order of the list does not matter. */
function byCurrency(left: LiveObject, right: LiveObject): number {
  return compareText(right.createdAt ?? "", left.createdAt ?? "") || compareNaturally(left.id, right.id);
}
