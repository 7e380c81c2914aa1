import { kinds } from "../kinds/registry.ts";
import { listKey, type LiveObject, type LiveSnapshot } from "../model/live.ts";
import type { DesiredGraph, Resource } from "../model/resource.ts";
import { pruneChange } from "./decide.ts";
import type { ExecutableChange } from "./guard/types.ts";

/** What tells an object from all others: it is managed once a resource has claimed this. */
export function claimKey(live: LiveObject): string {
  const kind = kinds[live.kind];
  return `${kind.idSpace} ${kind.identity(live)}`;
}

/** Objects of the kinds that were listed and that no resource has claimed, each once. */
export function unmanagedObjects(snapshot: LiveSnapshot, claims: ReadonlySet<string>): readonly LiveObject[] {
  const seen = new Set(claims);
  // Inner scopes first, as in matching: what both routes show is the project's.
  const lists = [...snapshot.lists.entries()].toSorted(([a], [b]) => b.split("/").length - a.split("/").length);
  return lists
    .flatMap(([, list]) => (list.status === "known" ? list.objects : []))
    .filter((live) => {
      const claim = claimKey(live);
      if (!isPrunable(live) || seen.has(claim)) return false;
      seen.add(claim);
      return true;
    });
}

/** Whether an object is there, and is not only what stands for another or holds the others. */
function isPrunable(live: LiveObject): boolean {
  return kinds[live.kind].requiresExplicitCreate !== true && live.placeholder !== true && live.deleted !== true;
}

/**
 * The removals of undeclared objects of exclusive kinds, each once. Which objects are declared is only known where every
 * resource that may be one of them was found or is known to be absent: else nothing there is removed.
 */
export function pruneChanges(
  { exclusive }: DesiredGraph,
  { lists }: LiveSnapshot,
  unmanaged: readonly LiveObject[],
  unsure: readonly Resource[],
): readonly ExecutableChange[] {
  if (exclusive.length === 0) return [];
  // One of each is unmanaged, of whichever kind: people are members, invites and memberships. What is left are those to remove.
  const left = new Map(unmanaged.map((live) => [claimKey(live), live.scope]));
  return widestFirst(exclusive)
    .filter((collection) => !unsure.some((resource) => mayContain(collection, resource)))
    .flatMap(({ scope, kind }) => {
      const list = lists.get(listKey(scope, kind));
      const objects = list?.status === "known" ? list.objects.filter(isPrunable) : [];
      const found = objects.filter((live) => left.get(claimKey(live)) === scope);
      for (const live of found) left.delete(claimKey(live));
      return found.map((live) => pruneChange(kinds[kind], live, `${scope}/${kinds[kind].collection}/id=${live.id}`));
    });
}

/** A membership is all that a member and an invite are, so that it goes before them. */
function widestFirst(exclusive: DesiredGraph["exclusive"]): DesiredGraph["exclusive"] {
  const isPart = ({ kind }: DesiredGraph["exclusive"][number]): boolean => kinds[kind].derived !== true;
  return exclusive.toSorted((a, b) => Number(isPart(a)) - Number(isPart(b)));
}

/** Whether an object of a collection may be a resource: its kind's siblings, and inner and outer scopes, show the same objects. */
export function mayContain(collection: DesiredGraph["exclusive"][number], resource: Resource): boolean {
  const isWithin = (inner: string, outer: string): boolean => inner === outer || inner.startsWith(`${outer}/`);
  const isNear = isWithin(resource.scope, collection.scope) || isWithin(collection.scope, resource.scope);
  return isNear && kinds[resource.kind].idSpace === kinds[collection.kind].idSpace;
}
