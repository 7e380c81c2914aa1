import type { Change } from "../../model/change.ts";

/** Where creates meet, so that what they do next is done at one time. */
export interface Gathering {
  /** Does the work of a change. Those of its group that meet wait until it meets too, or ends. */
  during<T>(change: Change, work: () => Promise<T>): Promise<T>;
  /** Resolves once no other of the group of a change is on its way. */
  meet(address: string): Promise<void>;
}

interface Group {
  /** Addresses of the changes that have begun. */
  readonly coming: Set<string>;
  readonly waiting: (() => void)[];
}

/**
 * The changes of one action and kind in one scope are a group: replaces come later than creates. Work that has begun must wait for none of
 * its group, or both would wait for ever.
 */
export function createGathering(): Gathering {
  const groups = new Map<string, Group>();
  const byAddress = new Map<string, Group>();
  const leave = (address: string): void => {
    const group = byAddress.get(address);
    group?.coming.delete(address);
    if (group?.coming.size === 0) for (const go of group.waiting.splice(0)) go();
  };
  return {
    during: async (change, work) => {
      const { address, action, kind } = change;
      const key = JSON.stringify([action, kind, change.work?.scope]);
      const group = groups.get(key) ?? { coming: new Set(), waiting: [] };
      groups.set(key, group);
      byAddress.set(address, group);
      group.coming.add(address);
      try {
        return await work();
      } finally {
        leave(address);
      }
    },
    meet: (address) =>
      new Promise((resolve) => {
        const group = byAddress.get(address);
        if (group === undefined) return resolve();
        group.waiting.push(resolve);
        leave(address);
      }),
  };
}
