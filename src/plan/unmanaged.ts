import { kinds } from "../kinds/registry.ts";
import type { Change } from "../model/change.ts";
import type { LiveObject, LiveSnapshot } from "../model/live.ts";
import type { DesiredGraph } from "../model/resource.ts";
import { prune } from "./decide.ts";

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

/** The removals of undeclared objects of exclusive kinds. */
export function pruned(graph: DesiredGraph, unmanaged: readonly LiveObject[]): readonly Change[] {
  return graph.exclusive.flatMap(({ scope, kind }) =>
    unmanaged
      .filter((live) => live.scope === scope && live.kind === kind)
      .map((live) => prune(kinds[kind], live, `${scope}/${kinds[kind].collection}/id=${live.id}`)),
  );
}
