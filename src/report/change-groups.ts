import { groupBy } from "../model/group-by.ts";
import type { Outcome } from "../model/outcome.ts";
import type { ShownChange } from "../model/plan.ts";
import { entriesOfChange, removedInLine } from "./diff/entries.ts";
import type { ShownEffects } from "./effect/words.ts";
import type { RenderOptions } from "./options.ts";

/** Changes of one kind that do the same for the same reason. Only the addresses and ids differ. */
export type ChangeGroup<T extends ShownChange = ShownChange> = readonly [T, ...T[]];

/** Fewer equal changes are shown one by one: they are read as quickly. */
const MIN_GROUP = 3;

/**
 * Groups changes whose differences and effects are equal, so that 100 equal edits are read once. Each group stands where its first
 * change stood. Changes without differences are one line each, and stay alone, but for removals: what many of them have in common is
 * read once.
 */
export function groupChanges<T extends ShownChange>(
  changes: readonly T[],
  { verbose = false, effects }: Pick<RenderOptions, "verbose"> & { readonly effects?: ShownEffects | undefined },
): readonly ChangeGroup<T>[] {
  const keys = changes.map((change) => {
    const isLine = change.fields.length === 0 && change.action !== "delete" && change.action !== "unknown";
    return verbose || isLine ? undefined : groupKey(change, effects);
  });
  const alike = groupBy(keys, (key) => key);
  const groups = groupBy(changes, (_, index) => {
    const key = keys[index];
    return key === undefined || (alike.get(key)?.length ?? 0) < MIN_GROUP ? index : key;
  });
  return [...groups.values()];
}

/** A change of a group, without what stands beside each of them. */
export function withoutLine<T extends ShownChange>(change: T): T {
  return removedInLine(change) === undefined ? change : { ...change, removes: [] };
}

/** What the addresses of several changes begin with, up to a slash; "" if they have nothing in common. */
export function commonAddress(group: ChangeGroup): string {
  const [first, ...others] = group.map(({ address }) => address.split("/"));
  const parts = first?.slice(0, -1) ?? [];
  const end = parts.findIndex((part, index) => others.some((other) => other[index] !== part));
  return parts
    .slice(0, end === -1 ? parts.length : end)
    .map((part) => `${part}/`)
    .join("");
}

function groupKey(change: ShownChange | Outcome, effects: ShownEffects | undefined): string {
  const { kind, action, reason, command: words, blocked } = change;
  const result = "status" in change ? [change.status, change.error] : [];
  const effect = { ...effects?.get(change.address), address: undefined };
  // What fits in a line stands beside each of them.
  const removed = withoutLine(change).removes;
  return JSON.stringify([kind, action, reason, words, blocked, entriesOfChange(change), removed, effect, ...result]);
}
