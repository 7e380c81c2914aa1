/** Who may not be removed or lowered: the last owner, and the user whose key this is. */
import { OWNER } from "../kinds/people.ts";
import { kinds } from "../kinds/registry.ts";
import type { Blocked, Change } from "../model/change.ts";
import { listKey, type LiveObject, type LiveSnapshot } from "../model/live.ts";
import type { GuardInput } from "./rule.ts";

export function ownUser(change: Change, { graph, snapshot }: GuardInput): Blocked | null {
  if (!isLessened(change)) return null;
  const self = graph.service.self?.toLowerCase();
  const key = change.work?.live?.keys[0];
  if (self !== undefined) {
    return key === self ? { rule: "own_user", lift: "use the key of another user" } : null;
  }
  const level = membershipLevel(snapshot, change.work?.scope ?? "");
  // Without a level the key's user is not a member (null), or the service does not say (undefined): then it is anyone.
  if (level === null || (level !== undefined && level !== change.work?.live?.values["level"])) return null;
  return { rule: "own_user", lift: "service.self: the e-mail of the user whose key this is" };
}

export function lastOwner(change: Change, { snapshot }: GuardInput, all: readonly Change[]): Blocked | null {
  const isOwner = (live: LiveObject | undefined): boolean => live?.values["level"] === OWNER;
  if (!isLessened(change) || !isOwner(change.work?.live)) return null;
  const scope = change.work?.scope ?? "";
  const owners = new Set(
    peopleOf(snapshot, scope)
      .filter(isOwner)
      .map((live) => live.keys[0]),
  );
  for (const other of all) {
    if (other.work?.scope === scope && isLessened(other)) owners.delete(other.work.live?.keys[0]);
  }
  return owners.size > 0 ? null : { rule: "last_owner", lift: "make somebody else an owner first, and apply" };
}

/** Whether a change takes a member out of the organization, or to a lower level. */
function isLessened({ kind, action, work }: Change): boolean {
  const live = work?.live;
  if (kinds[kind].people !== true || live === undefined || !isMember(live)) return false;
  if (action === "delete") return true;
  const [before, after] = [live.values["level"], work?.body["level"]];
  return action === "update" && typeof after === "number" && !(typeof before === "number" && after >= before);
}

/** Of a membership's parts one is the member; a member has no parts. */
function isMember(live: LiveObject): boolean {
  return live.parts === undefined || live.parts.member !== undefined;
}

function peopleOf(snapshot: LiveSnapshot, scope: string): readonly LiveObject[] {
  const lists = Object.values(kinds).flatMap((kind) =>
    kind.people === true ? [snapshot.lists.get(listKey(scope, kind.name))] : [],
  );
  return lists.flatMap((list) => list?.objects ?? []).filter(isMember);
}

function membershipLevel(snapshot: LiveSnapshot, scope: string): unknown {
  const path = snapshot.scopes.get(scope);
  const id = path?.status === "known" ? path.path["organization_id"] : undefined;
  const organizations = snapshot.lists.get(listKey("", "organization"))?.objects ?? [];
  return organizations.find((live) => live.id === id)?.values["membership_level"];
}
