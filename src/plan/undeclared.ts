/**
 * Finds the objects that no resource refers to. If their kind is exclusive, they are removed, provided that every resource that
 * may be in the collection was found or is known to be absent.
 */
import type { LiveChange } from "../model/change.ts";
import { compareNaturally } from "../model/compare-text.ts";
import { rightsOfPerson } from "../kinds/people/index.ts";
import { collectionOf, addressOf, gapAt, isScope, kinds, isDerived } from "../kinds/registry.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { isPresent, listKey, type LiveObject, type LiveWorld } from "../model/live.ts";
import { overlaps, undeclaredAddress } from "../model/plan.ts";
import { type Collection, type DesiredGraph, type Resource } from "../model/resource.ts";
import { pruneChange } from "./make-change.ts";
import { claimKey, mayContain } from "./match.ts";

/** Returns each listed object that no resource has claimed, once. */
export function undeclaredObjects(world: LiveWorld, claims: ReadonlySet<string>): readonly LiveObject[] {
  const seen = new Set(claims);
  // Inner scopes first, as in matching: an object that both routes show belongs to the project.
  const lists = [...world.lists.entries()].toSorted(([a], [b]) => b.split("/").length - a.split("/").length);
  return lists
    .flatMap(([, list]) => (list.status === "known" ? list.objects : []))
    .filter((live) => {
      const claim = claimKey(live);
      if (!isCountable(live) || seen.has(claim)) return false;
      seen.add(claim);
      return true;
    });
}

/** Leaves out the objects that may be those of these resources, whose lists were not read. */
export function withoutDeclaredElsewhere(
  undeclared: readonly LiveObject[],
  elsewhere: readonly Resource[],
): readonly LiveObject[] {
  return undeclared.filter((live) => !elsewhere.some((resource) => mayContain(live, resource)));
}

/** People with the most rights come first. The others are in the order of their names, which people look for. */
export function compareObjects(a: LiveObject, b: LiveObject): number {
  return rightsOfPerson(b) - rightsOfPerson(a) || compareNaturally(nameOrder(a), nameOrder(b));
}

/** The name, else the id. Those without a name come last. */
function nameOrder({ keys, id }: LiveObject): string {
  const [name] = keys;
  return name === undefined ? `1/${id}` : `0/${name}/${id}`;
}

/** Whether an object counts if nothing declares it. An organization never does, and a placeholder is no object. */
function isCountable(live: LiveObject): boolean {
  return !isScope(kinds[live.kind]) && isPresent(live);
}

/**
 * Returns the removals of undeclared objects of exclusive kinds, each once. A collection is pruned only if every resource that
 * may be in it was found or is known to be absent. Otherwise an object might be declared after all.
 */
export function pruneChanges(
  { exclusive }: DesiredGraph,
  world: LiveWorld,
  undeclared: readonly LiveObject[],
  unidentified: readonly Resource[],
): readonly LiveChange[] {
  // Kinds of one id space show the same objects: each object is removed once, through one of them.
  const left = new Map(undeclared.map((live) => [claimKey(live), live.scope]));
  return widestFirst(exclusive)
    .filter(({ scope, kind }) => gapAt(world, scope, kind) === undefined)
    .filter((collection) => !unidentified.some((resource) => mayContain(collection, resource)))
    .flatMap(({ scope, kind }) => {
      const list = world.lists.get(listKey(scope, kind));
      const objects = list?.status === "known" ? list.objects.filter(isCountable) : [];
      const here = objects.filter((live) => left.get(claimKey(live)) === scope);
      for (const live of here) left.delete(claimKey(live));
      const removed = here.toSorted(compareObjects);
      return removed.map((live) => pruneChange(kinds[kind], live, undeclaredAddress({ scope, kind, id: live.id })));
    });
}

/** The errors about exclusive collections that the key sees only in part: what else is in them is not known, and nothing is removed. */
export function partialCollections(
  { exclusive }: DesiredGraph,
  world: LiveWorld,
  only: readonly string[],
): readonly Diagnostic[] {
  return exclusive.flatMap(({ scope, kind }): readonly Diagnostic[] => {
    const address = addressOf({ scope, kind });
    const gap = gapAt(world, scope, kind);
    if (gap === undefined || !overlaps(address, only)) return [];
    const message = `nothing of ${collectionOf(kind)} is removed: ${gap}`;
    return [{ severity: "error", code: "partial_list", message, address }];
  });
}

/** An object of a derived kind consists of objects of other kinds, so it is removed first. */
function widestFirst(exclusive: DesiredGraph["exclusive"]): DesiredGraph["exclusive"] {
  const isPart = ({ kind }: Collection): boolean => !isDerived(kinds[kind]);
  return exclusive.toSorted((a, b) => Number(isPart(a)) - Number(isPart(b)));
}
