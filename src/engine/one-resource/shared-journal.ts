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
import type { Client } from "../../api/client.ts";
import { hideUnfinished } from "../../apply/journal/intent-objects.ts";
import {
  isCandidate,
  isSameCreate,
  isSameOwner,
  type CreateKey,
  type OpenIntent,
} from "../../apply/journal/intents.ts";
import { openJournal, type Journal } from "../../apply/journal/journal.ts";
import { isRecent, recentCreatesPath, recordStored, type CreatedObject } from "../../apply/journal/recent-creates.ts";
import { readPriorRunState } from "../../apply/journal/records.ts";
import { createCircuitBreaker, type CircuitBreaker } from "../../apply/schedule/circuit-breaker.ts";
import { acquireLock, LockedError, type Lock } from "../../files/lock.ts";
import { createCall, createPayload } from "../../kinds/create-call.ts";
import type { Kind } from "../../kinds/kind.ts";
import type { ValueObject } from "../../model/json/json.ts";
import type { LiveObject, LiveWorld } from "../../model/live.ts";
import type { Plan } from "../../model/plan.ts";
import type { EngineContext } from "../context.ts";
import { resumeReplaces } from "../plan/resume-replace.ts";
import { otherApplyRuns, stateFiles, type StateFiles } from "../state/state-files.ts";

export type { CreateKey };

/** How long to wait for another run that writes to the same service, and how often to look. Milliseconds. */
const LOCK_WAIT = 5 * 60_000;
const LOCK_POLL = 250;

/** The owner if no stack is known. */
export const UNKNOWN_OWNER = "urn:pulumi";

/** The journal as one owner sees it: a resource, or a stack. */
export interface SharedJournal {
  /**
   * Runs a task that writes to the service and to the journal. Concurrent tasks share what they know of an outage. One that begins
   * after all others have ended knows nothing of it. @throws EngineError `failed` if another run has the lock
   */
  readonly use: <T>(work: (opened: Omit<OpenJournal, "close">) => Promise<T>) => Promise<T>;
  /** Reads what the owner's runs have left of a create. */
  readonly of: (create: CreateKey) => Promise<JournaledCreate>;
  /** Completes a plan to create by what the owner's runs have kept of an object that they removed for it. */
  readonly resumed: (plan: Plan, world: LiveWorld) => Promise<Plan>;
  /** Returns the world without what the owner's runs have created to replace an object, as long as that exists. */
  readonly withoutReplacements: (world: LiveWorld, replaced: string) => Promise<LiveWorld>;
  /** Closes what is journaled of the removal of an object, because there is one of its natural key again. */
  readonly closeRemovals: (create: CreateKey) => Promise<void>;
  /** Records that the state of the owner has an object that was created in a place. */
  readonly noteStored: (place: Omit<CreateKey, "key">, isObject: (created: CreatedObject) => boolean) => Promise<void>;
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

/**
 * Returns whether an object may be the one that the runs have created in the place of another. Undefined if they have begun no such
 * create. @param isReplaced whether the resource is to have another object than the one with this id
 */
export function replacementIn(
  left: JournaledCreate,
  { key }: CreateKey,
  isReplaced: (id: string) => boolean,
): ((live: LiveObject) => boolean) | undefined {
  const isReplacing = ({ replaces = "" }: Pick<OpenIntent, "replaces">): boolean => isReplaced(replaces);
  const made = left.made.filter(isReplacing).map((one) => one.made);
  const open = left.open.filter(isReplacing);
  if (made.length === 0 && open.length === 0) return undefined;
  return (live) => made.includes(live.id) || open.some((intent) => isCandidate(intent, [key], live));
}

/** Whether the runs may have created the object with this id by sending these values. @param scope its address */
export function mayHaveMade(
  { made, open }: JournaledCreate,
  { kind, scope, values, key }: { kind: Kind; scope: string; values: ValueObject; key: string },
  id: string,
): boolean {
  const payload = createPayload(createCall(kind, scope, values, key) ?? {});
  const isMade = made.some((one) => one.made === id && one.payload === payload);
  return isMade || open.some(({ known }) => known?.includes(id) === false);
}

interface OpenJournal {
  readonly journal: Journal;
  readonly circuits: CircuitBreaker;
  readonly close: () => Promise<void>;
}

/** Once the signal is aborted, the lock of another run is not waited for any more. */
type JournalContext = Pick<EngineContext, "env" | "clock" | "signal"> & { readonly client: Pick<Client, "url"> };

/** The journal of a process, open from the first of several concurrent writes to the last. */
export class ProcessJournal {
  readonly #context: JournalContext;
  readonly #files: StateFiles;
  /** Ids of the intents of this run. */
  readonly #begun = new Set<string>();
  #users = 0;
  #opened: Promise<OpenJournal> | undefined;
  #closing = Promise.resolve();
  #prior: ReturnType<typeof readPriorRunState> | undefined;

