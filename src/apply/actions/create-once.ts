/**
 * Creating exactly once, on a service that has no idempotency key.
 *
 * Terms: an intent is journaled before the request. resolve-create.ts defines candidate and settle time.
 * Premise: a lost answer does not show whether the object exists. An earlier run may have sent its request long after
 * it journaled the intent, at any time until it ended, because limits and waits delay requests.
 * Algorithm: resolve the create that an earlier run left open. Its object is the result only if its owner is the same. If there is none, check that no other run has created
 * the object, and that no list hides an object that an earlier run created. Then journal the intent and send the
 * request. If the service answers, the create is done. If the request certainly did not arrive, the error is reported.
 * Otherwise the create is ambiguous and is resolved: if one object is found, it is adopted; if none is found, the
 * request is sent again. If the service answers it with the same server error, and again nothing was created, that
 * error is the result. schedule/circuit-breaker.ts holds a create back during an outage. Sending one again takes a retry from the
 * budget of the run.
 */
import { isFromService, type ApiError } from "../../api/errors/errors.ts";
import { failsOnDeployed } from "../../api/operations/index.ts";
import { present, type LiveObject } from "../../model/live.ts";
import { ChangeError, type Task } from "../task.ts";
import { isRecent, type CreatedObject } from "../journal/recent-creates.ts";
import { isSameCreate, isSameOwner, type CreateKey, type OpenIntent, hasKey } from "../journal/intents.ts";
import { sendCreate, type CreateRequest, type SentCreate } from "./send-create.ts";
import { readById } from "./reread.ts";
import { resolveCreate, type AmbiguousCreate, type ProvenAbsence } from "./resolve-create.ts";

/** How often a create is sent at most. It is sent again only if the previous request certainly created nothing. */
const MAX_SENT = 3;
/** No run sends a request later than this after its intent: twice the client's deadline of half an hour. Milliseconds. */
const LONGEST_RUN = 60 * 60_000;
/**
 * How long a list may still show the state before a write, because it may come from a lagging replica. Milliseconds.
 */
const LIST_LAG = 3_000;

const APPLY_AGAIN = "Check the health of the service, then apply again.";

export interface CreateResult {
  readonly live: LiveObject;
  /** Closes the intent. Only a create that replaces another object leaves that to its caller. */
  readonly close: () => Promise<void>;
}

/**
 * Creates the object of a request, and never a second one. Each round first finds out what exists. It sends only if that is certainly
 * not the object, and the next round resolves what got no clear answer.
 *
 * @throws ChangeError or ApiError
 */
export async function createOnce(task: Task, request: CreateRequest): Promise<CreateResult> {
  let ambiguous = findOpenIntent(task, request);
  let before: SentCreate | undefined;
  for (let sent = 0; ; sent += 1) {
    const found = await (ambiguous === undefined
      ? assertStillAbsent(task, request)
      : resolveCreate(task, request.keys, ambiguous));
    if ("live" in found) {
      if (!isSameOwner(found.intent, task.context.journal))
        throw staleError(`it was created by a run of somebody else: id ${found.live.id}`, found.live);
      if (before !== undefined) task.recordCreated(request.call.operation);
      return toResult(task, request, found.intent, found.live);
    }
    // An intent with values may be all that is left of a removed object. It stays open until there is another one.
    if (ambiguous !== undefined && ambiguous.intent.carried === undefined)
      await task.context.journal.close(ambiguous.intent.id, null);
    if (ambiguous?.permanent !== undefined || sent === MAX_SENT) throw notCreated(ambiguous?.permanent, before?.error);
    const create = await sendUnlessStopped(task, request, found.known, before);
    if (create.live !== undefined) return toResult(task, request, create.intent, create.live);
    ambiguous = ambiguousAfter(task, create, before?.error);
    before = create;
  }
}

/**
 * @param before the same create as this run sent it before: it certainly created nothing
 * @throws ChangeError if the create must not be sent now: `skipped`, or `failed` if it was sent before
 */
async function sendUnlessStopped(
  task: Task,
  request: CreateRequest,
  known: readonly string[],
  before: SentCreate | undefined,
): Promise<SentCreate> {
  const result = await task.whenServiceAnswers(request.call.operation, async () => {
    if (before !== undefined && !task.context.client.takeRetry())
      throw notSentAgain(before.error, "the retries of this run are used up");
    return sendCreate(task, request, known);
  });
  if (!("refused" in result)) return result;
  if (before !== undefined) throw notSentAgain(before.error, "other creates failed as well");
  const { code, message, hint } = result.refused;
  throw new ChangeError("skipped", code, message, { hint });
}

