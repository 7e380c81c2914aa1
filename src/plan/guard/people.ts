/** Two people are never removed or given fewer rights: the last owner, and the user that the API key belongs to. */
import { allKinds, kinds } from "../../kinds/registry.ts";
import type { Blocked } from "../../model/change.ts";
import type { Value } from "../../model/json.ts";
import { listKey, type LiveObject, type LiveSnapshot } from "../../model/live.ts";
import { liveScopeAt } from "./live-scope.ts";
import type { ExecutableChange, GuardInput, LiveChange } from "./types.ts";

export function ownUserRule(change: ExecutableChange, { graph, snapshot }: GuardInput): Blocked | null {
  if (!isLowered(change)) return null;
  const { live, scope, resource } = change.work;
  // A person without a resource is pruned. The simplest remedy is to declare that person.
  const first = resource === undefined ? "declare it, or " : "";
  const self = graph.service.self?.toLowerCase();
  if (self !== undefined) {
    return live.keys[0] === self ? { rule: "own_user", lift: `${first}use the key of another user` } : null;
  }
  const found = liveScopeAt(snapshot, scope);
  const level = found?.facts.ownLevel(found.values);
  // Without a level the key's user is not a member (null), or is not shown (undefined) and may be anyone.
  if (level !== undefined && level !== levelOf(live)) return null;
  const possible = peopleOf(snapshot, scope).filter((one) => level === undefined || levelOf(one) === level);
  const emails = [...new Set(possible.flatMap(({ keys }) => keys.slice(0, 1)))];
  const who = emails.length > MAX_EMAILS ? "" : ` (${emails.join(" or ")})`;
  const lift = `${first}set service.self in the configuration to the e-mail of the user whose API key this is${who}`;
  return { rule: "own_user", lift: `${lift}: service: { self: E-MAIL }` };
}

/** More people than this are not listed. */
const MAX_EMAILS = 5;

export function lastOwnerRule(
  change: ExecutableChange,
  { snapshot }: GuardInput,
  all: readonly ExecutableChange[],
): Blocked | null {
  if (!isLowered(change) || !mayBeOwner(change.work.live)) return null;
  const { scope } = change.work;
  const owners = new Set(
    peopleOf(snapshot, scope)
      .filter(isOwner)
      .map((live) => live.keys[0]),
  );
  for (const other of all) {
    if (other.work.scope === scope && isLowered(other)) owners.delete(other.work.live.keys[0]);
  }
  return owners.size > 0 ? null : { rule: "last_owner", lift: "make another member an owner first, and apply" };
}

function isOwner(live: LiveObject): boolean {
  return levelOf(live) === kinds[live.kind].membership?.ownerLevel;
}

/** A person whose level is unknown, or is above all known ones, might be the last owner. */
function mayBeOwner(live: LiveObject): boolean {
  const level = levelOf(live);
  return typeof level !== "number" || level >= (kinds[live.kind].membership?.ownerLevel ?? 0);
}

function levelOf({ kind, values }: LiveObject): Value | undefined {
  return kinds[kind].membership?.levelOf(values);
}

/** Whether a change removes a member from the organization, or gives it a lower level. */
function isLowered(change: ExecutableChange): change is LiveChange {
  const { kind, action, work } = change;
  const { live, body } = work;
  const { membership } = kinds[kind];
  if (membership === undefined || live === undefined || !membership.isMember(live)) return false;
  if (action === "delete") return true;
  const [before, after] = [membership.levelOf(live.values), membership.levelOf(body)];
  // A body without a level does not change it. An unknown level may be any.
  return typeof after === "number" && !(typeof before === "number" && before < after);
}

function peopleOf(snapshot: LiveSnapshot, scope: string): readonly LiveObject[] {
  return allKinds.flatMap(({ name, membership }) =>
    membership === undefined
      ? []
      : (snapshot.lists.get(listKey(scope, name))?.objects ?? []).filter((live) => membership.isMember(live)),
  );
}
