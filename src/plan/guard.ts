/**
 * What is refused, and what lifts it. Every rule here may only take away: it marks changes as blocked and makes none.
 */
import { kinds } from "../kinds/registry.ts";
import { OWNER } from "../kinds/people.ts";
import type { Blocked, Change } from "../model/change.ts";
import { listKey, type LiveList, type LiveObject, type LiveSnapshot } from "../model/live.ts";
import type { DesiredGraph } from "../model/resource.ts";
import { looksLike } from "./decide.ts";

/** Removing more than this many objects at once needs approval. */
const DELETE_LIMIT = 5;
/** So does removing more than this share of a kind that has at least {@link SHARE_FROM} objects. */
const DELETE_SHARE = 0.1;
const SHARE_FROM = 10;

export interface GuardInput {
  readonly graph: DesiredGraph;
  readonly snapshot: LiveSnapshot;
  /** Objects that nothing declared claims. */
  readonly unmanaged: readonly LiveObject[];
  readonly prune: boolean;
}

type Rule = (change: Change, input: GuardInput, all: readonly Change[]) => Blocked | null;

/** The same changes, those blocked that a rule refuses; the first rule that refuses is named. */
export function guard(changes: readonly Change[], input: GuardInput): readonly Change[] {
  const one = changes.map((change) => blockedBy(change, OWN_RULES, input, changes));
  // A parent that was refused just now takes its children with it, and what is refused does not count towards a limit.
  const two = one.map((change) => blockedBy(change, [parentRefused], input, one));
  return two.map((change) => blockedBy(change, [deleteLimit], input, two));
}

function blockedBy(change: Change, rules: readonly Rule[], input: GuardInput, all: readonly Change[]): Change {
  for (const rule of rules) {
    if (change.blocked !== null) return change;
    const blocked = rule(change, input, all);
    if (blocked !== null) return { ...change, blocked };
  }
  return change;
}

const OWN_RULES: readonly Rule[] = [
  protectedObject,
  unwantedPrune,
  organizationCreate,
  organizationDelete,
  forgottenRename,
  ownUser,
  lastOwner,
];

function protectedObject(change: Change): Blocked | null {
  const removes = change.action === "delete" || change.action === "replace";
  return removes && change.work?.resource?.lifecycle.protect === true
    ? { rule: "protect", lift: "take lifecycle.protect out of the configuration" }
    : null;
}

function unwantedPrune(change: Change, { prune }: GuardInput): Blocked | null {
  return !prune && change.action === "delete" && change.work !== null && change.work.resource === undefined
    ? { rule: "prune", lift: "--prune" }
    : null;
}

function organizationCreate(change: Change): Blocked | null {
  return change.action === "create" &&
    kinds[change.kind].foundational === true &&
    change.work?.resource?.lifecycle.create !== true
    ? { rule: "organization_create", lift: "check the name, or declare lifecycle.create: true" }
    : null;
}

function organizationDelete(change: Change): Blocked | null {
  return change.action === "delete" && kinds[change.kind].foundational === true
    ? {
        rule: "confirm_organization",
        lift: `--confirm-organization ${JSON.stringify(change.work?.live?.keys[0] ?? change.id)}`,
      }
    : null;
}

function forgottenRename(change: Change, { unmanaged }: GuardInput): Blocked | null {
  const resource = change.work?.resource;
  if (change.action !== "create" || resource === undefined || resource.lifecycle.create === true) return null;
  const twin = unmanaged.find(
    (live) =>
      live.kind === change.kind &&
      live.scope === resource.scope &&
      looksLike(kinds[change.kind], resource, live.values),
  );
  if (twin === undefined) return null;
  const from = JSON.stringify(twin.keys[0] ?? twin.id);
  return {
    rule: "forgotten_rename",
    lift: `lifecycle.renamed_from: ${from} if it was renamed, lifecycle.create: true if it is new`,
  };
}

function ownUser(change: Change, { graph, snapshot }: GuardInput): Blocked | null {
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

function lastOwner(change: Change, { snapshot }: GuardInput, all: readonly Change[]): Blocked | null {
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

function parentRefused(change: Change, { snapshot }: GuardInput, all: readonly Change[]): Blocked | null {
  const scope = change.work?.scope ?? "";
  if (change.action !== "create" || scope === "" || snapshot.scopes.get(scope)?.status !== "absent") return null;
  const parent = all.find((one) => one.address === scope);
  if (parent?.action === "create" && parent.blocked === null) return null;
  return {
    rule: "parent",
    lift: parent === undefined ? "apply the organization first, then again" : `lift what blocks ${parent.address}`,
  };
}

function deleteLimit(change: Change, { snapshot }: GuardInput, all: readonly Change[]): Blocked | null {
  if (!isRemoval(change)) return null;
  const removals = all.filter(isRemoval);
  const exceeded =
    removals.length > DELETE_LIMIT ||
    removals.some(({ kind }) => {
      const live = countLive(snapshot.lists, kind);
      return live >= SHARE_FROM && removals.filter((other) => other.kind === kind).length > live * DELETE_SHARE;
    });
  return exceeded ? { rule: "delete_limit", lift: "--approve HASH, with the hash of this plan" } : null;
}

function isRemoval(change: Change): boolean {
  return change.blocked === null && (change.action === "delete" || change.action === "replace");
}

function countLive(lists: ReadonlyMap<string, LiveList>, kind: Change["kind"]): number {
  return [...lists.values()]
    .flatMap((list) => list.objects)
    .filter((live) => live.kind === kind && live.deleted !== true && live.standIn !== true).length;
}
