import { kinds } from "../kinds/registry.ts";
import type { Change } from "../model/change.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { LiveSnapshot } from "../model/live.ts";
import { isSelected, type Plan, type PlanOptions, type Summary } from "../model/plan.ts";
import type { DesiredGraph, Resource } from "../model/resource.ts";
import { applyGuards } from "./guard/guard.ts";
import { findRenameCandidates, probableRenames } from "./guard/rename-detection.ts";
import { lookupKeysOf } from "./lists-to-read.ts";
import { type PlanContext, planResource } from "./resource.ts";
import { claimKey } from "./match.ts";
import { pruneChanges, unmanagedObjects } from "./unmanaged.ts";

/**
 * Decides what apply has to do. Pure and total: the same graph, snapshot and options give the same plan, byte for byte.
 */
export function makePlan(graph: DesiredGraph, snapshot: LiveSnapshot, options: PlanOptions): Plan {
  const { changes: planned, unidentified, claims, diagnostics } = planResources(graph, snapshot, options);
  const unmanaged = unmanagedObjects(snapshot, claims);
  const removed = pruneChanges(graph, snapshot, unmanaged, unidentified).filter((change) =>
    isSelected(change.address, options.only),
  );
  const changes = [...planned, ...removed];
  const renameCandidates = findRenameCandidates(changes, unmanaged);
  const guarded = applyGuards(changes, { graph, snapshot, renameCandidates, claims, prune: options.prune });
  // An object that is removed is not listed as unmanaged as well.
  const listed = new Set(removed.map(({ work }) => claimKey(work.live)));
  const left = unmanaged.filter((live) => !listed.has(claimKey(live)));
  return {
    summary: summarize(guarded, left.length),
    options,
    changes: guarded,
    unmanaged: left.map(({ kind, scope, id, keys }) => ({ kind, scope, id, key: keys[0] ?? null })),
    diagnostics: [...diagnostics, ...probableRenames(guarded, unmanaged)],
  };
}

/** What is planned for the declared resources, without the guards. */
interface PlannedResources {
  /** Those of the selected resources, in the order of the graph. */
  readonly changes: readonly Change[];
  /** Resources whose object is not known for certain. */
  readonly unidentified: readonly Resource[];
  readonly claims: ReadonlySet<string>;
  readonly diagnostics: readonly Diagnostic[];
}

function planResources(graph: DesiredGraph, snapshot: LiveSnapshot, options: PlanOptions): PlannedResources {
  const lookupKeys = lookupKeysOf(graph);
  const planning: PlanContext = { snapshot, options, lookupKeys, indexes: new Map(), claims: new Set() };
  const diagnostics: Diagnostic[] = [];
  const planned = new Map<string, Change>();
  const unidentified: Resource[] = [];
  for (const resource of inMatchingOrder(graph.resources)) {
    const found: Diagnostic[] = [];
    const change = planResource(planning, resource, found);
    // Another object may be the one that a wrong pin means, so it is not pruned.
    if (isUnidentified(change) || restoresUnlisted(change)) unidentified.push(resource);
    if (!isSelected(resource.address, options.only)) continue;
    planned.set(resource.address, change);
    diagnostics.push(...found);
  }
  const changes = graph.resources.flatMap(({ address }) => planned.get(address) ?? []);
  return { changes, unidentified, claims: planning.claims, diagnostics };
}

/** Whether it is not known which live object a resource is. It may be any object of its collection. */
export function isUnidentified({ action, blocked }: Change): boolean {
  return action === "unknown" || blocked?.rule === "pin_missing" || blocked?.rule === "not_there";
}

/** Whether an object is restored that no list shows, so that its id may be wrong. */
function restoresUnlisted({ action, work }: Change): boolean {
  return action === "restore" && work?.live === undefined;
}

/**
 * Pins come first, then inner scopes before outer ones: an organization must not claim an export that is declared in its project.
 * A resource with a current name comes before one that was renamed.
 */
export function inMatchingOrder(resources: readonly Resource[]): readonly Resource[] {
  const renamed = ({ lifecycle }: Resource): number => Number(lifecycle.renamed_from !== undefined);
  // The address of a scope is longer than that of the one around it.
  const sorted = resources.toSorted((a, b) => b.scope.length - a.scope.length || renamed(a) - renamed(b));
  return [...sorted.filter(({ pin }) => pin !== undefined), ...sorted.filter(({ pin }) => pin === undefined)];
}

/** Shows an expired object that apply leaves alone as a replace that is blocked: it is not as declared. */
export function blockExpired(plan: Plan): Plan {
  const changes = plan.changes.map((change): Change => {
    const { action, kind, work } = change;
    const lift = kinds[kind].expiry?.lift;
    const isLeft = action === "no_op" && work?.live?.expired === true && work.resource?.lifecycle.forget !== true;
    return isLeft && lift !== undefined ? { ...change, action: "replace", blocked: { rule: "expired", lift } } : change;
  });
  return { ...plan, changes, summary: summarize(changes, plan.unmanaged.length) };
}

/** Counts the changes by action. */
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
