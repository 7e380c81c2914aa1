/**
 * The journal as the engine's resources need it.
 *
 * Premise: many creates run at once in one process, and nothing says when the last one was; the process may be one of several
 * that write to the same service. And between the service's answer and the engine's state lies a crash: the object is there, its
 * intent is settled, and no state knows of it.
 * Form: journal and lock of the command line, held while anything is being written. Beside them, what was created is kept for a
 * day, so that the create that is asked for again takes it over instead of complaining that it is there.
 */
import { appendFile, mkdir, open, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { openJournal, type Intent, type Journal } from "../../apply/journal.ts";
import { acquireLock, LockedError } from "../../apply/lock.ts";
import type { Clock } from "../../api/client.ts";

/** How long to wait for another run that writes to the same service. Milliseconds. */
const PATIENCE = 5 * 60_000;
const POLL = 250;
/** For how long a create may be asked for again. Milliseconds. */
const KEPT = 24 * 60 * 60_000;

/** An object that some run has created. */
export interface Creation extends Pick<Intent, "url" | "kind" | "scope" | "key" | "payload" | "at"> {
  readonly id: string;
  /** The process that did. */
  readonly run: string;
}

export interface SharedJournal {
  /** Runs a task that writes, with the journal that it has to keep. @throws LockedError */
  readonly use: <T>(work: (journal: Journal) => Promise<T>) => Promise<T>;
  /** What other runs have created lately. */
  readonly earlier: () => Promise<readonly Creation[]>;
}

interface Opened {
  readonly journal: Journal;
  readonly close: () => Promise<void>;
}

/** @param base path of the journal without its ending */
export function createSharedJournal(base: string, clock: Clock, run: string): SharedJournal {
  let users = 0;
  let opened: Promise<Opened> | undefined;
  let closing = Promise.resolve();
  const created = `${base}.created`;
  return {
    use: async (work) => {
      users += 1;
      const before = closing;
      opened ??= before.then(() => openShared(base, created, clock, run));
      const current = opened;
      try {
        return await work((await current).journal);
      } finally {
        users -= 1;
        if (users === 0) {
          opened = undefined;
          closing = current.then(({ close }) => close()).catch(() => undefined);
          await closing;
        }
      }
    },
    earlier: async () => (await readCreated(created, clock.now())).filter((creation) => creation.run !== run),
  };
}

async function openShared(base: string, created: string, clock: Clock, run: string): Promise<Opened> {
  const lock = await lockWhenFree(`${base}.lock`, clock);
  try {
    const journal = await openJournal(`${base}.journal`, lock.isHeld);
    const intents = new Map<string, Intent>();
    const close = async (): Promise<void> => {
      await journal.close();
      await lock.release();
    };
    return {
      close,
      journal: {
        ...journal,
        begin: async (intent) => {
          const begun = await journal.begin(intent);
          intents.set(begun.id, begun);
          return begun;
        },
        settle: async (id, outcome) => {
          const intent = intents.get(id) ?? journal.open().find((one) => one.id === id);
          // First: a crash in between leaves the intent open, which is settled by the list. What cannot be remembered is only
          // missed by a run that crashed: it then has to be told to adopt.
          if (intent !== undefined && outcome !== "not created")
            await remember(created, intent, outcome, run, clock.now()).catch(() => undefined);
          await journal.settle(id, outcome);
        },
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function lockWhenFree(path: string, clock: Clock): Promise<Awaited<ReturnType<typeof acquireLock>>> {
  const until = clock.now() + PATIENCE;
  for (;;) {
    try {
      return await acquireLock(path, () => clock.now());
    } catch (error) {
      if (!(error instanceof LockedError) || clock.now() > until) throw error;
      await clock.sleep(POLL);
    }
  }
}

async function remember(path: string, intent: Intent, id: string, run: string, now: number): Promise<void> {
  const { url, kind, scope, key, payload } = intent;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const line: Creation = { url, kind, scope, key, payload, at: now, id, run };
  await appendFile(path, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  const file = await open(path, "r");
  await file.sync();
  await file.close();
}

/** What is remembered; what is too old is forgotten on the way. */
async function readCreated(path: string, now: number): Promise<readonly Creation[]> {
  const lines = (await readFile(path, "utf8").catch(() => "")).split("\n").filter((line) => line !== "");
  const kept = lines.flatMap((line) => {
    const creation = parse(line);
    return creation !== undefined && creation.at > now - KEPT ? [creation] : [];
  });
  if (kept.length < lines.length / 2) {
    await writeFile(`${path}.new`, kept.map((one) => `${JSON.stringify(one)}\n`).join(""), { mode: 0o600 });
    await rename(`${path}.new`, path);
  }
  return kept;
}

/** A torn line was not written. */
function parse(line: string): Creation | undefined {
  try {
    return JSON.parse(line) as Creation;
  } catch {
    return undefined;
  }
}
