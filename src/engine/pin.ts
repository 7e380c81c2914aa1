/**
 * Finds the ids of objects that were found by name, so that they can be declared.
 *
 * Premise: a name may be changed in the web interface; an id never changes. A pinned object that is renamed there is drift
 * that apply can put right, while without a pin it looks as if it were missing.
 */
import { pinValue } from "../export/index.ts";
import { isSelected } from "../model/address.ts";
import type { Change } from "../model/change.ts";
import type { Outcome } from "../model/outcome.ts";
import type { DesiredGraph } from "../model/resource.ts";
import type { Addition } from "./additions.ts";
import type { PlannedRun } from "./plan.ts";

/** A declaration without a pin, and why it gets none. */
export interface Unpinned {
  readonly address: string;
  readonly why: string;
}

export interface FoundPins {
  readonly additions: readonly Addition[];
  readonly unpinned: readonly Unpinned[];
}

/** The ids of all objects and projects that a plan found by name. */
export function findPins({ plan, snapshot, input }: PlannedRun): FoundPins {
  const additions: Addition[] = [];
  const unpinned: Unpinned[] = [];
  for (const change of plan.changes) {
    const { address } = change;
    const resource = change.work?.resource;
    if (resource === undefined || resource.pin !== undefined) continue;
    const why = reasonNotToPin(change);
    const id = pinValue(change.kind, change.id ?? "");
    if (why !== undefined || id === undefined) unpinned.push({ address, why: why ?? cannotBePinned(change) });
    else additions.push({ address, position: resource.position, path: "", members: { id }, first: true });
  }
  for (const { address, id, position } of input.config.graph.projects) {
    const scope = snapshot.scopes.get(address);
    const found = scope?.status === "known" ? scope.path["project_id"] : undefined;
    if (id !== undefined || found === undefined || !isSelected(address, input.options.only)) continue;
    additions.push({ address, position, path: "", members: { id: found }, first: true });
  }
  return { additions, unpinned };
}

function reasonNotToPin({ action, work }: Change): string | undefined {
  const { lifecycle } = work?.resource ?? {};
  if (lifecycle?.state === "absent" || lifecycle?.forget === true) return "driftline does not keep it";
  if (work?.live === undefined) return "it does not exist yet";
  if (work.live.placeholder === true) return "another object has taken its place";
  return action === "replace" ? "apply will replace it by an object with another id" : undefined;
}

function cannotBePinned({ kind }: Change): string {
  return `a ${kind} is not identified by an id`;
}

const MADE: ReadonlySet<Outcome["status"]> = new Set(["applied", "unverified"]);

/** The ids of the objects that an apply has created, and that are not pinned yet. */
export function pinsOfCreated(outcomes: readonly Outcome[], { resources }: DesiredGraph): readonly Addition[] {
  const declared = new Map(resources.map((resource) => [resource.address, resource]));
  return outcomes.flatMap(({ address, kind, action, status, id }): readonly Addition[] => {
    const resource = declared.get(address);
    // An unverified replace may still have the id of the old object.
    const isMade = action === "create" ? MADE.has(status) : action === "replace" && status === "applied";
    const pin = id === null || !isMade ? undefined : pinValue(kind, id);
    if (pin === undefined || resource === undefined || resource.pin !== undefined) return [];
    return [{ address, position: resource.position, path: "", members: { id: pin }, first: true }];
  });
}
