/**
 * Whether the object of a create exists, before the create is begun and after it got no clear answer.
 *
 * Terms: a candidate is an object that did not exist before the intent and has its natural key. The settle time is the time after which an
 * unanswered request can no longer take effect.
 * Premise: only a complete list is evidence, and a list without a candidate only after the settle time. Servers drop and
 * normalise fields, and move objects to a sibling kind, so candidates are recognised by their natural key alone.
 */
import { ApiError } from "../../api/errors/errors.ts";
import type { Call } from "../../kinds/kind-parts.ts";
import type { JsonObject } from "../../model/json/json.ts";
import { listKey, present, type LiveObject } from "../../model/live.ts";
import { readById } from "../actions/reread.ts";
import { hasKey, isCandidate, isSameCreate, isSameOwner, type CreateKey, type OpenIntent } from "../journal/intents.ts";
import { isRecent, type CreatedObject } from "../journal/recent-creates.ts";
import { ChangeError } from "../change-error.ts";
import type { Task, Yielded } from "../task.ts";

/** Waits between lists. The last one is repeated. Milliseconds. */
const LIST_WAITS = [500, 1_000, 2_000, 5_000, 10_000, 20_000];
/** How long a list may still show the state before a write, because it may come from a lagging replica. Milliseconds. */
export const LIST_LAG = 3_000;
/** How many lists in a row after the settle time must show no candidate. */
const EMPTY_LISTS = 2;
/** How many lists in a row may fail. The cause of a lost answer often breaks the first list as well. */
const FAILED_LISTS = 4;

const LOST = "the journal has lost which objects existed before";
const STILL_POSSIBLE = "its create got no clear answer and may still take effect";

/** What is to be created. */
export interface CreateRequest {
  readonly call: Call;
  readonly key: CreateKey;
  /** All natural keys of the object. */
  readonly keys: readonly string[];
  /** Runs between the journal and the request: it removes the object that is replaced. */
  readonly prepare?: (() => Promise<void>) | undefined;
  /** The undeclared values in the body, if the replaced object is removed before this create. */
  readonly carried?: JsonObject | undefined;
  /** Id of the replaced object if it is removed after this create. The intent stays open until that is done. */
  readonly replaces?: string | undefined;
}

/** A create that may have made its object. */
export interface BegunCreate {
  readonly intent: OpenIntent;
  /** Whether an earlier run has begun it. */
  readonly isResumed: boolean;
  /** When its request can no longer take effect. Milliseconds since 1970. */
  readonly settledAt: number;
  /** The object in the answer that this run got. */
  readonly answer?: LiveObject | undefined;
  /** The error that this run got instead. Neither is there if the answer held no object. */
  readonly error?: ApiError | undefined;
  /** Whether the request would fail with the same error again. */
  readonly isPermanent: boolean;
}

/** The object of a create. */
export interface FoundObject {
  readonly live: LiveObject;
  readonly yielded?: Yielded | undefined;
}

/** The object of a create does not exist. */
export interface ProvenAbsence {
  /** Ids of all objects of its kind that do. */
  readonly known: readonly string[];
}

/**
 * Lists again, and reads what earlier runs have created and a list may not show yet: another run, here or on another machine, may have
 * created the object since the plan was made.
 *
 * @throws ChangeError `stale` if an existing object is the object
 */
export async function assertStillAbsent(
  task: Task,
  request: CreateRequest,
  list: (task: Task) => Promise<readonly LiveObject[]>,
): Promise<ProvenAbsence> {
  const { keys } = request;
  // The scope itself is new.
  if (!task.context.world.lists.has(listKey(task.scope, task.kind.name))) return { known: [] };
  const planned = new Set(task.lists.planned().map(({ id }) => id));
  const objects = await list(task);
  const absent = { known: objects.map(({ id }) => id) };
  const isTaken = (live: LiveObject): boolean => hasKey(live, keys) && task.isFree(live);
  const taken = objects.find((live) => isTaken(live) && !planned.has(live.id));
  if (taken !== undefined)
    throw staleError(`it was created by someone else after the plan was made: id ${taken.id}`, taken);
  // A list that shows the object to be replaced is up to date.
  if (objects.some((live) => hasKey(live, keys))) return absent;
  const hidden = (await findUnlistedCreates(task, request)).find(isTaken);
  if (hidden === undefined) return absent;
  throw staleError(`an earlier run has created it, but the service does not list it yet: id ${hidden.id}`, hidden);
}

