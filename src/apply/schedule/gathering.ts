import type { Change } from "../../model/change.ts";

/** Brings together what the creates of one kind in one scope do after them. */
export interface Gathering<T> {
  /**
   * Adds the part of a change. Once each change of its group has joined or ended, all parts are worked on together.
   *
   * @param work the same for all; never rejects
   */
  join(address: string, part: T, work: (parts: readonly T[]) => Promise<void>): void;
  /** The change has ended. */
  leave(address: string): void;
}

interface Group<T> {
  /** Addresses of the changes that may still join. */
  readonly pending: Set<string>;
  readonly parts: T[];
  work: () => void;
}

/**
 * Groups the creates of a plan, and its replaces apart from them, because they come later. A change that joins after its group began is a
 * group of its own.
 *
 * @param changes those that wait for none of the others: two of a group would wait for each other
 */
export function createGathering<T>(changes: readonly Change[]): Gathering<T> {
  const groups = new Map<string, Group<T>>();
  const byAddress = new Map<string, Group<T>>();
  for (const change of changes) {
    if (change.action !== "create" && change.action !== "replace") continue;
    const key = groupKey(change);
    const group = groups.get(key) ?? { pending: new Set(), parts: [], work: () => undefined };
    group.pending.add(change.address);
    groups.set(key, group);
    byAddress.set(change.address, group);
  }
  const leave = (address: string): void => {
    const group = byAddress.get(address);
    if (group?.pending.delete(address) === true && group.pending.size === 0) group.work();
  };
  return {
    leave,
    join: (address, part, work) => {
      const group = byAddress.get(address);
      if (group === undefined || !group.pending.has(address)) return void work([part]);
      group.parts.push(part);
      group.work = () => void work(group.parts);
      leave(address);
    },
  };
}

function groupKey({ action, kind, work }: Change): string {
  return JSON.stringify([action, kind, work?.scope]);
}
