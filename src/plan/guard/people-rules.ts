/** Two people are never removed or given fewer rights: the last owner, and the user that the API key belongs to. */
import { compareNaturally } from "../../model/compare-text.ts";
import { visible } from "../../model/quote.ts";
import type { MembershipRules } from "../../kinds/kind-parts.ts";
import { allKinds, kinds } from "../../kinds/registry.ts";
import type { Blocked, ChangeWithWork } from "../../model/change.ts";
import type { Value } from "../../model/json.ts";
import type { KindName } from "../../model/kind-name.ts";
import { listKey, type LiveObject, type LiveSnapshot } from "../../model/live.ts";
import { liveScopeAt } from "../../kinds/live-scope.ts";
import type { GuardInput } from "./types.ts";

export function ownUser(change: ChangeWithWork, { graph, snapshot }: GuardInput): Blocked | null {
  const lowered = loweredMember(change);
  if (lowered === undefined) return null;
  const { live } = lowered;
  const { scope, resource } = change.work;
  // A person without a resource is pruned. The simplest remedy is to declare that person.
  const first = resource === undefined ? "declare it, or " : "";
  const self = graph.service.self?.toLowerCase();
  if (self !== undefined) {
    return live.keys[0] === self ? { rule: "own_user", remedy: `${first}use the key of another user` } : null;
  }
  const found = liveScopeAt(snapshot, scope);
  const level = found?.facts.ownLevel(found.values);
  // Without a level the key's user is not a member (null), or is not shown (undefined) and may be anyone.
  if (level !== undefined && level !== lowered.level) return null;
  const possible = membersOf(snapshot, scope).filter((one) => level === undefined || one.level === level);
  const emails = [...new Set(possible.flatMap(({ live: { keys } }) => keys))].toSorted(compareNaturally);
  const who = emails.length > MAX_EMAILS ? "" : ` (${visible(emails.join(" or "))})`;
  const remedy = `${first}set service.self in the configuration to the e-mail of the user whose API key this is${who}`;
  return { rule: "own_user", remedy: `${remedy}: service: { self: E-MAIL }` };
}

/** More people than this are not listed. */
const MAX_EMAILS = 5;

export function lastOwner(
  change: ChangeWithWork,
  { snapshot }: GuardInput,
  all: readonly ChangeWithWork[],
): Blocked | null {
  const lowered = loweredMember(change);
  if (lowered === undefined) return null;
  const { level, facts } = lowered;
  // A person whose level is unknown, or is above all known ones, might be the last owner.
  if (typeof level === "number" && level < facts.ownerLevel) return null;
  const { scope } = change.work;
  const members = membersOf(snapshot, scope);
  const owners = members.filter((one) => one.level === one.facts.ownerLevel);
  const left = new Set(owners.map(({ live }) => live.keys[0]));
  const nearby = all.filter((other) => other.work.scope === scope);
  for (const { live } of nearby.flatMap((other) => loweredMember(other) ?? [])) left.delete(live.keys[0]);
  return left.size > 0 ? null : { rule: "last_owner", remedy: "make another member an owner first, and apply" };
}

/** Somebody who has joined an organization. */
interface Member {
  readonly live: LiveObject;
  readonly facts: MembershipRules;
  readonly level: Value | undefined;
}

/** The member that a change removes from the organization, or gives a lower level. */
function loweredMember({ kind, action, work }: ChangeWithWork): Member | undefined {
  const { live, body } = work;
  const [member] = live === undefined ? [] : toMember(kind, live);
  if (member === undefined || action === "delete") return member;
  const { level, facts } = member;
  const after = facts.levelOf(body);
  // A body without a level does not change it. An unknown level may be any.
  const isLowered = typeof after === "number" && !(typeof level === "number" && level < after);
  return isLowered ? member : undefined;
}

function membersOf({ lists }: LiveSnapshot, scope: string): readonly Member[] {
  return allKinds.flatMap(({ name }) =>
    (lists.get(listKey(scope, name))?.objects ?? []).flatMap((live) => toMember(name, live)),
  );
}

/** Returns nothing for an object that is no member. */
function toMember(kind: KindName, live: LiveObject): readonly Member[] {
  const facts = kinds[kind].membership;
  return facts?.isMember(live) === true ? [{ live, facts, level: facts.levelOf(live.values) }] : [];
}
