import { createJournal } from "./journal.ts";
import type { Id } from "./table.ts";
import type { Journal } from "./journal.ts";

/**
 * Everything the emulator holds. The tables are defined beside the records that they keep; `defineTable` finds the one of a
 * store. Reads and writes are synchronous, so a request is never half done.
 */
export interface Store {
  readonly journal: Journal;
  /** The organization that `@current` means, per user. */
  readonly current: Map<Id, string>;
}

/** A store with nothing in it. */
export function createStore(): Store {
  return { journal: createJournal(), current: new Map() };
}
