/**
 * Remembers how to take back the changes of the last write, so that a stale read can be answered as a lagging replica
 * would answer it. Rows are never mutated in place, so undoing is putting the previous row back.
 */
export interface Journal {
  /** Starts a new write: the next recorded change forgets the changes of the write before. */
  begin(): void;
  /** Records one change with its two directions. */
  record(undo: () => void, redo: () => void): void;
  /** Runs `read` on the state before the last write, then restores the present. `read` must be synchronous. */
  before<Result>(read: () => Result): Result;
}

interface Change {
  readonly undo: () => void;
  readonly redo: () => void;
}

/** A journal with nothing in it. */
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
