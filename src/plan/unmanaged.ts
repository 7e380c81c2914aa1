import { kinds } from "../kinds/registry.ts";
import type { LiveObject, LiveSnapshot } from "../model/live.ts";
import type { DesiredGraph, Resource } from "../model/resource.ts";
import { prune } from "./decide.ts";
import type { Decided } from "./rule.ts";

/** What tells an object from all others: it is managed once a resource has claimed this. */
export function claimOf(live: LiveObject): string {
  const kind = kinds[live.kind];
  return `${kind.space} ${kind.identity(live)}`;
}

/** Objects of the kinds that were listed and that no resource has claimed, each once. */
export function unmanagedObjects(snapshot: LiveSnapshot, claims: ReadonlySet<string>): readonly LiveObject[] {
  const seen = new Set(claims);
  // Inner scopes first, as in matching: what both routes show is the project's.
  const lists = [...snapshot.lists.entries()].toSorted(([a], [b]) => b.split("/").length - a.split("/").length);
  return lists
    .flatMap(([, list]) => (list.status === "known" ? list.objects : []))
    .filter((live) => {
      const claim = claimOf(live);
      if (kinds[live.kind].foundational === true || live.standIn === true || live.deleted === true || seen.has(claim))
        return false;
      seen.add(claim);
      return true;
    });
}

/**
 * The removals of undeclared objects of exclusive kinds. Which objects are declared is only known where every resource that
 * may be one of them was found or is known to be absent: else nothing there is removed.
 */
export function pruned(
  { exclusive }: DesiredGraph,
  unmanaged: readonly LiveObject[],
  unsure: readonly Resource[],
): readonly Decided[] {
  return exclusive
    .filter((collection) => !unsure.some((resource) => mayHold(collection, resource)))
    .flatMap(({ scope, kind }) =>
      unmanaged
        .filter((live) => live.scope === scope && live.kind === kind)
        .map((live) => prune(kinds[kind], live, `${scope}/${kinds[kind].collection}/id=${live.id}`)),
    );
}

/** Whether an object of a collection may be a resource: its kind's siblings, and inner and outer scopes, show the same objects. */
export function mayHold(collection: DesiredGraph["exclusive"][number], resource: Resource): boolean {
  const isWithin = (inner: string, outer: string): boolean => inner === outer || inner.startsWith(`${outer}/`);
  const isNear = isWithin(resource.scope, collection.scope) || isWithin(collection.scope, resource.scope);
  return isNear && kinds[resource.kind].space === kinds[collection.kind].space;
}
