import { kinds } from "../kinds/registry.ts";
import type { KindName } from "../model/kind-name.ts";
import { listKey, type LiveScope, type Sought } from "../model/live.ts";
import type { DesiredGraph } from "../model/resource.ts";
import { isSelected } from "./plan.ts";
import { soughtBy } from "./sought.ts";
import { mayHold } from "./unmanaged.ts";

/** One kind to be listed in one scope. */
export interface Read {
  readonly scope: string;
  readonly kind: KindName;
  /** A declared field is missing from the cheapest form of the list. */
  readonly full: boolean;
  /** Which of the objects are needed whole; absent: all of them. */
  readonly sought?: Sought | undefined;
}

/** What has to be listed to plan the resources at `only`: each kind that is declared or exclusive, in each scope that is there. */
export function neededReads(
  graph: DesiredGraph,
  scopes: ReadonlyMap<string, LiveScope>,
  only: readonly string[],
): readonly Read[] {
  const reads = new Map<string, Read>();
  const sought = soughtBy(graph);
  // What may be pruned is looked at whole.
  const whole = new Set(graph.exclusive.map(({ scope, kind }) => listKey(scope, kind)));
  const add = (scope: string, kind: KindName, full: boolean): void => {
    if (scope === "" || scopes.get(scope)?.status !== "known") return;
    const key = listKey(scope, kind);
    const isFull = full || reads.get(key)?.full === true;
    // Rules look at all people: who else is an owner, and who has a second factor.
    const isWhole = whole.has(key) || kinds[kind].people === true;
    reads.set(key, { scope, kind, full: isFull, sought: isWhole ? undefined : sought.get(key) });
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
    for (const resource of graph.resources.filter((one) => mayHold(exclusive, one)))
      for (const name of [resource.kind, ...kinds[resource.kind].siblings]) add(resource.scope, name, false);
  }
  return [...reads.values()];
}
