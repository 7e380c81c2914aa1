import type { Answer } from "../../api/client.ts";
import { ApiError, isFromService } from "../../api/errors/errors.ts";
import { failsOnDeployed } from "../../api/operations/index.ts";
import type { Call } from "../../kinds/kind.ts";
import { ChangeError, type Task } from "../task.ts";

/**
 * Sends an idempotent write; the client repeats it while that is safe. If it may have taken effect, `isDone` reads the service.
 *
 * @param isDone whether the write took effect; undefined if a read does not show it
 * @returns the answer; undefined if there was none, but the service shows that the write took effect
 * @throws ChangeError `unknown` if it may or may not have taken effect
 */
export async function sendIdempotent(
  task: Task,
  call: Call,
  id: string,
  isDone: () => Promise<boolean | undefined>,
): Promise<Answer | undefined> {
  try {
    return await task.call(call);
  } catch (error) {
    if (!(error instanceof ApiError) || error.tookEffect !== "maybe") throw error;
    const done = await isDone().catch(() => undefined);
    if (done === true) return undefined;
    // The service has ended every try with an error. A read says that none took effect, or the route is known to always fail.
    if (isFromService(error) && (done === false || failsOnDeployed(error.operation))) {
      throw new ChangeError("failed", error.code, error.message, { hint: error.hint, id });
    }
    const message = `${error.message}; it may or may not have taken effect`;
    throw new ChangeError("unknown", "outcome_unknown", message, {
      hint: "Run plan: it shows the current state of the service.",
      id,
    });
  }
}

/**
 * Runs the steps after a successful write. If one of them fails, the change is unverified, because the write itself was
 * accepted. A step with an unknown outcome stays unknown.
 */
export async function runAfterWrite<T>(id: string, written: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ChangeError && (error.status === "unverified" || error.status === "unknown")) throw error;
    if (!(error instanceof ApiError || error instanceof ChangeError)) throw error;
    const code = error instanceof ApiError ? (error.code ?? error.kind) : error.code;
    const reason = isRefusedWrite(error) ? `the service refused the next request: ${error.message}` : error.message;
    throw new ChangeError("unverified", code, `${written}: ${reason}`, { hint: error.hint, id });
  }
}

function isRefusedWrite(error: ApiError | ChangeError): boolean {
  return error instanceof ApiError && error.method !== "GET" && error.tookEffect === "no" && error.status !== null;
}
