/**
 * The write-ahead journal of creates.
 *
 * Terms: an intent says what is about to be created, and what was there before; it is open until its outcome is known.
 * Premise: the service knows no idempotency key, so that after a crash only the journal tells that a request may have been
 * sent. A record that is not on disk was not made; a request is sent only after its record is.
 * Form: a line a record, each with a checksum, begun on a line of its own: whatever a failed write left behind is a line that
 * has no checksum, and was not made. Lines of later versions are left alone. Records that wait together are written together.
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
  /** Set where the object takes the place of this one, which is removed after it: the intent is open until then. */
  readonly replaces?: string | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface OpenIntent extends Intent {
  readonly id: string;
}

export interface Journal {
  /** Intents of which no outcome is known, the oldest first. */
  readonly open: () => readonly OpenIntent[];
  /** Returns once the intent is on disk; rejects where it is not, and then nothing may be sent. */
  readonly begin: (intent: Intent) => Promise<OpenIntent>;
  /** Never rejects: where this cannot be written, the intent stays open and the next run settles it. */
  readonly settle: (id: string, outcome: string) => Promise<void>;
  /** Closes the file, and removes it where no intent is open. Never rejects. */
  readonly close: () => Promise<void>;
}

type JournalRecord =
  | ({ readonly type: "begin" } & OpenIntent)
  | { readonly type: "settle"; readonly id: string; readonly outcome: string };

/** For a run that creates nothing. */
export const noJournal: Journal = {
  open: () => [],
  begin: () => Promise.reject(new Error("a create was begun without a journal")),
  settle: () => Promise.resolve(),
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
  const intents = new Map((await readJournal(path)).map((intent) => [intent.id, intent]));
  const file = await open(path, "a", 0o600);
  await syncFolder(dirname(path));
  const append = createAppender(file);
  return {
    open: () => [...intents.values()],
    begin: async (intent) => {
      if (!(await isHeld())) throw new Error("another run has taken over the lock");
      const record: OpenIntent = { ...intent, id: randomUUID() };
      await append(line({ type: "begin", ...record }));
      intents.set(record.id, record);
      return record;
    },
    settle: (id, outcome) =>
      append(line({ type: "settle", id, outcome })).then(
        () => void intents.delete(id),
        () => undefined,
      ),
    close: async () => {
      await file.close().catch(() => undefined);
      if (intents.size === 0 && (await isHeld())) await rm(path).catch(() => undefined);
    },
  };
}

/** The open intents of a journal that may not be there, or that another process is writing to. */
export async function readJournal(path: string): Promise<readonly OpenIntent[]> {
  const intents = new Map<string, OpenIntent>();
  for (const record of readRecords(await readFile(path, "utf8").catch(ifMissing))) {
    if (record.type === "settle") intents.delete(record.id);
    if (record.type !== "begin") continue;
    const { type: _type, ...intent } = record;
    intents.set(intent.id, intent);
  }
  return [...intents.values()];
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

function line(record: JournalRecord): string {
  const text = JSON.stringify(record);
  return `\n${checksum(text)} ${text}\n`;
}

function readRecords(text: string): readonly JournalRecord[] {
  const lines = text.split("\n").map((one) => ({ sum: one.slice(0, 16), body: one.slice(17) }));
  return lines
    .filter(({ sum, body }) => body !== "" && checksum(body) === sum)
    .map(({ body }) => JSON.parse(body) as JournalRecord);
}

function checksum(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
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

function ifMissing(error: NodeJS.ErrnoException): string {
  if (error.code === "ENOENT") return "";
  throw error;
}
