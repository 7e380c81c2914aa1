/**
 * How the names of resources hang together with those that others had before a rename, and the order in which all are matched.
 *
 * Terms: a successor of a renamed resource declares its former name. A circle is a row of successors that ends where it begins.
 * Premise: a rename frees a name, so it comes before whatever takes that name: in matching as in an apply. In a circle no rename
 * is the first.
 */
import { declaredKeys, kinds } from "../kinds/registry.ts";
import { reaches } from "../model/reaches.ts";
import type { Resource } from "../model/resource.ts";
import { claimKey, type Index, match, type Match, renamedKeys, type Rivals } from "./match.ts";

export interface FormerNames {
  /** All resources in the order in which they are matched. */
  readonly inOrder: readonly Resource[];
  /** The other resources that declare the former name of one, or that had it as well. */
  readonly rivalsOf: (resource: Resource) => readonly Resource[];
  readonly isInCircle: (resource: Resource) => boolean;
}

/** What matching one resource after the other has found. */
export interface Matching extends Pick<Rivals, "claims"> {
  readonly formerNames: FormerNames;
  /** Renamed resources whose object may be that of another one, by its `claimKey`. */
  readonly contested: Map<string, string>;
  /** Resources that found an object by their former name, by its `claimKey`. */
  readonly renamed: Map<string, string>;
}

/** Finds the object of a resource, after all resources that come before it in order. */
export function matchBeside(matching: Matching, resource: Resource, indexes: readonly Index[]): Match {
  const { claims, formerNames, contested, renamed } = matching;
  const matched = match(kinds[resource.kind], resource, indexes, {
    claims,
    contested,
    ofFormerName: formerNames.rivalsOf(resource),
    isInCircle: formerNames.isInCircle(resource),
  });
  if (matched.type === "undecided" && matched.contested !== undefined)
    contested.set(claimKey(matched.contested), resource.address);
  if (matched.type === "found" && matched.hasFormerKey === true) renamed.set(claimKey(matched.live), resource.address);
  return matched;
}

type ByName = ReadonlyMap<string, readonly Resource[]>;

export function formerNamesOf(resources: readonly Resource[]): FormerNames {
  const renamed = resources.filter(isRenamed);
  const byFormerName = byName(renamed, formerKeys);
  // Most configurations rename nothing.
  const byPresentName = byName(renamed.length === 0 ? [] : resources, declaredKeys);
  const successorsOf = (one: Resource): readonly Resource[] => othersIn(byPresentName, formerKeys(one), one);
  return {
    inOrder: renamesFirst(inMatchingOrder(resources), (one) => othersIn(byFormerName, declaredKeys(one), one)),
    rivalsOf: (one) => [...new Set([...successorsOf(one), ...othersIn(byFormerName, formerKeys(one), one)])],
    isInCircle: (one) => reaches(one, successorsOf, ({ address }) => address === one.address),
  };
}

/** A pin keeps the object over a rename, so that the former name does not count. */
function isRenamed({ pin, lifecycle }: Resource): boolean {
  return pin === undefined && lifecycle.renamed_from !== undefined;
}

function formerKeys(resource: Resource): readonly string[] {
  const { renamed_from: from } = resource.lifecycle;
  return isRenamed(resource) && from !== undefined ? renamedKeys(kinds[resource.kind], resource, from) : [];
}

/** What a name is the name of: kinds of one id space share their objects. */
function keyInIdSpace({ kind, scope }: Resource, key: string): string {
  return [kinds[kind].identity.idSpace, scope, key].join("\n");
}

function byName(resources: readonly Resource[], keysOf: (resource: Resource) => readonly string[]): ByName {
  const named = new Map<string, Resource[]>();
  for (const resource of resources) {
    for (const key of keysOf(resource)) {
      const place = keyInIdSpace(resource, key);
      named.set(place, [...(named.get(place) ?? []), resource]);
    }
  }
  return named;
}

function othersIn(named: ByName, keys: readonly string[], resource: Resource): readonly Resource[] {
  const all = new Set(keys.flatMap((key) => named.get(keyInIdSpace(resource, key)) ?? []));
  return [...all].filter(({ address }) => address !== resource.address);
}

/**
 * Pins come first, then inner scopes before outer ones: an organization must not claim an export that is declared in its project.
 * A resource with a current name comes before one that was renamed.
 */
function inMatchingOrder(resources: readonly Resource[]): readonly Resource[] {
  const renamed = ({ lifecycle }: Resource): number => Number(lifecycle.renamed_from !== undefined);
  // The address of a scope is longer than that of the one around it.
  const sorted = resources.toSorted((a, b) => b.scope.length - a.scope.length || renamed(a) - renamed(b));
  return [...sorted.filter(({ pin }) => pin !== undefined), ...sorted.filter(({ pin }) => pin === undefined)];
}

/** @param formerHolders the resources that had the name of one before a rename */
function renamesFirst(
  resources: readonly Resource[],
  formerHolders: (resource: Resource) => readonly Resource[],
): readonly Resource[] {
  const order = new Map<string, Resource>();
  const begun = new Set<string>();
  const visit = (resource: Resource): void => {
    if (begun.has(resource.address)) return;
    begun.add(resource.address);
    if (resource.pin === undefined) formerHolders(resource).forEach(visit);
    order.set(resource.address, resource);
  };
  resources.forEach(visit);
  return [...order.values()];
}
