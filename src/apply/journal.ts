/**
 * The write-ahead journal of creates.
 *
 * Terms: an intent says what is about to be created, and what was there before; it is open until its outcome is known.
 * Premise: the service knows no idempotency key, so that after a crash only the journal tells that a request may have been
 * sent. A record that is not on disk was not made; a request is sent only after its record is.
 * Form: a line a record, each with a checksum. A torn last line is a record that was not made.
 */
import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, readFile, rm, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";

export interface Intent {
  readonly url: string;
  readonly kind: string;
  /** Ids of the scope, as its paths have them. */
  readonly scope: Readonly<Record<string, string>>;
  readonly key: string;
  /** Of what is sent, secrets as expressions. */
  readonly payload: string;
  /** Ids of the kind that were there before. */
  readonly known: readonly string[];
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface OpenIntent extends Intent {
  readonly id: string;
}

export interface Journal {
  /** Intents of which no outcome is known. */
  readonly open: () => readonly OpenIntent[];
  /** Returns once the intent is on disk. */
  readonly begin: (intent: Intent) => Promise<OpenIntent>;
  readonly settle: (id: string, outcome: string) => Promise<void>;
  /** Closes the file, and removes it where no intent is open. */
  readonly close: () => Promise<void>;
}

type JournalRecord = ({ readonly type: "begin" } & OpenIntent) | { readonly type: "settle"; readonly id: string; readonly outcome: string };

/** For a run that creates nothing. */
export const noJournal: Journal = {
  open: () => [],
  begin: () => Promise.reject(new Error("a create was begun without a journal")),
  settle: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

/** Opens a journal, the intents of earlier runs included. The caller holds its lock. */
export async function openJournal(path: string): Promise<Journal> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const intents = new Map<string, OpenIntent>();
  for (const record of readRecords(await readFile(path, "utf8").catch(ifMissing))) note(intents, record);
  const file = await open(path, "a", 0o600);
  const write = async (record: JournalRecord): Promise<void> => {
    await append(file, record);
    note(intents, record);
  };
  // A torn line must not swallow the record that follows it.
  await file.appendFile("\n");
  return {
    open: () => [...intents.values()],
    begin: async (intent) => {
      const record = { ...intent, id: randomUUID() };
      await write({ type: "begin", ...record });
      return record;
    },
    settle: (id, outcome) => write({ type: "settle", id, outcome }),
    close: async () => {
      await file.close();
      if (intents.size === 0) await rm(path, { force: true });
    },
  };
}

function note(intents: Map<string, OpenIntent>, record: JournalRecord): void {
  if (record.type === "settle") return void intents.delete(record.id);
  const { type: _type, ...intent } = record;
  intents.set(intent.id, intent);
}

async function append(file: FileHandle, record: JournalRecord): Promise<void> {
  const text = JSON.stringify(record);
  await file.appendFile(`${checksum(text)} ${text}\n`);
  await file.sync();
}

function readRecords(text: string): readonly JournalRecord[] {
  return text.split("\n").flatMap((line) => {
    const [sum, body] = [line.slice(0, 16), line.slice(17)];
    return body !== "" && checksum(body) === sum ? [JSON.parse(body) as JournalRecord] : [];
  });
}

function checksum(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

function ifMissing(error: NodeJS.ErrnoException): string {
  if (error.code === "ENOENT") return "";
  throw error;
}
