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