  constructor(context: JournalContext) {
    this.#context = context;
    this.#files = stateFiles(context.env, context.client.url);
  }

  /** The journal as an owner sees it. */
  of(owner: string): SharedJournal {
    return {
      use: (work) => this.#use(({ journal, circuits }) => work({ journal: this.#ownedBy(owner, journal), circuits })),
      of: (create) => this.#leftOf({ ...create, owner }),
      resumed: async (plan, world) => {
        if (plan.changes[0]?.action !== "create") return plan;
        return resumeReplaces(plan, await this.#openIntents(owner), world);
      },
      withoutReplacements: async (world, replaced) => {
        const unfinished = (await this.#openIntents(owner)).filter(({ replaces }) => replaces === replaced);
        const { client, clock } = this.#context;
        return hideUnfinished(world, unfinished, { url: client.url, now: clock.now() });
      },
      closeRemovals: (create) => this.#use(({ journal }) => closeRemovals(journal, { ...create, owner })),
      noteStored: async (place, isObject) => {
        if (owner !== UNKNOWN_OWNER) await this.#noteStored({ ...place, owner }, isObject);
      },
    };
  }

  /** What the owner's earlier runs, or this one, have begun on the service and not finished. */
  async #openIntents(owner: string): Promise<readonly OpenIntent[]> {
    const { url } = this.#context.client;
    const { intents } = await readPriorRunState(this.#files.journal);
    return intents.filter((intent) => intent.url === url && isSameOwner(intent, { owner }));
  }

  async #use<T>(work: (opened: OpenJournal) => Promise<T>): Promise<T> {
    this.#users += 1;
    const before = this.#closing;
    this.#opened ??= before.then(() => openShared(this.#files, this.#context));
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
    const open = intents.filter((intent) => isOwn(intent, create));
    return {
      made: created.filter((one) => isOwn(one, create) && this.#isLeft(one)),
      open: open.filter(({ removed }) => removed === undefined),
      removal: open.findLast(({ removed }) => removed !== undefined),
    };
  }

  #isLeft(created: CreatedObject): boolean {
    return created.stored !== true && !this.#begun.has(created.id) && isRecent(created, this.#context.clock.now());
  }

  async #noteStored(place: Omit<OwnedCreate, "key">, isObject: (created: CreatedObject) => boolean): Promise<void> {
    const { journal } = this.#files;
    // What earlier runs left does not change any more, and a run may ask for each of its resources.
    this.#prior ??= readPriorRunState(journal);
    const left = (await this.#prior).created.filter(
      (one) => isOwn(one, { ...place, key: one.key }) && isObject(one) && one.stored !== true,
    );
    await recordStored(recentCreatesPath(journal), left);
  }
}

type OwnedCreate = CreateKey & Pick<OpenIntent, "owner">;

/** Whether both are about one create of one owner. */
function isOwn(create: OwnedCreate, own: OwnedCreate): boolean {
  return isSameCreate(create, own) && isSameOwner(create, own);
}

async function closeRemovals(journal: Journal, create: OwnedCreate): Promise<void> {
  const removals = journal.open().filter((intent) => intent.removed !== undefined && isOwn(intent, create));
  await Promise.all(removals.map(({ id }) => journal.close(id, null)));
}

async function openShared(files: StateFiles, context: JournalContext): Promise<OpenJournal> {
  const lock = await lockWhenFree(files.lock, context);
  try {
    const journal = await openJournal(files.journal, lock.isHeld);
    const close = async (): Promise<void> => {
      await journal.release();
      await lock.release();
    };
    return { close, journal, circuits: createCircuitBreaker(context.clock) };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function lockWhenFree(path: string, { clock, signal }: JournalContext): Promise<Lock> {
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
