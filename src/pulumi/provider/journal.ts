/**
 * The journal as the engine's resources need it.
 *
 * Premise: many creates run at once in one process, and nothing says when the last one was; the process may be one of several
 * that write to the same service. And between the service's answer and the engine's state lies a crash: the object is there, its
 * intent is settled, and no state knows of it.
 * Form: journal and lock of the command line, held while anything is being written. What it remembers of other runs' creates is
 * taken over by the create that is asked for again, which else would complain that it is there.
 */
import { isRecent, type CreatedObject } from "../../apply/journal/recent-creates.ts";
import { openJournal, readPriorRunState, type Journal } from "../../apply/journal/journal.ts";
import { acquireLock, LockedError } from "../../apply/journal/lock.ts";
import type { Clock } from "../../api/client.ts";
import type { StateFiles } from "../../engine/state.ts";

/** How long to wait for another run that writes to the same service. Milliseconds. */
const PATIENCE = 5 * 60_000;
const POLL = 250;

export interface SharedJournal {
  /** Runs a task that writes, with the journal that it has to keep. @throws LockedError */
  readonly use: <T>(work: (journal: Journal) => Promise<T>) => Promise<T>;
  /** What other runs have created lately. */
  readonly earlier: () => Promise<readonly CreatedObject[]>;
}

interface Opened {
  readonly journal: Journal;
  readonly close: () => Promise<void>;
}

/** @param files the files of the service */
export function createSharedJournal(files: Pick<StateFiles, "journal" | "lock">, clock: Clock): SharedJournal {
  let users = 0;
  let opened: Promise<Opened> | undefined;
  let closing = Promise.resolve();
  // Intents of this run.
  const own = new Set<string>();
  return {
    use: async (work) => {
      users += 1;
      const before = closing;
      opened ??= before.then(() => openShared(files, clock, own));
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
    earlier: async () => {
      const { created } = await readPriorRunState(files.journal);
      return created.filter((one) => !own.has(one.id) && isRecent(one, clock.now()));
    },
  };
}

async function openShared(
  files: Pick<StateFiles, "journal" | "lock">,
  clock: Clock,
  own: Set<string>,
): Promise<Opened> {
  const lock = await lockWhenFree(files.lock, clock);
  try {
    const journal = await openJournal(files.journal, lock.isHeld);
    const close = async (): Promise<void> => {
      await journal.close();
      await lock.release();
    };
    const begin: Journal["begin"] = async (intent) => {
      const begun = await journal.begin(intent);
      own.add(begun.id);
      return begun;
    };
    return { close, journal: { ...journal, begin } };
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
