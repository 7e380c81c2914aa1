/**
 * Creating exactly once, on a service that has no idempotency key.
 *
 * Terms: an intent is journaled before the request; settle.ts tells what a candidate and the horizon are.
 * Premise: a lost answer does not say whether the object exists. An earlier run may have sent its request at any time until
 * it ended, long after it had journaled the intent: limits and waits hold requests back.
 * Algorithm: settle what an earlier run left open, else see that nobody was quicker and that no list hides what an earlier run made; journal, POST. Answered: done. Certainly not reached: the error stands.
 * Anything else: settle it. One object is taken over; none, and it is sent again.
 */
import type { ApiError } from "../../api/errors/errors.ts";
import { failsOnDeployed } from "../../api/operations/index.ts";
import { present, type LiveObject } from "../../model/live.ts";
import { ChangeError, type Task } from "../task.ts";
import { isRecent, type CreatedObject } from "../journal/recent-creates.ts";
import { isSameCreate, type CreateKey, type OpenIntent } from "../journal/intent.ts";
import { sendCreate, type CreateRequest } from "./send-create.ts";
import { hasKey } from "../journal/intents.ts";
import { readById } from "./remove.ts";
import { resolveCreate, type AmbiguousCreate } from "./resolve-create.ts";

/** How often a create is sent at most, each time after the one before is known not to have happened. */
const MAX_SENT = 3;
/** No run sends anything later than this after an intent: half an hour is the client's deadline. Milliseconds. */
const LONGEST_RUN = 60 * 60_000;
/** How long a list may still show what was before a write that has ended: it may come from a copy that lags. Milliseconds. */
const LIST_LAG = 3_000;

/** What came of a create. */
export interface CreateResult {
  readonly live: LiveObject;
  /** Closes the intent of a create that replaces something. */
  readonly close: () => Promise<void>;
}

export async function createOnce(task: Task, creation: CreateRequest): Promise<CreateResult> {
  const { journal } = task.context;
  let unclear = findOpenIntent(task, creation);
  let known = unclear === undefined ? await assertStillAbsent(task, creation) : [];
  for (let sent = 1; ; sent += 1) {
    if (unclear !== undefined) {
      const settled = await resolveCreate(task, creation.keys, unclear);
      if ("live" in settled) return toResult(task, creation, unclear.intent, settled.live);
      await journal.settle(unclear.intent.id, null);
      if (unclear.lasting !== undefined || sent > MAX_SENT) throw notCreated(unclear.lasting);
      known = settled.known;
    }
    const { intent, live, error } = await sendCreate(task, creation, known);
    if (live !== undefined) return toResult(task, creation, intent, live);
    unclear = ambiguousAfter(task, intent, error, sent);
  }
}

/** An intent of a run that ended before it was settled. */
function findOpenIntent(task: Task, creation: CreateRequest): AmbiguousCreate | undefined {
  const { journal, clock, horizonMs } = task.context;
  const wanted = createKeyOf(task, creation);
  const intent = journal.open().find((one) => isSameCreate(one, wanted));
  if (intent === undefined) return undefined;
  return { intent, sentBy: Math.min(clock.now(), intent.at + LONGEST_RUN), horizonMs };
}

function createKeyOf({ context, kind, path }: Task, { keys }: CreateRequest): CreateKey {
  return { url: context.client.url, kind: kind.name, scope: path, key: keys[0] ?? "" };
}

/**
 * Others may have created it since the plan was made: a run that was quicker, here or on another machine. Gives the ids of
 * what is there.
 */
async function assertStillAbsent(task: Task, creation: CreateRequest): Promise<readonly string[]> {
  const { keys, known } = creation;
  if (known === undefined) return [];
  const objects = await task.listOnce();
  const ids = objects.map(({ id }) => id);
  const isTaken = (live: LiveObject): boolean => hasKey(live, keys) && task.isFree(live);
  const taken = objects.find((live) => !known.includes(live.id) && isTaken(live));
  if (taken !== undefined)
    throw staleError(`somebody else has created it since the plan was made: id ${taken.id}`, taken);
  // Where the list shows what is to be replaced, it does not lag behind.
  if (objects.some((live) => hasKey(live, keys))) return ids;
  const hidden = (await findUnlistedCreates(task, creation)).find(isTaken);
  if (hidden === undefined) return ids;
  throw staleError(`an earlier run has created it, which the service does not list yet: id ${hidden.id}`, hidden);
}

/**
 * What earlier runs have created in this place and a list lacks that may lag behind: read by its id, else listed once more. Where
 * that shows nothing either, it counts only once what was written has had the time to show.
 */
async function findUnlistedCreates(task: Task, creation: CreateRequest): Promise<readonly LiveObject[]> {
  const { journal, clock } = task.context;
  const wanted = createKeyOf(task, creation);
  const recent = journal.created().filter((one) => isSameCreate(one, wanted) && isRecent(one, clock.now()));
  const found = await readCreatedObjects(task, recent);
  const wait = Math.max(...recent.map(({ at }) => at)) + LIST_LAG - clock.now();
  if (found.length > 0 || wait <= 0) return found;
  await task.pause(wait);
  return [...(await readCreatedObjects(task, recent)), ...(await task.listAll())];
}

async function readCreatedObjects(task: Task, objects: readonly CreatedObject[]): Promise<readonly LiveObject[]> {
  return present(await Promise.all(objects.map(({ made }) => readById(task, made))));
}

function staleError(message: string, { id }: LiveObject): ChangeError {
  return new ChangeError("skipped", "stale", message, "Plan again.", id);
}

async function toResult(
  task: Task,
  creation: CreateRequest,
  intent: OpenIntent,
  live: LiveObject,
): Promise<CreateResult> {
  task.claim(live.id);
  const close = (): Promise<void> => task.context.journal.settle(intent.id, live.id);
  if (creation.replaces === undefined) await close();
  return { live, close };
}

/**
 * A service that answered 500 itself is done with the request: where that is known to be lasting, or happens again, only the
 * lists have to catch up, and it is not sent again.
 */
function ambiguousAfter(
  { context }: Task,
  intent: OpenIntent,
  error: ApiError | undefined,
  sent: number,
): AmbiguousCreate {
  const sentBy = context.clock.now();
  const unclear = { intent, sentBy, horizonMs: context.horizonMs };
  if (error?.status !== 500 || error.code === null) return unclear;
  if (sent === 1 && !failsOnDeployed(error.operation)) return unclear;
  return { ...unclear, horizonMs: Math.min(LIST_LAG, context.horizonMs), lasting: error };
}

function notCreated(error: ApiError | undefined): ChangeError {
  if (error !== undefined) return new ChangeError("failed", error.code ?? error.kind, error.message, error.hint);
  return new ChangeError(
    "failed",
    "not_created",
    `the service did not create it in ${String(MAX_SENT)} tries`,
    "Look at the service's health, then apply again.",
  );
}
