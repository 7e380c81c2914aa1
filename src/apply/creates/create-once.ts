/**
 * Creating exactly once, on a service that has no idempotency key.
 *
 * Terms: an intent is journaled before the request. resolve-create.ts defines ambiguous, candidate and settle time.
 * Premise: a lost answer does not show whether the object exists. An earlier run may have sent its request long after
 * it journaled the intent, at any time until it ended, because limits and waits delay requests.
 * Algorithm:
 * 1. If an earlier run left this create open, find out whether it made the object. If it did, and its owner is the
 *    same, that object is the result. If the owner is another one, the plan is stale. If it did not, go on with step 3.
 * 2. If none left it open, list again, and read what earlier runs have created and a list may not show yet. If somebody
 *    has created the object since the plan was made, the plan is stale.
 * 3. Journal an intent, and send the request. During an outage, schedule/circuit-breaker.ts holds it back.
 * 4. If the answer holds the object, that is the result. If the request certainly created nothing, its error is.
 * 5. Otherwise the create is ambiguous: find out whether it made the object. If it did, that object is the result.
 * 6. If it did not, go on with step 3. Sending once more takes a retry from the budget of the run. After an error that
 *    is permanent (`isPermanent`), or after MAX_SENT requests, nothing is sent: that error is the result.
 *
 * Other runs may create the same object at the same time (other-runs/other-runs.ts). A look ends before the intent of a
 * result is closed, and the result may be the object of another run.
 */
import { ApiError, isFromService } from "../../api/errors/errors.ts";
import { failsOnDeployed } from "../../api/operations/index.ts";
import { isPresent, present, type LiveObject } from "../../model/live.ts";
import { ChangeError, refusedBy, type Task, type Yielded } from "../task.ts";
import { isRecent, type CreatedObject } from "../journal/recent-creates.ts";
import { isSameCreate, isSameOwner, sentBy, type CreateKey, type OpenIntent, hasKey } from "../journal/intents.ts";
import { sendCreate, type CreateRequest, type SentCreate } from "./send-create.ts";
import { lookForOthers, type LookSubject } from "./look.ts";
import { CREATED_TWICE, notListed } from "./look-errors.ts";
import { readById } from "../actions/reread.ts";
import { createdHash } from "./take-back.ts";
import { LIST_LAG, resolveCreate, type AmbiguousCreate, type Attempt, type ProvenAbsence } from "./resolve-create.ts";

/** How often a create is sent at most. It is sent again only if the previous request certainly created nothing. */
const MAX_SENT = 3;

const APPLY_AGAIN = "Check the health of the service, then apply again.";

export interface CreateResult {
  readonly live: LiveObject;
  readonly yielded?: Yielded | undefined;
  /** Closes the intent. Only a create that replaces another object leaves that to its caller. */
  readonly close: () => Promise<void>;
}

/**
 * Creates the object of a request, and never a second one. Each round first finds out what exists. It sends only if
 * that is certainly not the object, and the next round resolves what got no clear answer.
 *
 * @throws ChangeError or ApiError
 */
export async function createOnce(task: Task, request: CreateRequest): Promise<CreateResult> {
  let ambiguous = findOpenIntent(task, request);
  for (let sent = 0; ; sent += 1) {
    const found = await findObject(task, request, ambiguous);
    if ("live" in found) return found;
    const before = ambiguous?.attempt;
    // An intent with values may be all that is left of a removed object. It stays open until there is another one.
    if (ambiguous !== undefined && ambiguous.intent.carried === undefined)
      await task.context.journal.close(ambiguous.intent.id, null);
    if (before !== undefined && (before.isPermanent || sent === MAX_SENT)) throw notCreated(before);
    const create = await sendUnlessStopped(task, request, found.known, before).catch((error: unknown) =>
      findTaken(task, request, error),
    );
    if ("close" in create) return create;
    if (create.live !== undefined) return answeredResult(task, request, create, create.live);
    ambiguous = ambiguousAfter(task, create, before?.error);
  }
}

