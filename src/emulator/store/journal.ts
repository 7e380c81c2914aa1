/**
 * Remembers how to undo the changes of the last write. A stale read can then answer like a lagging replica. Rows are
 * never mutated in place, so undoing a change means putting the previous row back.
 */
export interface Journal {
  /** Starts a new write. The next recorded change discards the changes of the previous write. */
  begin(): void;
  /** Records how to undo and redo one change. */
  record(undo: () => void, redo: () => void): void;
  /** Runs `read` on the state before the last write, then restores the current state. `read` must be synchronous. */
  before<Result>(read: () => Result): Result;
}

interface Change {
  readonly undo: () => void;
  readonly redo: () => void;
}

/** Creates an empty journal. */
export function createJournal(): Journal {
  let changes: Change[] = [];
  let fresh = true;
  return {
    begin() {
      fresh = true;
    },
    record(undo, redo) {
      if (fresh) changes = [];
      fresh = false;
      changes.push({ undo, redo });
    },
    before(read) {
      const last = changes;
      for (const change of last.toReversed()) change.undo();
      try {
        return read();
      } finally {
        for (const change of last) change.redo();
      }
    },
  };
}
