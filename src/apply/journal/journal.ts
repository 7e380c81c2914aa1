/**
 * The write-ahead journal of creates.
 *
 * Terms: an intent records which object is about to be created, and which objects existed before. It is open until its
 * outcome is known.
 * Premise: the service has no idempotency keys, so after a crash only the journal shows that a request may have been
 * sent. A request is sent only after its record is on disk. Updates and removals need no record: they name the object by its
 * id and may be repeated, so the next plan shows what remains. A secret that an unanswered update sent is the exception: no
 * read shows it, so its outcome is unknown until it is sent again.
 * Algorithm: records that wait at the same time are written together. Their form is in records.ts.
 */
import { randomUUID } from "node:crypto";
import { open, rm, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder } from "../../files/make-folder.ts";
import { createMemo } from "../memo.ts";
import type { Intent, OpenIntent } from "./intents.ts";
import { readRecentCreates, recentCreatesPath, saveRecentCreates, type CreatedObject } from "./recent-creates.ts";
import { addRecord, formatRecord, hashOf, readRecords, type JournalRecord } from "./records.ts";

export interface Journal {
  /** Who begins the intents, as they say it. */
  readonly owner?: string | undefined;
  /** Lists the intents whose outcome is unknown, the oldest first. */
  readonly open: () => readonly OpenIntent[];
  /** Resolves once the intent is on disk. If it rejects, the request must not be sent. */
  readonly begin: (intent: Intent) => Promise<OpenIntent>;
  /**
   * Records the object in the answer to a create, and the hash of that object. The intent stays open. Never rejects: without the record the
   * next run finds the object by its key.
   */
  readonly answered: (id: string, made: string, hash: string) => Promise<void>;
  /**
   * Closes an intent. `createdId` is the id of its object, null if none was created. Never rejects: if the record cannot be
   * written, the intent stays open and the next run resolves it.
   */
  readonly close: (id: string, createdId: string | null) => Promise<void>;
  /** Lists the objects that this run and earlier runs created recently. */
  readonly created: () => readonly CreatedObject[];
  /** Saves the recent creates, closes the file, and removes it if no intent is open. Never rejects. */
  readonly release: () => Promise<void>;
}

/** The journal of a run that creates nothing. */
export const noJournal: Journal = {
  open: () => [],
  begin: () => Promise.reject(new Error("a create was begun without a journal")),
  answered: () => Promise.resolve(),
  close: () => Promise.resolve(),
  created: () => [],
  release: () => Promise.resolve(),
};

/**
 * Opens a journal, including the open intents of earlier runs. The caller holds its lock. `isHeld` returns whether it
 * still does: a process that was suspended for a long time may have lost it.
 */
export async function openJournal(path: string, isHeld: () => Promise<boolean>): Promise<Journal> {
  await makeFolder(dirname(path), 0o700);
  const content = await readRecords(path);
  const { open: intents, created } = content;
  const before = await readRecentCreates(recentCreatesPath(path));
  const file = await open(path, "a", 0o600);
  await syncFolder(dirname(path));
  const append = createAppender(file);
  const write = async (record: JournalRecord): Promise<void> => {
    await append(formatRecord(record));
    addRecord(content, record);
  };
  const writeOnce = createMemo<void>();
  return {
    open: () => [...intents.values()],
    created: () => [...before, ...created],
    begin: async ({ known, ...intent }) => {
      const list = hashOf(JSON.stringify(known));
      if (!content.lists.has(list)) await writeOnce(list, () => write({ type: "list", hash: list, ids: known }));
      if (!(await isHeld())) throw new Error("another run has taken over the lock");
      const begun = { ...intent, id: randomUUID() };
      await write({ type: "begin", ...begun, list });
      return { ...begun, known };
    },
    answered: (id, made, hash) => write({ type: "answer", id, made, created: hash }).catch(() => undefined),
    close: (id, createdId) => write({ type: "settle", id, made: createdId }).catch(() => undefined),
    release: async () => {
      await file.close().catch(() => undefined);
      if (!(await isHeld())) return;
      const isSafe = await saveCreates(path, before, created);
      if (isSafe && intents.size === 0) await rm(path).catch(() => undefined);
    },
  };
}

/** Saves the recent creates to their own file. Returns false if that fails: then the journal's records must be kept. */
async function saveCreates(path: string, before: readonly CreatedObject[], created: CreatedObject[]): Promise<boolean> {
  const known = new Set(before.map(({ id }) => id));
  const added = created.filter(({ id }) => !known.has(id));
  if (added.length === 0) return true;
  return saveRecentCreates(recentCreatesPath(path), before, added).then(
    () => true,
    () => false,
  );
}

/** Appends texts to a file. Texts that arrive during a write share the next write and sync. */
function createAppender(file: FileHandle): (text: string) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  let waiting: string[] = [];
  const flush = async (before: Promise<void>): Promise<void> => {
    await before.catch(() => undefined);
    const lines = waiting;
    waiting = [];
    await file.appendFile(lines.join(""));
    await file.sync();
  };
  return (text) => {
    waiting.push(text);
    if (waiting.length === 1) last = flush(last);
    return last;
  };
}

/** Makes the name of a new file survive a crash of the machine. Not every system supports that. */
async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(path);
    await folder.sync().finally(() => folder.close());
  } catch {
    // The journal works without it.
  }
}
