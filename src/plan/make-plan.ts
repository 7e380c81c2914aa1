import { referringLast } from "../kinds/references.ts";
import { addressOf } from "../kinds/registry.ts";
import { worldOf } from "../kinds/world.ts";
import { compareNaturally } from "../model/compare-text.ts";
import type { Blocked, Change } from "../model/change.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { isGoneList, listKey, type LiveObject, type LiveWorld } from "../model/live.ts";
import { isSelected, type Plan, type PlanOptions, type Unmanaged, unmanagedOf } from "../model/plan.ts";
import type { DesiredGraph, Resource } from "../model/resource.ts";
import { CHECKS, checkChanges } from "./guard/guard.ts";
import { summarize } from "./summarize.ts";
import { lookupKeysOf } from "./lists-to-read.ts";
import { kindNotOnService } from "./missing-fields.ts";
import { formerNamesOf } from "./former-names.ts";
import { type PlanContext, planResource } from "./plan-resource.ts";
import { claimKey } from "./match.ts";
import {
  compareObjects,
  partialCollections,
  pruneChanges,
  undeclaredObjects,
  withoutDeclaredElsewhere,
} from "./undeclared.ts";

/** Which live objects the resources of a plan are, and which ones no resource is. */
export interface Matches {
  /** The objects that resources were matched with, by `claimKey`. */
  readonly claims: ReadonlySet<string>;
  /** The listed objects that no resource is, those that would be pruned included. */
  readonly undeclared: readonly LiveObject[];
  /** The changes of all resources by address, also of those that `only` leaves out. */
  readonly planned: ReadonlyMap<string, Change>;
  /** Resources that `only` leaves out, and whose object is not known for certain. */
  readonly elsewhere: readonly Resource[];
}

/** A plan with the matches that it was made from. */
export interface MatchedPlan {
  readonly plan: Plan;
  readonly matches: Matches;
}

/**
 * Decides what apply has to do. Pure and total: the same graph, world and options give the same plan, byte for byte.
 *
 * @param findUndeclared finds the objects that nothing declares. A state knows its own: what another one has is not undeclared
 */
export function makePlan(
  graph: DesiredGraph,
  world: LiveWorld,
  options: PlanOptions,
  findUndeclared = undeclaredObjects,
): MatchedPlan {
  const { changes: selected, planned, unidentified, claims, diagnostics } = planResources(graph, world, options);
  const undeclared = findUndeclared(world, claims);
  const removed = pruneChanges(graph, world, undeclared, unidentified).filter((change) =>
    isSelected(change.address, options.only),
  );
  const changes = [...selected, ...removed];
  const { prune, only } = options;
  const checked = { changes, graph, world: worldOf(world), claims, undeclared, prune, only };
  const { changes: guarded, warnings } = checkChanges(CHECKS, checked);
  const elsewhere = unidentified.filter(({ address }) => !isSelected(address, options.only));
  const left = unmanagedBeside(guarded, withoutDeclaredElsewhere(undeclared, elsewhere));
  return {
    plan: {
      summary: summarize(guarded, left.length),
      options,
      changes: guarded,
      unmanaged: left,
      diagnostics: [
        ...diagnostics,
        ...warnings,
        ...partialCollections(graph, world, options.only),
        ...pruneOfNothing(graph, options),
      ],
    },
    matches: { claims, undeclared, planned, elsewhere },
  };
}

/** Warns that `--prune` removes nothing. Otherwise a plan without removals looks as if the service had no other objects. */
function pruneOfNothing({ exclusive }: DesiredGraph, { prune }: PlanOptions): readonly Diagnostic[] {
  if (!prune || exclusive.length > 0) return [];
  const message = "no collection is exclusive, so --prune removes nothing";
  const hint = "Write exclusive: [COLLECTION] beside a collection whose undeclared objects are to go.";
  return [{ severity: "warning", code: "nothing_exclusive", message, hint }];
}

/** What is planned for the declared resources, without the guards. */
interface PlannedResources extends Pick<Matches, "planned" | "claims"> {
  /** Those of the selected resources, in the order of the graph. */
  readonly changes: readonly Change[];
  /** Resources whose object is not known for certain. */
  readonly unidentified: readonly Resource[];
  readonly diagnostics: readonly Diagnostic[];
}

function planResources(graph: DesiredGraph, world: LiveWorld, options: PlanOptions): PlannedResources {
  const lookupKeys = lookupKeysOf(graph);
  const self = graph.service.self?.toLowerCase();
  const formerNames = formerNamesOf(graph.resources);
  const matching = { indexes: new Map(), claims: new Set<string>(), contested: new Map(), renamed: new Map() };
  const planned = new Map<string, Change>();
  const planning: PlanContext = { graph, world, options, lookupKeys, formerNames, self, planned, ...matching };
  const diagnostics: Diagnostic[] = [];
  const unidentified: Resource[] = [];
  for (const resource of referringLast(formerNames.inOrder)) {
    if (isGoneList(world.lists.get(listKey(resource.scope, resource.kind)))) {
      // Its object may be in the list of a sibling, so that is not pruned.
      unidentified.push(resource);
      if (isSelected(resource.address, options.only)) diagnostics.push(kindNotOnService(resource));
      continue;
    }
    const ofResource: Diagnostic[] = [];
    const change = planResource(planning, resource, ofResource);
    planned.set(resource.address, change);
    // Another object may be the one that a wrong pin means, so it is not pruned.
    if (isUnidentified(change) || restoresUnlisted(change)) unidentified.push(resource);
    if (isSelected(resource.address, options.only)) diagnostics.push(...ofResource);
  }
  const selected = graph.resources.filter(({ address }) => isSelected(address, options.only));
  const changes = selected.flatMap(({ address }) => planned.get(address) ?? []);
  return { changes, planned, unidentified, claims: planning.claims, diagnostics };
}

/** What a plan lists as unmanaged: the undeclared objects that none of its changes removes. */
export function unmanagedBeside(changes: readonly Change[], undeclared: readonly LiveObject[]): readonly Unmanaged[] {
  const ofChanges = new Set(changes.map(({ work }) => work?.live && claimKey(work.live)));
  const left = undeclared.filter((live) => !ofChanges.has(claimKey(live)));
  return left.toSorted((a, b) => compareNaturally(addressOf(a), addressOf(b)) || compareObjects(a, b)).map(unmanagedOf);
}

const NOT_FOUND: ReadonlySet<Blocked["rule"]> = new Set(["pin_missing", "pinned_elsewhere", "not_there"]);

/** Whether it is not known which live object a resource is. It may be any object of its collection. */
export function isUnidentified({ action, blocked }: Change): boolean {
  return action === "unknown" || (blocked !== null && NOT_FOUND.has(blocked.rule));
}

/** Whether an object is restored that no list shows, so that its id may be wrong. */
function restoresUnlisted({ action, work }: Change): boolean {
  return action === "restore" && work?.live === undefined;
}
