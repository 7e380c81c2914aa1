/** Blocks that several changes of a report have in common. A report says them once, not at each change. */
import type { Blocked } from "../model/change.ts";
import { groupBy } from "../model/group-by.ts";
import type { ShownChange } from "../model/plan.ts";

/** A block, and how many changes it holds back. */
export interface SharedBlock {
  readonly blocked: Blocked;
  readonly count: number;
}

/** The blocks that more than one change has, in the order of the report. */
export function sharedBlocks(changes: readonly ShownChange[]): readonly SharedBlock[] {
  const blocks = changes.flatMap(({ blocked }) => blocked ?? []);
  const groups = [...groupBy(blocks, keyOf).values()].filter(({ length }) => length > 1);
  return groups.map(({ 0: blocked, length: count }) => ({ blocked, count }));
}

/** Whether a block is one of these. */
export function isShared(blocked: Blocked, shared: readonly SharedBlock[]): boolean {
  return shared.some((one) => keyOf(one.blocked) === keyOf(blocked));
}

function keyOf({ rule, detail, remedy, command }: Blocked): string {
  return JSON.stringify([rule, detail, remedy, command]);
}
