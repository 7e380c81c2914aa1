import type { Change } from "../../model/change.ts";

/** Brings together what the creates of one kind in one scope do after them. */
export interface Gathering {
  /**
   * Adds the part of a change. Once each change of its group has joined or ended, all parts are worked on together.
   *
   * @param work the same for all, so all parts have its type; never rejects
   */
  join<T>(address: string, part: T, work: (parts: readonly T[]) => Promise<void>): void;
  /** The change has ended. */
  leave(address: string): void;
}

interface Group {
  /** Addresses of the changes that may still join. */
  readonly pending: Set<string>;
  readonly parts: unknown[];
  work: () => void;
}

/**
 * Groups the creates of a plan, and its replaces apart from them, because they come later. A change that joins after its group began is a
 * group of its own.
 *
 * @param changes those that wait for none of the others: two of a group would wait for each other
 */
export function createGathering(changes: readonly Change[]): Gathering {
  const groups = new Map<string, Group>();
  const byAddress = new Map<string, Group>();
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
    join: <T>(address: string, part: T, work: (parts: readonly T[]) => Promise<void>): void => {
      const group = byAddress.get(address);
      if (group === undefined || !group.pending.has(address)) return void work([part]);
      group.parts.push(part);
      group.work = () => void work(group.parts as readonly T[]);
      leave(address);
    },
  };
}

function groupKey({ action, kind, work }: Change): string {
  return JSON.stringify([action, kind, work?.scope]);
}