/** The object of the request, if it exists already; else the proof that it does not. */
async function findObject(
  task: Task,
  request: CreateRequest,
  ambiguous: AmbiguousCreate | undefined,
): Promise<CreateResult | ProvenAbsence> {
  if (ambiguous === undefined) return assertStillAbsent(task, request);
  const { intent, settledAt, attempt } = ambiguous;
  const isResumed = attempt === undefined;
  const { journal, otherRuns } = task.context;
  // Only an apply with this state folder notes an answer (`answeredResult`), so it is the owner.
  if (intent.made !== undefined && otherRuns === "look after")
    return resultOfLook({ task, request, intent, isResumed });
  const found = await resolveCreate(task, request.keys, ambiguous);
  if (!("live" in found)) return found;
  // Before the look for others, which takes so long that an outage of answers alone would open the circuit.
  if (!isResumed) task.recordSuccess(request.call.operation);
  if (!isSameOwner(intent, journal))
    throw staleError(`it was created by a run of somebody else: id ${found.live.id}`, found.live);
  if (otherRuns !== "look after") return foundResult(task, request, intent, found);
  return resultOfLook({ task, request, intent, settledAt, isResumed });
}

/**
 * A name that is taken: another run was faster, if the list shows the object by now.
 *
 * @throws the error otherwise
 */
async function findTaken(task: Task, request: CreateRequest, error: unknown): Promise<CreateResult> {
  const isTaken = error instanceof ApiError && error.status === 400 && error.code === "unique";
  if (!isTaken || task.context.otherRuns !== "look after") throw error;
  const live = (await task.lists.all()).find(
    (object) => hasKey(object, request.keys) && isPresent(object) && task.isFree(object),
  );
  if (live === undefined) throw error;
  return foundResult(task, request, undefined, { live, yielded: {} });
}

/**
 * @param before the last request of this run: it certainly created nothing
 * @throws ChangeError if the create must not be sent now: `skipped`, or `failed` if it was sent before
 */
async function sendUnlessStopped(
  task: Task,
  request: CreateRequest,
  known: readonly string[],
  before: Attempt | undefined,
): Promise<SentCreate> {
  const result = await task.whenServiceAnswers(request.call.operation, async () => {
    if (before !== undefined && !task.context.client.takeRetry())
      throw notSentAgain(before.error, "the retries of this run are used up");
    return sendCreate(task, request, known);
  });
  if (!("refused" in result)) return result;
  if (before !== undefined) throw notSentAgain(before.error, "other creates failed as well");
  throw refusedBy(result.refused);
}

/**
 * The intents that earlier runs, of any owner, left open for this create, the oldest first. There are several if a
 * replace was tried again, and each keeps the values of the removed object. Before a run journals one, it has resolved
 * the others.
 */
function openIntentsOf(task: Task, request: CreateRequest): readonly OpenIntent[] {
  const key = createKeyOf(task, request);
  return task.context.journal.open().filter((intent) => intent.removed === undefined && isSameCreate(intent, key));
}

