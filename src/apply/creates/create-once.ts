/**
 * Creating exactly once, on a service that has no idempotency key.
 *
 * Premise: a lost answer does not show whether the object exists. An earlier run may have sent its request long after it journaled the
 * intent, at any time until it ended, because limits and waits delay requests. Other runs may create the same object at the same time
 * (protocol.ts).
 *
 * state       what is known                       what is done next                                            where
 *
 * not begun   no intent is open for it            list again. Absent: being sent. There: the plan is stale     resolve-create.ts
 * being sent  the intent is on disk, and the      the answer has the object: answered. Certainly nothing was   send
 *             request may have arrived            made: the error is the result, or what took the unique       findTaken
 *                                                 name is found. Else: unanswered
 * unanswered  the object is there, or may come    list until a new object has the key: found. None after the   resolve-create.ts
 *             until the settle time               settle time: absent. Unclear: the intent stays open
 * answered    the object is there, and its id     look: the oldest object of all runs is found. The own one    look.ts
 *             is in the intent                    is gone since an earlier run: absent
 * absent      the intent has made nothing, and    close it. Being sent again, unless that was done MAX_SENT    createInRounds
 *             never will                          times or would fail in the same way
 * found       which object it is                  close the intent. A replace does so after its removal        resultOf
 *
 * What was unanswered is found only after the same look. A create that reads right before it is sent has no look: answered, it is found.
 * A run that is killed leaves a create unanswered or answered, and the next run goes on there: if that one had another owner, the plan is
 * stale. During an outage nothing is sent (schedule/circuit-breaker.ts), and sending again takes a retry from the budget of the run.
 */
import { errorReason } from "../../model/text/error-reason.ts";
import { CIRCUIT_OPEN } from "../../model/outcome.ts";
import { ApiError, isFromService } from "../../api/errors/errors.ts";
import { failsOnDeployed } from "../../api/operations/index.ts";
import { createPayload } from "../../kinds/create-call.ts";
import { isPresent, type LiveObject } from "../../model/live.ts";
import { ChangeError, isKnownFailure } from "../change-error.ts";
import type { Task } from "../task.ts";
import { isSameCreate, isSameOwner, sentBy, type OpenIntent, hasKey } from "../journal/intents.ts";
import { createdHash, listingTask } from "./look.ts";
import { lookAfter } from "./look-after.ts";
import type { CreateProtocol } from "./protocol.ts";
import { readBefore } from "./read-before.ts";
import {
  assertStillAbsent,
  LIST_LAG,
  type BegunCreate,
  type CreateRequest,
  type FoundObject,
} from "./resolve-create.ts";

/** How often a create is sent at most, and only if the previous request certainly created nothing (api/limits/retry.ts lists all parts that send again). */
const MAX_SENT = 3;

const APPLY_AGAIN = "Check the health of the service, then apply again.";

export interface CreateResult extends FoundObject {
  /** Closes the intent. Only a create that replaces another object leaves that to its caller. */
  readonly close: () => Promise<void>;
}

/** How the creates of a task treat those of other runs. */
export function protocolOf({ context: { otherRuns } }: Task): CreateProtocol {
  return otherRuns === "look after" ? lookAfter : readBefore(otherRuns);
}

/**
 * Creates the object of a request, and never a second one.
 *
 * @throws ChangeError or ApiError
 */
export function createOnce(task: Task, request: CreateRequest): Promise<CreateResult> {
  return createInRounds(task, request).catch((error: unknown) => findTaken(task, request, error));
}

