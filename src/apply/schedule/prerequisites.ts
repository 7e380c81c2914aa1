import type { Change } from "../../model/change.ts";
import type { Plan } from "../../model/plan.ts";

/** The changes that must end before a change may begin. */
export interface Prerequisites {
  /** The create of its parent. */
  readonly parent: readonly Change[];
  /** The updates that free the natural key that it takes. */
  readonly freeing: readonly Change[];
  /**
   * Creates of the same name in scopes inside its own. The list of an organization shows their objects, too, so they
   * must be known.
   */
  readonly inner: readonly Change[];
}

const NO_PREREQUISITES: Prerequisites = { parent: [], freeing: [], inner: [] };

/** Returns the prerequisites of each change of a plan. Only creates and replaces have any. */
export function createPrerequisites(plan: Plan): (change: Change) => Prerequisites {
  const byAddress = new Map(plan.changes.map((change) => [change.address, [change]]));
  const freeing = new Map<string, readonly Change[]>();
  const creating = new Map<string, readonly Change[]>();
  for (const change of plan.changes) {
    const { kind, action, work } = change;
    if (isCreating(change)) addToIndex(creating, [kind, work?.key], change);
    if (action !== "update") continue;
    for (const key of work?.live?.keys ?? [])
      if (key !== work?.key) addToIndex(freeing, [kind, work?.scope, key], change);
  }
  return (change) => {
    const { kind, work } = change;
    if (work === null || !isCreating(change)) return NO_PREREQUISITES;
    const { scope, key } = work;
    const isInner = (other: Change): boolean => other.work?.scope.startsWith(`${scope}/`) === true;
    return {
      parent: byAddress.get(scope) ?? [],
      freeing: freeing.get(JSON.stringify([kind, scope, key])) ?? [],
      inner: (creating.get(JSON.stringify([kind, key])) ?? []).filter(isInner),
    };
  };
}

function isCreating({ action }: Change): boolean {
  return action === "create" || action === "replace";
}

function addToIndex(index: Map<string, readonly Change[]>, keys: readonly unknown[], change: Change): void {
  const key = JSON.stringify(keys);
  index.set(key, [...(index.get(key) ?? []), change]);
}
