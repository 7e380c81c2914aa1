import { kinds } from "../kinds/registry.ts";
import type { KindName } from "../model/kind-name.ts";
import { listKey, type LiveScope, type LookupKeys } from "../model/live.ts";
import type { DesiredGraph } from "../model/resource.ts";
import { isSelected } from "./plan.ts";
import { lookupKeysOf } from "./lookup-keys.ts";
import { mayContain } from "./unmanaged.ts";

/** One kind to be listed in one scope. */
export interface PlannedRead {
  readonly scope: string;
  readonly kind: KindName;
  /** A declared field is missing from the cheapest form of the list. */
  readonly full: boolean;
  /** Which of the objects are needed whole; absent: all of them. */
  readonly lookupKeys?: LookupKeys | undefined;
  /** Ids of all that is needed, where they are so few that each is better read by itself. */
  readonly ids?: readonly string[] | undefined;
}

/** How many objects are read one by one rather than in a list. */
const FEW = 3;

/** What has to be listed to plan the resources at `only`: each kind that is declared or exclusive, in each scope that is there. */
export function neededReads(
  graph: DesiredGraph,
  scopes: ReadonlyMap<string, LiveScope>,
  only: readonly string[],
): readonly PlannedRead[] {
  return readsInKnownScopes(scopes, declaredReads(graph, only));
}

/** Those in scopes that are there. */
export function readsInKnownScopes(
  scopes: ReadonlyMap<string, LiveScope>,
  reads: readonly PlannedRead[],
): readonly PlannedRead[] {
  return reads.filter(({ scope }) => scopes.get(scope)?.status === "known");
}

/** The same in every scope, whether or not it is there: known before anything is read. */
export function declaredReads(graph: DesiredGraph, only: readonly string[]): readonly PlannedRead[] {
  const lists = listsToRead(graph, only);
  const lookupKeys = lookupKeysOf(graph);
  // What may be pruned is looked at whole.
  const pruned = new Set(graph.exclusive.map(({ scope, kind }) => listKey(scope, kind)));
  return [...lists].map(([key, { scope, kind, full }]) => {
    // Rules look at all people: who else is an owner, and who has a second factor.
    const isWhole = pruned.has(key) || kinds[kind].membership !== undefined;
    const ids = pruned.has(key) ? undefined : idsIfFew(graph, scope, kind, only);
    return { scope, kind, full, lookupKeys: isWhole ? undefined : lookupKeys.get(key), ids };
  });
}

/** By `listKey`. */
function listsToRead(
  graph: DesiredGraph,
  only: readonly string[],
): ReadonlyMap<string, Pick<PlannedRead, "scope" | "kind" | "full">> {
  const lists = new Map<string, Pick<PlannedRead, "scope" | "kind" | "full">>();
  const add = (scope: string, kind: KindName, full: boolean): void => {
    if (scope === "") return;
    const key = listKey(scope, kind);
    lists.set(key, { scope, kind, full: full || lists.get(key)?.full === true });
  };
  for (const { scope, kind, values, address } of graph.resources) {
    if (!isSelected(address, only)) continue;
    const full = kinds[kind].fullListFields?.some((field) => field in values) === true;
    for (const name of [kind, ...kinds[kind].siblings]) add(scope, name, full);
  }
  for (const exclusive of graph.exclusive) {
    const { scope, kind } = exclusive;
    const collection = `${scope}/${kinds[kind].collection}`;
    if (!isSelected(collection, only) && !only.some((chosen) => chosen.startsWith(`${collection}/`))) continue;
    add(scope, kind, false);
    // What is declared elsewhere may be among its objects, and is not undeclared then.
    for (const resource of graph.resources.filter((one) => mayContain(exclusive, one)))
      for (const name of [resource.kind, ...kinds[resource.kind].siblings]) add(resource.scope, name, false);
  }
  return lists;
}

/**
 * The ids of the resources at `only`, where these are few, all pinned, and of a kind whose lists may be long. What is to be removed
 * needs the whole list; so does a plan of everything, which counts what is not managed.
 */
function idsIfFew(
  { resources }: DesiredGraph,
  scope: string,
  kind: KindName,
  only: readonly string[],
): readonly string[] | undefined {
  if (only.length === 0 || kinds[kind].numerous !== true) return undefined;
  const chosen = resources.filter((one) => one.scope === scope && one.kind === kind && isSelected(one.address, only));
  const ids = chosen.flatMap(({ pin, lifecycle }) =>
    pin?.field === "id" && lifecycle.state !== "absent" ? [pin.value] : [],
  );
  return ids.length > 0 && ids.length <= FEW && ids.length === chosen.length ? ids : undefined;
}
