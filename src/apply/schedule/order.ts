import type { Change } from "../../model/change.ts";
import type { Plan } from "../../model/plan.ts";

/** What has to end before a change may begin. */
export interface Prerequisites {
  /** The create of what it belongs to. */
  readonly parent: readonly Change[];
  /** The updates that free the natural key it is about to take. */
  readonly freeing: readonly Change[];
  /** Creates of the same name further inside: the list of an organization shows them too, and they must be known by then. */
  readonly inner: readonly Change[];
}

const NO_PREREQUISITES: Prerequisites = { parent: [], freeing: [], inner: [] };

/** Tells what has to end before each change of a plan. Only what creates waits, for updates and for creates further inside. */
export function createPrerequisites(plan: Plan): (change: Change) => Prerequisites {
  const byAddress = new Map(plan.changes.map((change) => [change.address, [change]]));
  const freeing = new Map<string, readonly Change[]>();
  const creating = new Map<string, readonly Change[]>();
  for (const change of plan.changes) {
    const { kind, action, work } = change;
    if (isCreating(change)) add(creating, [kind, work?.key], change);
    if (action !== "update") continue;
    for (const key of work?.live?.keys ?? []) if (key !== work?.key) add(freeing, [kind, work?.scope, key], change);
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

function add(index: Map<string, readonly Change[]>, place: readonly unknown[], change: Change): void {
  const key = JSON.stringify(place);
  index.set(key, [...(index.get(key) ?? []), change]);
}
