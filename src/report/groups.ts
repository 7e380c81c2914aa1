import type { ShownChange } from "../model/plan.ts";
import { entriesOfChange } from "./diff/entries.ts";

/** Changes of one kind that do the same for the same reason. Only the addresses and ids differ. */
export type ChangeGroup = readonly [ShownChange, ...ShownChange[]];

/** Fewer equal changes are shown one by one: they are read as quickly. */
const MIN_GROUP = 3;

/**
 * Groups changes whose differences are equal, so that 100 equal edits are read once. Each group stands where its first
 * change stood. Changes without differences are one line each, and stay alone.
 */
export function groupChanges(changes: readonly ShownChange[], isVerbose: boolean): readonly ChangeGroup[] {
  const groups = new Map<string, [ShownChange, ...ShownChange[]]>();
  changes.forEach((change, index) => {
    const key = isVerbose || change.fields.length === 0 ? String(index) : groupKey(change);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [change]);
    else group.push(change);
  });
  const order = new Map(changes.map((change, index) => [change, index]));
  return [...groups.values()]
    .flatMap((group): readonly ChangeGroup[] =>
      group.length < MIN_GROUP ? group.map((change): ChangeGroup => [change]) : [group],
    )
    .toSorted(([a], [b]) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
}

function groupKey(change: ShownChange): string {
  const { kind, action, reason, blocked } = change;
  return JSON.stringify([kind, action, reason, blocked, entriesOfChange(change)]);
}
