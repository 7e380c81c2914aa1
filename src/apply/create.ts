/**
 * Creating exactly once, on a service that has no idempotency key.
 *
 * Terms: an intent is journaled before the request; settle.ts tells what a candidate and the horizon are.
 * Premise: a lost answer does not say whether the object exists. An earlier run may have sent its request at any time until
 * it ended, long after it had journaled the intent: limits and waits hold requests back.
 * Algorithm: settle what an earlier run left open, else see that nobody was quicker and that no list hides what an earlier run made; journal, POST. Answered: done. Certainly not reached: the error stands.
 * Anything else: settle it. One object is taken over; none, and it is sent again.
 */
import type { ApiError } from "../api/errors/errors.ts";
import { failsOnDeployed } from "../api/operations/index.ts";
import { present, type LiveObject } from "../model/live.ts";
import { ChangeError, type Task } from "./context.ts";
import { isRecent, type CreatedObject } from "./created.ts";
import { isSameCreate, type CreateKey, type OpenIntent } from "./intent.ts";
import { post, type Creation } from "./post.ts";
import { isCalled } from "./intents.ts";
import { readById } from "./remove.ts";
import { settle, type Unclear } from "./settle.ts";

/** How often a create is sent at most, each time after the one before is known not to have happened. */
const MAX_SENT = 3;
/** No run sends anything later than this after an intent: half an hour is the client's deadline. Milliseconds. */
const LONGEST_RUN = 60 * 60_000;
/** How long a list may still show what was before a write that has ended: it may come from a copy that lags. Milliseconds. */
const LAG = 3_000;

/** What came of a create. */
export interface Created {
  readonly live: LiveObject;
  /** Closes the intent of a create that replaces something. */
  readonly close: () => Promise<void>;
}

export async function createOnce(task: Task, creation: Creation): Promise<Created> {
  const { journal } = task.context;
  let unclear = leftOpen(task, creation);
  let known = unclear === undefined ? await stillAbsent(task, creation) : [];
  for (let sent = 1; ; sent += 1) {
    if (unclear !== undefined) {
      const settled = await settle(task, creation.keys, unclear);
      if ("live" in settled) return created(task, creation, unclear.intent, settled.live);
      await journal.settle(unclear.intent.id, null);
      if (unclear.lasting !== undefined || sent > MAX_SENT) throw notCreated(unclear.lasting);
      known = settled.known;
    }
    const { intent, live, error } = await post(task, creation, known);
    if (live !== undefined) return created(task, creation, intent, live);
    unclear = unclearAfter(task, intent, error, sent);
  }
}

/** An intent of a run that ended before it was settled. */
function leftOpen(task: Task, creation: Creation): Unclear | undefined {
  const { journal, clock, horizonMs } = task.context;
  const wanted = keyOf(task, creation);
  const intent = journal.open().find((one) => isSameCreate(one, wanted));
  if (intent === undefined) return undefined;
  return { intent, sentBy: Math.min(clock.now(), intent.at + LONGEST_RUN), horizonMs };
}

function keyOf({ context, kind, path }: Task, { keys }: Creation): CreateKey {
  return { url: context.client.url, kind: kind.name, scope: path, key: keys[0] ?? "" };
}

/**
 * Others may have created it since the plan was made: a run that was quicker, here or on another machine. Gives the ids of
 * what is there.
 */
async function stillAbsent(task: Task, creation: Creation): Promise<readonly string[]> {
  const { keys, known } = creation;
  if (known === undefined) return [];
  const objects = await task.listOnce();
  const ids = objects.map(({ id }) => id);
  const isTaken = (live: LiveObject): boolean => isCalled(live, keys) && task.isFree(live);
  const taken = objects.find((live) => !known.includes(live.id) && isTaken(live));
  if (taken !== undefined) throw stale(`somebody else has created it since the plan was made: id ${taken.id}`, taken);
  // Where the list shows what is to be replaced, it does not lag behind.
  if (objects.some((live) => isCalled(live, keys))) return ids;
  const hidden = (await createdButNotListed(task, creation)).find(isTaken);
  if (hidden === undefined) return ids;
  throw stale(`an earlier run has created it, which the service does not list yet: id ${hidden.id}`, hidden);
}

/**
 * What earlier runs have created in this place and a list lacks that may lag behind: read by its id, else listed once more. Where
 * that shows nothing either, it counts only once what was written has had the time to show.
 */
async function createdButNotListed(task: Task, creation: Creation): Promise<readonly LiveObject[]> {
  const { journal, clock } = task.context;
  const wanted = keyOf(task, creation);
  const recent = journal.created().filter((one) => isSameCreate(one, wanted) && isRecent(one, clock.now()));
  const found = await readMade(task, recent);
  const wait = Math.max(...recent.map(({ at }) => at)) + LAG - clock.now();
  if (found.length > 0 || wait <= 0) return found;
  await task.pause(wait);
  return [...(await readMade(task, recent)), ...(await task.listAll())];
}

async function readMade(task: Task, objects: readonly CreatedObject[]): Promise<readonly LiveObject[]> {
  return present(await Promise.all(objects.map(({ made }) => readById(task, made))));
}

function stale(message: string, { id }: LiveObject): ChangeError {
  return new ChangeError("skipped", "stale", message, "Plan again.", id);
}

async function created(task: Task, creation: Creation, intent: OpenIntent, live: LiveObject): Promise<Created> {
  task.claim(live.id);
  const close = (): Promise<void> => task.context.journal.settle(intent.id, live.id);
  if (creation.replaces === undefined) await close();
  return { live, close };
}

/**
 * A service that answered 500 itself is done with the request: where that is known to be lasting, or happens again, only the
 * lists have to catch up, and it is not sent again.
 */
function unclearAfter({ context }: Task, intent: OpenIntent, error: ApiError | undefined, sent: number): Unclear {
  const sentBy = context.clock.now();
  const unclear = { intent, sentBy, horizonMs: context.horizonMs };
  if (error?.status !== 500 || error.code === null) return unclear;
  if (sent === 1 && !failsOnDeployed(error.operation)) return unclear;
  return { ...unclear, horizonMs: Math.min(LAG, context.horizonMs), lasting: error };
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
