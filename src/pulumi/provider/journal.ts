/**
 * One journal for all resources of a process.
 *
 * Premise: many creates run at once in one process, nothing announces the last one, and several processes may write to
 * the same service. A crash may come between the answer of the service and the engine's state: then the object exists,
 * its intent is closed, and no state knows it.
 * Algorithm: use the journal and the lock of the command line, from the first of several concurrent writes to the last.
 * A create that is asked for again adopts the object that an earlier run of the same owner created, instead of failing because it
 * exists, unless the state has had it since.
 */
import { isRecent, recentCreatesPath, recordStored, type CreatedObject } from "../../apply/journal/recent-creates.ts";
import { readPriorRunState } from "../../apply/journal/records.ts";
import { isSameCreate, isSameOwner, type CreateKey, type OpenIntent } from "../../apply/journal/intents.ts";
import { openJournal, type Journal } from "../../apply/journal/journal.ts";
import { acquireLock, LockedError, type Lock } from "../../files/lock.ts";
import { createCircuitBreaker, type CircuitBreaker } from "../../apply/schedule/circuit-breaker.ts";
import type { Clock } from "../../api/client.ts";
import { otherApplyRuns, type StateFiles } from "../../engine/state/state-files.ts";

/** How long to wait for another run that writes to the same service, and how often to look. Milliseconds. */
const LOCK_WAIT = 5 * 60_000;
const LOCK_POLL = 250;

/** The owner if no stack is known. */
export const UNKNOWN_OWNER = "urn:pulumi";

/** The journal as one owner sees it: a resource, or a stack. */
export interface SharedJournal {
  /**
   * Runs a task that writes to the service and to the journal. Concurrent tasks share what they know of an outage. The next
   * run of the engine may be in the same process, and begins anew. @throws EngineError `failed` if another run has the lock
   */
  readonly use: <T>(work: (journal: Journal, circuits: CircuitBreaker) => Promise<T>) => Promise<T>;
  /** Reads what the owner's runs have left of a create. */
  readonly of: (create: CreateKey) => Promise<JournaledCreate>;
  /** Reads what the owner's earlier runs, or this one, have begun and not finished. */
  readonly openIntents: () => Promise<readonly OpenIntent[]>;
  /** Records that the state of the owner has an object that was created in a place. */
  readonly noteStored: (place: Omit<CreateKey, "key">, isObject: (one: CreatedObject) => boolean) => Promise<void>;
}

/** What runs have left of a create. */
interface JournaledCreate {
  /** The objects that earlier runs have created recently, and that no state has. */
  readonly made: readonly CreatedObject[];
  /** What was begun and not finished. */
  readonly open: readonly OpenIntent[];
  /** The last removal of an object that the create was to replace. The create itself was not begun. */
  readonly removal: OpenIntent | undefined;
}

interface OpenJournal {
  readonly journal: Journal;
  readonly circuits: CircuitBreaker;
  readonly close: () => Promise<void>;
}

/** The journal of a process, open from the first of several concurrent writes to the last. */
export class ProcessJournal {
  readonly #files: StateFiles;
  readonly #clock: Clock;
  readonly #signal: AbortSignal | undefined;
  /** Ids of the intents of this run. */
  readonly #begun = new Set<string>();
  #users = 0;
  #opened: Promise<OpenJournal> | undefined;
  #closing = Promise.resolve();
  #prior: ReturnType<typeof readPriorRunState> | undefined;

  /**
   * @param files the files of the service
   * @param signal once it is aborted, the lock of another run is not waited for any more
   */
  constructor(files: StateFiles, clock: Clock, signal?: AbortSignal) {
    this.#files = files;
    this.#clock = clock;
    this.#signal = signal;
  }

  /** The journal as an owner sees it. */
  of(owner: string): SharedJournal {
    return {
      use: (work) => this.#use(({ journal, circuits }) => work(this.#ownedBy(owner, journal), circuits)),
      openIntents: async () =>
        (await readPriorRunState(this.#files.journal)).intents.filter((one) => isSameOwner(one, { owner })),
      of: (create) => this.#leftOf({ ...create, owner }),
      noteStored: async (place, isObject) => {
        if (owner !== UNKNOWN_OWNER) await this.#noteStored({ ...place, owner }, isObject);
      },
    };
  }

  async #use<T>(work: (opened: OpenJournal) => Promise<T>): Promise<T> {
    this.#users += 1;
    const before = this.#closing;
    this.#opened ??= before.then(() => openShared(this.#files, this.#clock, this.#signal));
    const current = this.#opened;
    try {
      return await work(await current);
    } finally {
      this.#users -= 1;
      if (this.#users === 0) {
        this.#opened = undefined;
        this.#closing = current.then(({ close }) => close()).catch(() => undefined);
        await this.#closing;
      }
    }
  }

  #ownedBy(owner: string, journal: Journal): Journal {
    return {
      ...journal,
      owner,
      begin: async (intent) => {
        const begun = await journal.begin({ ...intent, owner });
        this.#begun.add(begun.id);
        return begun;
      },
    };
  }

  async #leftOf(create: OwnedCreate): Promise<JournaledCreate> {
    const { intents, created } = await readPriorRunState(this.#files.journal);
    const open = intents.filter((one) => isOwn(one, create));
    return {
      made: created.filter((one) => isOwn(one, create) && this.#isLeft(one)),
      open: open.filter(({ removed }) => removed === undefined),
      removal: open.findLast(({ removed }) => removed !== undefined),
    };
  }

  #isLeft(one: CreatedObject): boolean {
    return one.stored !== true && !this.#begun.has(one.id) && isRecent(one, this.#clock.now());
  }

  async #noteStored(place: Omit<OwnedCreate, "key">, isObject: (one: CreatedObject) => boolean): Promise<void> {
    const { journal } = this.#files;
    // What earlier runs left does not change any more, and a run may ask for each of its resources.
    this.#prior ??= readPriorRunState(journal);
    const found = (await this.#prior).created.filter(
      (one) => isOwn(one, { ...place, key: one.key }) && isObject(one) && one.stored !== true,
    );
    await recordStored(recentCreatesPath(journal), found);
  }
}

type OwnedCreate = CreateKey & Pick<OpenIntent, "owner">;

/** Whether both are about one create of one owner. */
export function isOwn(one: OwnedCreate, own: OwnedCreate): boolean {
  return isSameCreate(one, own) && isSameOwner(one, own);
}

async function openShared(files: StateFiles, clock: Clock, signal: AbortSignal | undefined): Promise<OpenJournal> {
  const lock = await lockWhenFree(files.lock, clock, signal);
  try {
    const journal = await openJournal(files.journal, lock.isHeld);
    const close = async (): Promise<void> => {
      await journal.release();
      await lock.release();
    };
    return { close, journal, circuits: createCircuitBreaker(clock) };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function lockWhenFree(path: string, clock: Clock, signal: AbortSignal | undefined): Promise<Lock> {
  const until = clock.now() + LOCK_WAIT;
  for (;;) {
    try {
      return await acquireLock(path, () => clock.now());
    } catch (error) {
      if (!(error instanceof LockedError)) throw error;
      if (clock.now() > until || signal?.aborted === true) throw otherApplyRuns(error);
      await clock.sleep(LOCK_POLL, signal);
    }
  }
}
