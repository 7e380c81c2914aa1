import type { Change } from "../model/change.ts";
import type { Plan } from "../model/plan.ts";

/** What has to end before a change may begin. */
export interface Before {
  /** The create of what it belongs to. */
  readonly parent: Change | undefined;
  /** The updates that free the natural key it is about to take. */
  readonly freeing: readonly Change[];
}

const NOTHING: Before = { parent: undefined, freeing: [] };

/** Tells what has to end before each change of a plan. Only creates wait, and never for each other's children. */
export function createOrder(plan: Plan): (change: Change) => Before {
  const byAddress = new Map(plan.changes.map((change) => [change.address, change]));
  const freeing = new Map<string, readonly Change[]>();
  for (const change of plan.changes.filter(({ action }) => action === "update")) {
    for (const key of change.work?.live?.keys ?? []) {
      const place = placeOf(change, key);
      if (key !== change.work?.key) freeing.set(place, [...(freeing.get(place) ?? []), change]);
    }
  }
  return (change) => {
    const { action, work } = change;
    if (action !== "create" || work === null) return NOTHING;
    const freed = work.key === null ? [] : (freeing.get(placeOf(change, work.key)) ?? []);
    return { parent: byAddress.get(work.scope), freeing: freed };
  };
}

function placeOf({ kind, work }: Change, key: string): string {
  return JSON.stringify([kind, work?.scope, key]);
}