/** Each round first finds out what exists. It sends only if that is certainly not the object, and the next round judges what became of it. */
async function createInRounds(task: Task, request: CreateRequest): Promise<CreateResult> {
  const { listBefore, find } = protocolOf(task);
  let begun = findBegun(task, request);
  for (let sent = 0; ; sent += 1) {
    const found =
      begun === undefined ? await assertStillAbsent(task, request, listBefore) : await find(task, request, begun);
    if ("live" in found) return resultOf(task, request, begun?.intent, found);
    // An intent with values may be all that is left of a removed object. It stays open until there is another one.
    if (begun !== undefined && begun.intent.carried === undefined)
      await task.context.journal.close(begun.intent.id, null);
    if (begun !== undefined && (begun.isPermanent || sent === MAX_SENT)) throw notCreated(begun);
    begun = await sendUnlessStopped(task, request, found.known, sent === 0 ? undefined : begun);
  }
}

/** The create that an earlier run began but did not resolve. */
function findBegun(task: Task, request: CreateRequest): BegunCreate | undefined {
  const { clock, settleAfterMs } = task.context;
  const intent = openIntentsOf(task, request).at(-1);
  if (intent === undefined) return undefined;
  // Where only one object can have the key, a late request makes no second one.
  const sentAt = task.kind.writes.onePerKey === true ? intent.at : sentBy(intent, clock.now());
  return { intent, isResumed: true, settledAt: sentAt + settleAfterMs, isPermanent: false };
}

/**
 * The intents that earlier runs, of any owner, left open for this create, the oldest first. There are several if a
 * replace was tried again, and each keeps the values of the removed object. Before a run journals one, it has resolved
 * the others.
 */
function openIntentsOf(task: Task, { key }: CreateRequest): readonly OpenIntent[] {
  return task.context.journal.open().filter((intent) => intent.removed === undefined && isSameCreate(intent, key));
}

/**
 * A name that is taken: another run was faster, if the list shows the object by now.
 *
 * @throws the error otherwise
 */
async function findTaken(task: Task, request: CreateRequest, error: unknown): Promise<CreateResult> {
  const isTaken = error instanceof ApiError && error.status === 400 && error.code === "unique";
  if (!isTaken || !protocolOf(task).yields) throw error;
  const live = (await task.lists.all()).find(
    (object) =>
      hasKey(object, request.keys) && isPresent(object) && task.isFree(object) && object.id !== request.replaces,
  );
  if (live === undefined) throw error;
  return resultOf(task, request, undefined, { live, yielded: {} });
}

