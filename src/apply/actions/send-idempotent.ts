import type { Answer } from "../../api/client.ts";
import { ApiError, isFromService } from "../../api/errors/errors.ts";
import { failsOnDeployed } from "../../api/operations/index.ts";
import type { Call } from "../../kinds/kind-parts.ts";
import { ChangeError, isKnownFailure } from "../change-error.ts";
import type { Task } from "../task.ts";

/** How often a write is sent at most, each time with the retries of the client (api/limits/retry.ts lists all parts that send again). */
const MAX_SENT = 2;
const STILL_POSSIBLE = "its write got no clear answer and may still take effect";

export interface IdempotentWrite {
  readonly call: Call;
  /** Of the object. */
  readonly id: string;
  /** Whether the write took effect; undefined if a read does not show it. */
  readonly isDone: () => Promise<boolean | undefined>;
  /**
   * Reads the object once more before a request that had to wait, and returns the request for what it found.
   *
   * @throws ChangeError if it is not as planned any more
   */
  readonly readAgain?: () => Promise<Call>;
}

/**
 * Sends an idempotent write, unless the service is out of order; the client repeats it while that is safe. If it may have
 * taken effect, `isDone` reads the service. If that shows no effect, it is sent once more.
 *
 * @returns the answer; undefined if there was none, but the service shows that the write took effect
 * @throws ChangeError `unknown` if it may or may not have taken effect; `skipped` if an outage stopped it
 */
export async function sendIdempotent(task: Task, write: IdempotentWrite): Promise<Answer | undefined> {
  const { id, readAgain } = write;
  let { call } = write;
  let before: ApiError | undefined;
  for (let tries = 0; ; tries += 1) {
    const result = await task
      .whenServiceAnswers(call.operation, async (hasWaited) => {
        if (before !== undefined && tries === MAX_SENT) throw notChanged(before, id);
        if (hasWaited || before !== undefined) call = (await readAgain?.()) ?? call;
        return task.call(call);
      })
      .catch((error: unknown) => unclearError(error, call));
    if (!(result instanceof ApiError)) return result;
    const done = await readBack(task, result, write);
    if (done === true) {
      task.recordSuccess(call.operation);
      return undefined;
    }
    // The service has ended every try with an error. A read says that none took effect, or the route is known to always fail.
    if (isFromService(result) && (done === false || failsOnDeployed(result.operation)))
      throw new ChangeError("failed", result.code, result.message, { hint: result.hint, id });
    if (done === undefined) throw unknownWriteError(result, id);
    before = result;
  }
}

/** The error after which a write may have taken effect. @throws any other error */
function unclearError(error: unknown, { operation }: Call): ApiError {
  if (error instanceof ApiError && error.tookEffect === "maybe" && error.operation === operation) return error;
  throw error;
}

/**
 * Whether a write took effect; undefined if that cannot be known. Unless the service itself has ended it, it may do so
 * until the settle time is over.
 */
async function readBack(task: Task, error: ApiError, { isDone }: IdempotentWrite): Promise<boolean | undefined> {
  const { clock, settleAfterMs } = task.context;
  // Before the settle time is over, a read that fails counts as "not yet": the one after it decides.
  const read = (isSettled: boolean): Promise<boolean | undefined> =>
    isDone().catch((failure: unknown) => {
      if (!isKnownFailure(failure)) throw failure;
      return isSettled ? undefined : false;
    });
  const hasEnded = isFromService(error);
  const done = await read(hasEnded);
  if (hasEnded || done !== false) return done;
  task.reportWait(STILL_POSSIBLE, clock.now() + settleAfterMs);
  await task.pause(settleAfterMs);
  return task.context.signal?.aborted === true ? undefined : read(true);
}

function notChanged({ code, kind, message, hint }: ApiError, id: string): ChangeError {
  return new ChangeError("failed", code ?? kind, `${message}; a read shows that nothing was changed`, { hint, id });
}

function unknownWriteError({ message }: ApiError, id: string): ChangeError {
  return new ChangeError("unknown", "outcome_unknown", `${message}; it may or may not have taken effect`, {
    hint: "Run plan: it shows the current state of the service.",
    id,
  });
}