/**
 * Finds the objects that earlier runs have created under the same key and that a lagging list may not show yet. They
 * are read by id. If none is found but the lag may still hide one, they are read and listed once more after it.
 */
async function findUnlistedCreates(task: Task, { key }: CreateRequest): Promise<readonly LiveObject[]> {
  const { journal, clock } = task.context;
  const recent = journal.created().filter((object) => isSameCreate(object, key) && isRecent(object, clock.now()));
  const found = await readCreatedObjects(task, recent);
  const wait = Math.max(...recent.map(({ at }) => at)) + LIST_LAG - clock.now();
  if (found.length > 0 || wait <= 0) return found;
  await task.pause(wait);
  return [...(await readCreatedObjects(task, recent)), ...(await task.lists.all())];
}

async function readCreatedObjects(task: Task, objects: readonly CreatedObject[]): Promise<readonly LiveObject[]> {
  return present(await Promise.all(objects.map(({ made }) => readById(task, made))));
}

/**
 * Lists until one candidate is found, or several, or until two lists in a row after the settle time show none.
 *
 * @throws ChangeError `unknown` if it stays unknown, `stale` if the create had another owner
 */
export async function resolveCreate(
  task: Task,
  { call, keys }: CreateRequest,
  { intent, isResumed, settledAt }: BegunCreate,
): Promise<FoundObject | ProvenAbsence> {
  const { clock, signal, journal } = task.context;
  if (intent.known === undefined) throw unknownCreateError(intent, LOST);
  const list = listPatiently(
    () => task.lists.all(),
    (reason) => unknownCreateError(intent, reason),
  );
  for (let lists = 0, empty = 0; ; lists += 1) {
    const isSettled = clock.now() >= settledAt;
    const objects = await list();
    const candidates = objects?.filter((live) => isCandidate(intent, keys, live) && task.isFree(live)) ?? [];
    if (candidates.length > 1)
      throw unknownCreateError(intent, `several objects match (ids ${candidates.map(({ id }) => id).join(", ")})`);
    const [live] = candidates;
    if (live !== undefined) {
      if (!isResumed) task.recordSuccess(call.operation);
      if (isSameOwner(intent, journal)) return { live };
      throw staleError(`it was created by a run of somebody else: id ${live.id}`, live);
    }
    empty = objects !== undefined && isSettled ? empty + 1 : 0;
    if (objects !== undefined && empty === EMPTY_LISTS) return { known: objects.map(({ id }) => id) };
    if (lists === 0 && !isSettled) task.reportWait(STILL_POSSIBLE, settledAt);
    await task.pause(isSettled ? listWait(0) : Math.min(listWait(lists), settledAt - clock.now()));
    if (signal?.aborted === true) throw unknownCreateError(intent, `${stopReason(signal)} before that was known`);
  }
}

/**
 * Returns a function that reads a list. It returns undefined if the read failed and a later one may succeed, or if the run was
 * interrupted.
 *
 * @param unreadable makes the error after which no other list may succeed
 */
export function listPatiently(
  read: () => Promise<readonly LiveObject[]>,
  unreadable: (reason: string) => ChangeError,
): () => Promise<readonly LiveObject[] | undefined> {
  let failed = 0;
  return async () => {
    try {
      const objects = await read();
      failed = 0;
      return objects;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      failed += 1;
      const isPassing = error.tookEffect === "maybe" || ["network", "timeout", "incomplete"].includes(error.kind);
      if (error.kind === "interrupted" || (isPassing && failed < FAILED_LISTS)) return undefined;
      throw unreadable(`the list could not be read: ${error.message}`);
    }
  };
}

/** How long to wait after the n-th list, counted from 0. Milliseconds. */
export function listWait(lists: number): number {
  return LIST_WAITS[Math.min(lists, LIST_WAITS.length - 1)] ?? 0;
}

export function stopReason({ reason }: AbortSignal): string {
  return typeof reason === "string" ? reason : "the run was interrupted";
}

function unknownCreateError({ kind, key }: OpenIntent, reason: string): ChangeError {
  return new ChangeError(
    "unknown",
    "outcome_unknown",
    `${kind} ${JSON.stringify(key)} may have been created: ${reason}`,
    { hint: "Run plan: it shows whether the object exists. The next apply resolves this create before anything else." },
  );
}

/** The object exists, and is not what the plan was made for. */
function staleError(message: string, { id }: LiveObject): ChangeError {
  return new ChangeError("skipped", "stale", message, { hint: "Plan again.", id });
}
