import { errorReason } from "../../model/error-reason.ts";
import { ApiError } from "../../api/errors/errors.ts";
import { createPayload } from "../../kinds/create-call.ts";
import type { Call } from "../../kinds/kind-parts.ts";
import type { JsonObject } from "../../model/json.ts";
import type { LiveObject } from "../../model/live.ts";
import { ChangeError, type Task } from "../task.ts";
import type { OpenIntent } from "../journal/intents.ts";
import { listingTask } from "./take-back.ts";

export interface CreateRequest {
  readonly call: Call;
  /** Natural keys. The first one is the key of the intent. */
  readonly keys: readonly string[];
  /** Ids of the objects of this kind that the plan saw; undefined if the scope itself is new. */
  readonly known: readonly string[] | undefined;
  /** Runs between the journal and the request: it removes the object that is replaced. */
  readonly prepare?: (() => Promise<void>) | undefined;
  /** The undeclared values in the body, if the replaced object is removed before this create. */
  readonly carried?: JsonObject | undefined;
  /** Id of the replaced object if it is removed after this create. The intent stays open until that is done. */
  readonly replaces?: string | undefined;
}

/** A create that was sent, and its open intent. Without an object the create is ambiguous. */
export interface SentCreate {
  readonly intent: OpenIntent;
  readonly live?: LiveObject | undefined;
  /** The object as lists show it. */
  readonly listed?: LiveObject | undefined;
  /** The error that came instead of an answer. */
  readonly error?: ApiError;
}

/** Journals the intent, then sends the request. An ambiguous create is returned, a plain failure is thrown. */
export async function sendCreate(task: Task, request: CreateRequest, known: readonly string[]): Promise<SentCreate> {
  const { call } = request;
  const intent = await journalIntent(task, request, known);
  let live: LiveObject | undefined;
  let listed: LiveObject | undefined;
  let isPrepared = false;
  try {
    await request.prepare?.();
    isPrepared = true;
    // A success without an object that has an id is not a clear answer.
    const { body } = await task.call(call);
    listed = listingTask(task, call).lists.parse(call.operation, body);
    live = listed === undefined ? undefined : task.lists.parse(call.operation, body);
  } catch (error) {
    const isAmbiguous = error instanceof ApiError && error.tookEffect === "maybe" && error.operation === call.operation;
    if (isAmbiguous) return { intent, error };
    // The intent may be all that is left of the removed object. Then it stays open for the next run.
    const mayBeRemoved = isPrepared || mayHaveTakenEffect(error);
    if (!mayBeRemoved || request.carried === undefined) await task.context.journal.close(intent.id, null);
    throw error;
  }
  if (live === undefined || !known.includes(live.id)) return { intent, live, listed };
  throw new ChangeError(
    "unknown",
    "outcome_unknown",
    `${call.operation} answered with an object that existed before, so it is unknown whether a new one was created`,
    {
      hint: "Run plan: it shows the current state of the service. The next apply resolves this create before anything else.",
    },
  );
}

/** Whether the request that failed may have taken effect. */
function mayHaveTakenEffect(error: unknown): boolean {
  if (error instanceof ApiError) return error.tookEffect === "maybe";
  return !(error instanceof ChangeError) || error.status === "unknown" || error.status === "unverified";
}

async function journalIntent(task: Task, request: CreateRequest, known: readonly string[]): Promise<OpenIntent> {
  const { journal, client, clock } = task.context;
  const { call, keys, carried, replaces } = request;
  const payload = createPayload(call);
  const subject = { url: client.url, kind: task.kind.name, scope: task.path, key: keys[0] ?? "", payload, known };
  try {
    return await journal.begin({ ...subject, carried, replaces, at: clock.now() });
  } catch (error) {
    const reason = errorReason(error);
    const hint = "Make the journal's folder writable (DRIFTLINE_STATE_DIR) and free disk space, then apply again.";
    throw new ChangeError("failed", "no_journal", `not sent: its intent could not be journaled: ${reason}`, { hint });
  }
}
