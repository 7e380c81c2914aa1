/** Who may not be removed or lowered: the last owner, and the user whose key this is. */
import { OWNER } from "../../kinds/people.ts";
import { kinds } from "../../kinds/registry.ts";
import type { Blocked, Work } from "../../model/change.ts";
import { listKey, type LiveObject, type LiveSnapshot } from "../../model/live.ts";
import type { ExecutableChange, GuardInput } from "./types.ts";

export function ownUserRule(change: ExecutableChange, { graph, snapshot }: GuardInput): Blocked | null {
  if (!isLowered(change)) return null;
  const { live, scope, resource } = change.work;
  // What is exclusive and not declared is to be deleted: to declare it is the plainest way out.
  const first = resource === undefined ? "declare it, or " : "";
  const self = graph.service.self?.toLowerCase();
  if (self !== undefined) {
    return live.keys[0] === self ? { rule: "own_user", lift: `${first}use the key of another user` } : null;
  }
  const level = membershipLevel(snapshot, scope);
  // Without a level the key's user is not a member (null), or the service does not say (undefined): then it is anyone.
  if (level !== undefined && level !== live.values["level"]) return null;
  return { rule: "own_user", lift: `${first}service.self: the e-mail of the user whose key this is` };
}

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
  return owners.size > 0 ? null : { rule: "last_owner", lift: "make somebody else an owner first, and apply" };
}

function isOwner({ values }: LiveObject): boolean {
  return values["level"] === OWNER;
}

/** Whoever is at a level that is not known, or that nobody knew of, might be the last one. */
function mayBeOwner({ values }: LiveObject): boolean {
  const { level } = values;
  return typeof level !== "number" || level >= OWNER;
}

interface LoweringChange extends ExecutableChange {
  readonly work: Work & { readonly live: LiveObject };
}

/** Whether a change takes a member out of the organization, or to a lower level. */
function isLowered(change: ExecutableChange): change is LoweringChange {
  const { kind, action, work } = change;
  const { live, body } = work;
  if (kinds[kind].managesPeople !== true || live === undefined || !isMember(live)) return false;
  if (action === "delete") return true;
  const [before, after] = [live.values["level"], body["level"]];
  // What is left as it is sends no level; one that is not known may be any.
  return typeof after === "number" && !(typeof before === "number" && before < after);
}

/** Of a membership's parts one is the member; a member has no parts. */
function isMember(live: LiveObject): boolean {
  return live.parts === undefined || live.parts.member !== undefined;
}

function peopleOf(snapshot: LiveSnapshot, scope: string): readonly LiveObject[] {
  return Object.values(kinds)
    .filter((kind) => kind.managesPeople === true)
    .flatMap((kind) => snapshot.lists.get(listKey(scope, kind.name))?.objects ?? [])
    .filter(isMember);
}

function membershipLevel(snapshot: LiveSnapshot, scope: string): unknown {
  const path = snapshot.scopes.get(scope);
  const id = path?.status === "known" ? path.path["organization_id"] : undefined;
  const organizations = snapshot.lists.get(listKey("", "organization"))?.objects;
  return organizations?.find((live) => live.id === id)?.values["membership_level"];
}