/**
 * The intents that earlier runs, of any owner, left open for this create, the oldest first. There are several if a replace was tried again, and
 * each keeps the values of the removed object. Before a run journals one, it has resolved the others.
 */
function openIntentsOf(task: Task, request: CreateRequest): readonly OpenIntent[] {
  const key = createKeyOf(task, request);
  return task.context.journal.open().filter((one) => one.removed === undefined && isSameCreate(one, key));
}

/** The create that an earlier run began but did not resolve. */
function findOpenIntent(task: Task, request: CreateRequest): AmbiguousCreate | undefined {
  const { clock, settleAfterMs } = task.context;
  const intent = openIntentsOf(task, request).at(-1);
  if (intent === undefined) return undefined;
  return { intent, settledAt: Math.min(clock.now(), intent.at + LONGEST_RUN) + settleAfterMs };
}

function createKeyOf({ context, kind, path }: Task, { keys }: CreateRequest): CreateKey {
  return { url: context.client.url, kind: kind.name, scope: path, key: keys[0] ?? "" };
}

/**
 * Another run, here or on another machine, may have created the object since the plan was made.
 *
 * @throws ChangeError `stale` if an existing object is the object
 */
async function assertStillAbsent(task: Task, request: CreateRequest): Promise<ProvenAbsence> {
  const { keys, known } = request;
  if (known === undefined) return { known: [] };
  const objects = await task.listOnce();
  const absent = { known: objects.map(({ id }) => id) };
  const isTaken = (live: LiveObject): boolean => hasKey(live, keys) && task.isFree(live);
  const taken = objects.find((live) => !known.includes(live.id) && isTaken(live));
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
async function findUnlistedCreates(task: Task, request: CreateRequest): Promise<readonly LiveObject[]> {
  const { journal, clock } = task.context;
  const key = createKeyOf(task, request);
  const recent = journal.created().filter((one) => isSameCreate(one, key) && isRecent(one, clock.now()));
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
  return new ChangeError("skipped", "stale", message, { hint: "Plan again.", id });
}

async function toResult(
  task: Task,
  request: CreateRequest,
  intent: OpenIntent,
  live: LiveObject,
): Promise<CreateResult> {
  task.claim(live.id);
  const { journal } = task.context;
  const close = async (): Promise<void> => {
    // The object exists again, so nothing has to be kept for it any more. The intent that made it is the last one to go: if the run ends
    // before that, the next one finds the object by it.
    const kept = openIntentsOf(task, request).filter(
      (one) => one.carried !== undefined && one.id !== intent.id && isSameOwner(one, intent),
    );
    await Promise.all(kept.map(({ id }) => journal.close(id, null)));
    await journal.close(intent.id, live.id);
  };
  if (request.replaces === undefined) await close();
  return { live, close };
}

/**
 * A server error is permanent if it is known to be, or if it is the same as that of the request before: then the request is
 * not sent again. If the service itself answered 500, it has finished the request, and resolving a permanent error only has
 * to wait until the lists are up to date. Behind the error of a gateway, the request may still be running.
 *
 * @param previous the error of the request before, which certainly created nothing
 */
function ambiguousAfter(
  { context }: Task,
  { intent, error }: SentCreate,
  previous: ApiError | undefined,
): AmbiguousCreate {
  const { clock, settleAfterMs } = context;
  if (error === undefined || !isPermanent(error, previous)) return { intent, settledAt: clock.now() + settleAfterMs };
  const settleAfter = isFromService(error) ? Math.min(LIST_LAG, settleAfterMs) : settleAfterMs;
  return { intent, settledAt: clock.now() + settleAfter, permanent: error };
}

function isPermanent(error: ApiError, previous: ApiError | undefined): boolean {
  if (isFromService(error) && failsOnDeployed(error.operation)) return true;
  return error.kind === "server" && error.status === previous?.status && error.code === previous.code;
}

function notCreated(permanent: ApiError | undefined, last: ApiError | undefined): ChangeError {
  if (permanent !== undefined) {
    const { code, kind, message, hint } = permanent;
    return new ChangeError("failed", code ?? kind, `${message}; nothing was created`, { hint });
  }
  const tries = `the service did not create it in ${String(MAX_SENT)} tries`;
  return new ChangeError("failed", "not_created", last === undefined ? tries : `${tries}: ${last.message}`, {
    hint: APPLY_AGAIN,
  });
}

function notSentAgain(last: ApiError | undefined, reason: string): ChangeError {
  const problem = last?.message ?? "the answer held no object";
  const message = `${problem}; nothing was created, and it was not sent again, because ${reason}`;
  return new ChangeError("failed", "not_created", message, { hint: APPLY_AGAIN });
}
