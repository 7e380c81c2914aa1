import type { Change } from "../model/change.ts";
import type { LiveSnapshot } from "../model/live.ts";
import type { Plan, PlanOptions, Summary } from "../model/plan.ts";
import type { DesiredGraph, Resource } from "../model/resource.ts";
import { guard } from "./guard.ts";
import { planResource, type Planning } from "./resource.ts";
import { soughtBy } from "./sought.ts";
import { findTwins } from "./twins.ts";
import { pruned, unmanagedObjects } from "./unmanaged.ts";

/**
 * Decides what has to be done. Pure and total: the same graph, snapshot and options give the same plan, byte for byte.
 */
export function makePlan(graph: DesiredGraph, snapshot: LiveSnapshot, options: PlanOptions): Plan {
  const sought = soughtBy(graph);
  const planning: Planning = { snapshot, options, sought, indexes: new Map(), claims: new Set(), diagnostics: [] };
  const made = new Map<string, Change>();
  const unsure: Resource[] = [];
  for (const resource of inMatchingOrder(graph.resources)) {
    const change = planResource(planning, resource);
    if (change.action === "unknown") unsure.push(resource);
    if (isSelected(resource.address, options.only)) made.set(resource.address, change);
  }
  const unmanaged = unmanagedObjects(snapshot, planning.claims);
  const removed = pruned(graph, unmanaged, unsure).filter((change) => isSelected(change.address, options.only));
  const changes = [...graph.resources.flatMap((resource) => made.get(resource.address) ?? []), ...removed];
  const guarded = guard(changes, { graph, snapshot, twins: findTwins(changes, unmanaged), prune: options.prune });
  // What is listed as a removal is not listed again as left alone.
  const listed = new Set(removed.map(({ work }) => work?.live));
  const left = unmanaged.filter((live) => !listed.has(live));
  return {
    summary: summarize(guarded, left.length),
    options,
    changes: guarded,
    unmanaged: left.map(({ kind, scope, id, keys }) => ({ kind, scope, id, key: keys[0] ?? null })),
    diagnostics: planning.diagnostics.filter(
      ({ address }) => address === undefined || isSelected(address, options.only),
    ),
  };
}

/** Whether an address is one of `only`, or below one. */
export function isSelected(address: string, only: readonly string[]): boolean {
  return only.length === 0 || only.some((chosen) => address === chosen || address.startsWith(`${chosen}/`));
}

/** Pins first, then inner scopes before outer ones: an export declared under its project is not the organization's to claim. */
function inMatchingOrder(resources: readonly Resource[]): readonly Resource[] {
  const depth = (resource: Resource): number => resource.scope.split("/").length;
  return resources.toSorted((a, b) => Number(b.pin !== undefined) - Number(a.pin !== undefined) || depth(b) - depth(a));
}

/** How many changes there are of each sort. */
export function summarize(changes: readonly Omit<Change, "work">[], unmanaged: number): Summary {
  const count = (test: (change: Omit<Change, "work">) => boolean): number => changes.filter(test).length;
  return {
    create: count(({ action }) => action === "create"),
    update: count(({ action }) => action === "update"),
    replace: count(({ action }) => action === "replace"),
    delete: count(({ action }) => action === "delete"),
    restore: count(({ action }) => action === "restore"),
    no_op: count(({ action }) => action === "no_op"),
    unknown: count(({ action }) => action === "unknown"),
    blocked: count(({ blocked }) => blocked !== null),
    unmanaged,
  };
}
