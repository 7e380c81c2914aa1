import type { Fault, FaultHandle, FaultRule } from "./fault.ts";

/** The active fault rules. */
export interface FaultBook {
  /** Adds a rule. It counts matching requests from now on. */
  add(rule: FaultRule): FaultHandle;
  /** Lists the active rules in the order in which they were added. */
  list(): readonly FaultHandle[];
  /** Removes every rule. */
  clear(): void;
}

/** The fault book with the call that only the server uses. */
export interface ServerFaultBook extends FaultBook {
  /** Counts a request against every rule and returns the faults that apply to it. */
  faultsFor(method: string, path: string): readonly Fault[];
}

interface Entry {
  readonly rule: FaultRule;
  matches: number;
  hits: number;
}

const NONE: readonly Fault[] = [];

/** Creates a fault book without rules. */
export function createFaultBook(): ServerFaultBook {
  const entries = new Map<Entry, FaultHandle>();
  let added = 0;
  return {
    add(rule) {
      const entry: Entry = { rule, matches: 0, hits: 0 };
      added += 1;
      const handle: FaultHandle = {
        id: added,
        rule,
        get hits() {
          return entry.hits;
        },
        get matches() {
          return entry.matches;
        },
        remove: () => void entries.delete(entry),
      };
      entries.set(entry, handle);
      return handle;
    },
    list: () => [...entries.values()],
    clear: () => entries.clear(),
    faultsFor(method, path) {
      if (entries.size === 0) return NONE;
      return [...entries.keys()].filter((entry) => hits(entry, method, path)).map(({ rule }) => rule.fault);
    },
  };
}

function hits(entry: Entry, method: string, path: string): boolean {
  const { rule } = entry;
  if (rule.method !== undefined && rule.method.toUpperCase() !== method) return false;
  if (!matchesPath(rule.path, path)) return false;
  entry.matches += 1;
  const times = rule.times ?? (rule.nth === undefined ? Infinity : 1);
  if (entry.matches < (rule.nth ?? 1) || entry.hits >= times) return false;
  entry.hits += 1;
  return true;
}

function matchesPath(pattern: string | RegExp | undefined, path: string): boolean {
  if (pattern === undefined) return true;
  // A global or sticky pattern remembers its last position. search() ignores that position.
  return typeof pattern === "string" ? path.includes(pattern) : path.search(pattern) !== -1;
}