/** The create that an earlier run began but did not resolve. */
function findOpenIntent(task: Task, request: CreateRequest): AmbiguousCreate | undefined {
  const { clock, settleAfterMs } = task.context;
  const intent = openIntentsOf(task, request).at(-1);
  if (intent === undefined) return undefined;
  // Where only one object can have the key, a late request makes no second one.
  const sentAt = task.kind.writes.onePerKey === true ? intent.at : sentBy(intent, clock.now());
  return { intent, settledAt: sentAt + settleAfterMs };
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
  const objects = await task.lists.beforeCreate();
  const absent = { known: objects.map(({ id }) => id) };
  const isTaken = (live: LiveObject): boolean => hasKey(live, keys) && task.isFree(live);
  const taken = objects.find((live) => isTaken(live) && !known.includes(live.id));
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

function staleError(message: string, { id }: LiveObject): ChangeError {
  return new ChangeError("skipped", "stale", message, { hint: "Plan again.", id });
}

/** The object in an answer. */
async function answeredResult(
  task: Task,
  request: CreateRequest,
  { intent, listed }: SentCreate,
  live: LiveObject,
): Promise<CreateResult> {
  if (task.context.otherRuns !== "look after") return foundResult(task, request, intent, { live });
  task.hold(live.id);
  const created = createdHash(listed ?? live);
  await task.context.journal.answered(intent.id, live.id, created);
  const answered = { ...intent, made: live.id, created };
  const found = await resultOfLook({ task, request, intent: answered, isResumed: false });
  if (!("live" in found)) throw notListed(answered);
  return found.live.id === live.id ? { ...found, live } : found;
}

async function resultOfLook(subject: LookSubject): Promise<CreateResult | ProvenAbsence> {
  const { task, request, intent } = subject;
  const found = await lookForOthers(subject).catch(async (error: unknown) => {
    // Both objects are named, so nothing is left to be done.
    const isOver = error instanceof ChangeError && error.code === CREATED_TWICE && intent.carried === undefined;
    if (isOver) await task.context.journal.close(intent.id, intent.made ?? null);
    throw error;
  });
  return "live" in found ? foundResult(task, request, intent, found) : found;
}

async function foundResult(
  task: Task,
  request: CreateRequest,
  intent: OpenIntent | undefined,
  { live, yielded }: Pick<CreateResult, "live" | "yielded">,
): Promise<CreateResult> {
  task.hold(live.id);
  const { journal } = task.context;
  const close = async (): Promise<void> => {
    // The object exists again, so nothing has to be kept for it any more. The intent that made it is the last one to go:
    // if the run ends before that, the next one finds the object by it.
    const kept = openIntentsOf(task, request).filter(
      (other) => other.carried !== undefined && other.id !== intent?.id && isSameOwner(other, intent ?? journal),
    );
    await Promise.all(kept.map(({ id }) => journal.close(id, null)));
    if (intent !== undefined) await journal.close(intent.id, yielded === undefined ? live.id : null);
  };
  if (request.replaces === undefined) await close();
  return { live, yielded, close };
}

/**
 * A server error is permanent if it is known to be, or if it is the same as that of the request before: then the
 * request is not sent again. If the service itself answered 500, it has finished the request, and resolving a permanent
 * error only has to wait until the lists are up to date. Behind the error of a gateway, the request may still be running.
 *
 * @param previous the error of the request before, which certainly created nothing
 */
function ambiguousAfter(
  { context }: Task,
  { intent, error }: SentCreate,
  previous: ApiError | undefined,
): AmbiguousCreate {
  const { clock, settleAfterMs } = context;
  const isOver = error !== undefined && isPermanent(error, previous);
  const settleAfter = isOver && isFromService(error) ? Math.min(LIST_LAG, settleAfterMs) : settleAfterMs;
  return { intent, settledAt: clock.now() + settleAfter, attempt: { error, isPermanent: isOver } };
}

function isPermanent(error: ApiError, previous: ApiError | undefined): boolean {
  if (isFromService(error) && failsOnDeployed(error.operation)) return true;
  return error.kind === "server" && error.status === previous?.status && error.code === previous.code;
}

function notCreated({ error, isPermanent: isOver }: Attempt): ChangeError {
  if (error !== undefined && isOver) {
    const { code, kind, message, hint } = error;
    return new ChangeError("failed", code ?? kind, `${message}; nothing was created`, { hint });
  }
  const tries = `the service did not create it in ${String(MAX_SENT)} tries`;
  return new ChangeError("failed", "not_created", error === undefined ? tries : `${tries}: ${error.message}`, {
    hint: APPLY_AGAIN,
  });
}

function notSentAgain(last: ApiError | undefined, reason: string): ChangeError {
  const problem = last?.message ?? "the answer held no object";
  const message = `${problem}; nothing was created, and it was not sent again, because ${reason}`;
  return new ChangeError("failed", "not_created", message, { hint: APPLY_AGAIN });
}
