import { ApiError } from "../../api/errors/errors.ts";
import type { Call } from "../../kinds/kind.ts";
import type { LiveObject } from "../../model/live.ts";
import { ChangeError, type Task } from "../task.ts";
import type { OpenIntent } from "../journal/intent.ts";
import { createPayload } from "./create-call.ts";

export interface CreateRequest {
  readonly call: Call;
  /** Natural keys, the first one names the intent. */
  readonly keys: readonly string[];
  /** Ids of the kind that the plan saw; undefined where the scope itself is new. */
  readonly known: readonly string[] | undefined;
  /** What has to happen between the journal and the request: the removal of what is replaced. */
  readonly prepare?: (() => Promise<void>) | undefined;
  /** Id of what is removed only after this: until {@link createOnce} the intent stays open. */
  readonly replaces?: string | undefined;
}

/** A create that was sent, and the intent that is open for it. Without an object there is no clear answer. */
export interface SentCreate {
  readonly intent: OpenIntent;
  readonly live?: LiveObject | undefined;
  /** What came in place of an answer. */
  readonly error?: ApiError;
}

/** Journals the intent, then sends. An answer that is not clear is handed back; a plain failure is thrown. */
export async function sendCreate(task: Task, creation: CreateRequest, known: readonly string[]): Promise<SentCreate> {
  const { call } = creation;
  const intent = await journalIntent(task, creation, known);
  let live: LiveObject | undefined;
  try {
    await creation.prepare?.();
    // A success that does not show an object with an id is no clear answer.
    live = task.read(call.operation, (await task.call(call)).body);
  } catch (error) {
    const isUnclear = error instanceof ApiError && error.effect === "maybe" && error.operation === call.operation;
    if (isUnclear) return { intent, error };
    await task.context.journal.settle(intent.id, null);
    throw error;
  }
  if (live === undefined || !known.includes(live.id)) return { intent, live };
  throw new ChangeError(
    "unknown",
    "outcome_unknown",
    `${call.operation} answered with an object that was there before: nobody can tell what was created`,
    "Run plan: it shows what the service holds now. The next apply settles it before anything else.",
  );
}

async function journalIntent(task: Task, creation: CreateRequest, known: readonly string[]): Promise<OpenIntent> {
  const { journal, client, clock } = task.context;
  const { call, keys, replaces } = creation;
  const payload = createPayload(call);
  const about = { url: client.url, kind: task.kind.name, scope: task.path, key: keys[0] ?? "", payload, known };
  try {
    return await journal.begin({ ...about, replaces, at: clock.now() });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const hint = "Make room for the journal (DRIFTLINE_STATE_DIR), and apply again.";
    throw new ChangeError("failed", "no_journal", `not sent, as its intent could not be journaled: ${reason}`, hint);
  }
}
