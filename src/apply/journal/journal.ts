/**
 * The write-ahead journal of creates.
 *
 * Terms: an intent says what is about to be created, and what was there before; it is open until its outcome is known.
 * Premise: the service knows no idempotency key, so that after a crash only the journal tells that a request may have been
 * sent. A record that is not on disk was not made; a request is sent only after its record is.
 * Form: a line a record, each with a checksum, begun on a line of its own: whatever a failed write left behind is a line that
 * has no checksum, and was not made. Records that wait together are written together.
 */
import { randomUUID } from "node:crypto";
import { mkdir, open, rm, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import {
  recentCreatesPath,
  toCreatedObject,
  readRecentCreates,
  saveRecentCreates,
  type CreatedObject,
} from "./recent-creates.ts";
import type { Intent, OpenIntent } from "./intent.ts";
import { formatRecord, readRecords } from "./format.ts";

export interface Journal {
  /** Intents of which no outcome is known, the oldest first. */
  readonly open: () => readonly OpenIntent[];
  /** Returns once the intent is on disk; rejects where it is not, and then nothing may be sent. */
  readonly begin: (intent: Intent) => Promise<OpenIntent>;
  /**
   * Closes an intent: `made` is the id of its object, null where there is none. Never rejects: where this cannot be written, the
   * intent stays open and the next run settles it.
   */
  readonly settle: (id: string, made: string | null) => Promise<void>;
  /** What was created lately, by this run and by earlier ones. */
  readonly created: () => readonly CreatedObject[];
  /** Closes the file, and removes it where no intent is open; what was created is remembered beside it. Never rejects. */
  readonly close: () => Promise<void>;
}

/** For a run that creates nothing. */
export const noJournal: Journal = {
  open: () => [],
  begin: () => Promise.reject(new Error("a create was begun without a journal")),
  settle: () => Promise.resolve(),
  created: () => [],
  close: () => Promise.resolve(),
};

/**
 * Opens a journal, the intents of earlier runs included. The caller holds its lock; `isHeld` tells whether that is still so,
 * as a process that slept for long has lost it.
 */
export async function openJournal(
  path: string,
  isHeld = (): Promise<boolean> => Promise.resolve(true),
): Promise<Journal> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const { open: intents, created } = await readRecords(path);
  const before = await readRecentCreates(recentCreatesPath(path));
  const file = await open(path, "a", 0o600);
  await syncFolder(dirname(path));
  const append = createAppender(file);
  const settled = (id: string, made: string | null): void => {
    const intent = intents.get(id);
    intents.delete(id);
    if (intent !== undefined && made !== null) created.push(toCreatedObject(intent, made));
  };
  return {
    open: () => [...intents.values()],
    created: () => [...before, ...created],
    begin: async (intent) => {
      if (!(await isHeld())) throw new Error("another run has taken over the lock");
      const record: OpenIntent = { ...intent, id: randomUUID() };
      await append(formatRecord({ type: "begin", ...record }));
      intents.set(record.id, record);
      return record;
    },
    settle: (id, made) =>
      append(formatRecord({ type: "settle", id, made })).then(
        () => settled(id, made),
        () => undefined,
      ),
    close: async () => {
      await file.close().catch(() => undefined);
      if (!(await isHeld())) return;
      const isSafe = await saveCreates(path, before, created);
      if (isSafe && intents.size === 0) await rm(path).catch(() => undefined);
    },
  };
}

/** Moves what was created to where it is kept. False where it cannot be written: the journal's own records tell it then. */
async function saveCreates(path: string, before: readonly CreatedObject[], created: CreatedObject[]): Promise<boolean> {
  const known = new Set(before.map(({ id }) => id));
  const added = created.filter(({ id }) => !known.has(id));
  if (added.length === 0) return true;
  return saveRecentCreates(recentCreatesPath(path), before, added).then(
    () => true,
    () => false,
  );
}

/** The open intents of a journal that may not be there, or that another process is writing to. */
export async function readJournal(path: string): Promise<readonly OpenIntent[]> {
  return [...(await readRecords(path)).open.values()];
}

/** What earlier runs have left, as whoever only reads sees it. */
export interface PriorRunState {
  /** What is not known to have happened. */
  readonly intents: readonly OpenIntent[];
  /** What was created lately. */
  readonly created: readonly CreatedObject[];
}

/** What the journal at a path tells, which another process may be writing to; one that cannot be read tells nothing. Never rejects. */
export async function readPriorRunState(path: string): Promise<PriorRunState> {
  const { open: intents, created } = await readRecords(path).catch(() => ({
    open: new Map<string, OpenIntent>(),
    created: [],
  }));
  return {
    intents: [...intents.values()],
    created: [...(await readRecentCreates(recentCreatesPath(path))), ...created],
  };
}

/** Appends lines, one write and one sync for all that came up during the ones before. */
function createAppender(file: FileHandle): (text: string) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  let batch: { readonly lines: string[]; readonly written: Promise<void> } | undefined;
  const flush = async (before: Promise<void>, lines: readonly string[]): Promise<void> => {
    await before.catch(() => undefined);
    batch = undefined;
    await file.appendFile(lines.join(""));
    await file.sync();
  };
  return (text) => {
    if (batch === undefined) {
      const lines: string[] = [];
      last = flush(last, lines);
      batch = { lines, written: last };
    }
    batch.lines.push(text);
    return batch.written;
  };
}

/** The name of a new file has to survive a crash of the machine as well; not every system can see to that. */
async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(path);
    await folder.sync().finally(() => folder.close());
  } catch {
    // The journal is there all the same.
  }
}
