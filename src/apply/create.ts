/**
 * Creating exactly once, on a service that has no idempotency key.
 *
 * Terms: an intent is journaled before the request; settle.ts tells what a candidate and the horizon are.
 * Premise: a lost answer does not say whether the object exists. An earlier run may have sent its request at any time until
 * it ended, long after it had journaled the intent: limits and waits hold requests back.
 * Algorithm: settle what an earlier run left open, else see that nobody was quicker; journal, POST. Answered: done. Certainly not reached: the error stands.
 * Anything else: settle it. One object is taken over; none, and it is sent again.
 */
import type { ApiError } from "../api/errors.ts";
import { failsOnDeployed } from "../api/operations/index.ts";
import type { LiveObject } from "../model/live.ts";
import { ChangeError, type Task } from "./context.ts";
import type { OpenIntent } from "./journal.ts";
import { post, type Creation } from "./post.ts";
import { isCalled, samePath } from "./intents.ts";
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
      await journal.settle(unclear.intent.id, "not created");
      if (unclear.lasting !== undefined || sent > MAX_SENT) throw notCreated(unclear.lasting);
      known = settled.known;
    }
    const { intent, live, error } = await post(task, creation, known);
    if (live !== undefined) return created(task, creation, intent, live);
    unclear = unclearAfter(task, intent, error, sent);
  }
}

/** An intent of a run that ended before it was settled. */
function leftOpen({ context, kind, path }: Task, { keys }: Creation): Unclear | undefined {
  const { journal, client, clock, horizonMs } = context;
  const intent = journal
    .open()
    .find(
      (one) => one.url === client.url && one.kind === kind.name && one.key === keys[0] && samePath(one.scope, path),
    );
  if (intent === undefined) return undefined;
  return { intent, sentBy: Math.min(clock.now(), intent.at + LONGEST_RUN), horizonMs };
}

/**
 * Others may have created it since the plan was made: a run that was quicker, here or on another machine. Gives the ids of
 * what is there.
 */
async function stillAbsent(task: Task, { keys, known }: Creation): Promise<readonly string[]> {
  if (known === undefined) return [];
  const objects = await task.listOnce();
  const taken = objects.find((live) => !known.includes(live.id) && isCalled(live, keys) && task.isFree(live));
  if (taken === undefined) return objects.map(({ id }) => id);
  const message = `somebody else has created it since the plan was made: id ${taken.id}`;
  throw new ChangeError("skipped", "stale", message, "Plan again.", taken.id);
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