async function resultOf(
  task: Task,
  request: CreateRequest,
  intent: OpenIntent | undefined,
  { live, yielded }: FoundObject,
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
 * @param before the last request of this run: it certainly created nothing
 * @throws ChangeError if the create must not be sent now: `skipped`, or `failed` if it was sent before
 */
async function sendUnlessStopped(
  task: Task,
  request: CreateRequest,
  known: readonly string[],
  before: BegunCreate | undefined,
): Promise<BegunCreate> {
  try {
    return await task.whenServiceAnswers(request.call.operation, async () => {
      if (before !== undefined && !task.context.client.takeRetry())
        throw notSentAgain(before, "the retries of this run are used up");
      return send(task, request, known, before);
    });
  } catch (error) {
    const isRefused = error instanceof ChangeError && error.code === CIRCUIT_OPEN;
    throw before !== undefined && isRefused ? notSentAgain(before, "other creates failed as well") : error;
  }
}

/** Journals the intent, then sends the request. A plain failure is thrown. */
async function send(
  task: Task,
  request: CreateRequest,
  known: readonly string[],
  before: BegunCreate | undefined,
): Promise<BegunCreate> {
  const { call } = request;
  const intent = await journalIntent(task, request, known);
  let isPrepared = false;
  let live: LiveObject | undefined;
  let listed: LiveObject | undefined;
  try {
    await request.prepare?.();
    isPrepared = true;
    // A success without an object that has an id is not a clear answer.
    const { body } = await task.call(call);
    listed = listingTask(task, call).lists.parse(call.operation, body);
    live = listed === undefined ? undefined : task.lists.parse(call.operation, body);
  } catch (error) {
    const isUnanswered =
      error instanceof ApiError && error.tookEffect === "maybe" && error.operation === call.operation;
    if (isUnanswered) return unanswered(task, intent, error, before?.error);
    // The intent may be all that is left of the removed object, and a defect says nothing about the request: it stays open for the next run.
    const isDefect = isPrepared && !isKnownFailure(error);
    const mayBeRemoved = isPrepared || mayHaveTakenEffect(error);
    if (!isDefect && (!mayBeRemoved || request.carried === undefined))
      await task.context.journal.close(intent.id, null);
    throw error;
  }
  if (live === undefined || listed === undefined) return unanswered(task, intent);
  if (known.includes(live.id)) throw answeredWithKnown(call.operation);
  task.hold(live.id);
  const answered = { ...intent, made: live.id, created: createdHash(listed) };
  return { intent: answered, isResumed: false, settledAt: 0, answer: live, isPermanent: false };
}

async function journalIntent(task: Task, request: CreateRequest, known: readonly string[]): Promise<OpenIntent> {
  const { journal, clock } = task.context;
  const { call, key, carried, replaces } = request;
  try {
    return await journal.begin({ ...key, payload: createPayload(call), known, carried, replaces, at: clock.now() });
  } catch (error) {
    const reason = errorReason(error);
    const hint = "Make the journal's folder writable (DRIFTLINE_STATE_DIR) and free disk space, then apply again.";
    throw new ChangeError("failed", "no_journal", `not sent: its intent could not be journaled: ${reason}`, { hint });
  }
}

/** Whether the request that failed may have taken effect. */
function mayHaveTakenEffect(error: unknown): boolean {
  if (error instanceof ApiError) return error.tookEffect === "maybe";
  return !(error instanceof ChangeError) || error.status === "unknown" || error.status === "unverified";
}

/**
 * A server error is permanent if it is known to be, or if it is the same as that of the request before: then the
 * request is not sent again. If the service itself answered 500, it has finished the request, and resolving a permanent
 * error only has to wait until the lists are up to date. Behind the error of a gateway, the request may still be running.
 *
 * @param previous the error of the request before, which certainly created nothing
 */
function unanswered({ context }: Task, intent: OpenIntent, error?: ApiError, previous?: ApiError): BegunCreate {
  const { clock, settleAfterMs } = context;
  const isOver = error !== undefined && isPermanent(error, previous);
  const settleAfter = isOver && isFromService(error) ? Math.min(LIST_LAG, settleAfterMs) : settleAfterMs;
  return { intent, isResumed: false, settledAt: clock.now() + settleAfter, error, isPermanent: isOver };
}

function isPermanent(error: ApiError, previous: ApiError | undefined): boolean {
  if (isFromService(error) && failsOnDeployed(error.operation)) return true;
  return error.kind === "server" && error.status === previous?.status && error.code === previous.code;
}

function answeredWithKnown(operation: string): ChangeError {
  return new ChangeError(
    "unknown",
    "outcome_unknown",
    `${operation} answered with an object that existed before, so it is unknown whether a new one was created`,
    {
      hint: "Run plan: it shows the current state of the service. The next apply resolves this create before anything else.",
    },
  );
}

function notCreated({ error, isPermanent: isOver }: BegunCreate): ChangeError {
  if (error !== undefined && isOver) {
    const { code, kind, message, hint } = error;
    return new ChangeError("failed", code ?? kind, `${message}; nothing was created`, { hint });
  }
  const tries = `the service did not create it in ${String(MAX_SENT)} tries`;
  return new ChangeError("failed", "not_created", error === undefined ? tries : `${tries}: ${error.message}`, {
    hint: APPLY_AGAIN,
  });
}

function notSentAgain({ error }: BegunCreate, reason: string): ChangeError {
  const problem = error?.message ?? "the answer held no object";
  const message = `${problem}; nothing was created, and it was not sent again, because ${reason}`;
  return new ChangeError("failed", "not_created", message, { hint: APPLY_AGAIN });
}
