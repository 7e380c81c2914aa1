import { createJournal, type Journal } from "./journal.ts";
import type { Id } from "./table.ts";

/**
 * All data of the emulator. The tables are defined next to their records, and `defineTable` finds the table of a store.
 * Reads and writes are synchronous, so requests never interleave.
 */
export interface Store {
  readonly journal: Journal;
  /** The organization that `@current` refers to, by user. It may have been deleted since. */
  readonly current: Map<Id, string>;
  /** The users who lost their current project together with its organization. */
  readonly projectless: Set<Id>;
  /** By organization: when its deletion ends, in milliseconds since 1970. */
  readonly deletions: Map<Id, number>;
}

/** Creates an empty store. */
export function createStore(): Store {
  return { journal: createJournal(), current: new Map(), projectless: new Set(), deletions: new Map() };
}
