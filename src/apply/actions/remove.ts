import type { ChangeWithWork } from "../../model/change.ts";
import type { Answer } from "../../api/client.ts";
import { isNotFound } from "../../api/errors/errors.ts";
import type { Call } from "../../kinds/kind-parts.ts";
import { hasJoined } from "../../kinds/people/index.ts";
import { idsWithParts, type LiveObject } from "../../model/live.ts";
import { ChangeError } from "../change-error.ts";
import { type Task, unsupported } from "../task.ts";
import { joinedError, type LiveTarget, plannedObject, rereadBeforeDelete, targetOf } from "./reread.ts";
import { runAfterWrite } from "./after-write.ts";
import { sendIdempotent } from "./send-idempotent.ts";

/**
 * Removes the live object of a change if it is still as the plan saw it. An object that is already gone is fine.
 *
 * @throws ChangeError `failed` if the object has no id that a request could be sent to
 */
export async function remove(declaredTask: Task, change: ChangeWithWork): Promise<void> {
  const planned = plannedObject(declaredTask, change);
  const { task, live } = planned;
  if ((await rereadBeforeDelete(planned)) === undefined) return;
  const [first, ...others] = targetOf(task, live).remove;
  if (first === undefined)
    throw unsupported(task, "removed if the service does not show its id", "Remove it on the service, and plan again.");
  const readAgain = (): Promise<unknown> => rereadBeforeDelete(planned);
  await sendRemoval(planned, first, readAgain);
  // A person may have several invites. Once one is removed, the change is never just refused.
  for (const call of others)
    await runAfterWrite(live.id, "removed in part", () => sendRemoval(planned, call, readAgain));
}

/**
 * Sends one of the requests that remove an object. After a 404, a lost answer, or an answer that is not the one to a
 * removal (a proxy may answer 200 to anything), the list decides whether the object is gone.
 *
 * @param readAgain reads the object before a request that had to wait. It throws if the object has changed
 */
export async function sendRemoval(
  { task, live: planned }: Pick<LiveTarget, "task" | "live">,
  call: Call,
  readAgain: () => Promise<unknown>,
): Promise<void> {
  const ids = Object.values({ ...call.path });
  const isListed = (one: LiveObject): boolean =>
    one.state !== "deleted" && idsWithParts(one).some((id) => ids.includes(id));
  let listed: readonly LiveObject[] = [];
  const isGone = async (): Promise<boolean> => !(listed = await task.lists.all()).some(isListed);
  const isVerified = (): Promise<boolean> => runAfterWrite(planned.id, UNVERIFIED_REMOVAL, isGone);
  try {
    const sameCall = (): Promise<Call> => readAgain().then(() => call);
    const answer = await sendIdempotent(task, { call, id: planned.id, isDone: isGone, readAgain: sameCall });
    if (answer !== undefined && !confirmsDeletion(task, call, answer) && !(await isVerified())) {
      const message = `the service answered ${String(answer.status)}, but still lists the object`;
      throw new ChangeError("unverified", "still_there", message, { hint: "Apply again.", id: planned.id });
    }
  } catch (error) {
    if (!isNotFound(error)) throw error;
    // Somebody else has probably removed it.
    if (!(await isVerified()))
      throw new ChangeError("failed", "not_found", `${error.message}, but the service still lists the object`, {
        hint: "Plan again.",
        id: planned.id,
      });
  }
  const member = listed.find((one) => hasJoined(planned, one));
  if (member !== undefined) throw joinedError(member.id);
}

const UNVERIFIED_REMOVAL = "removed, but that could not be verified";

function confirmsDeletion(task: Task, { operation }: Call, { status, body }: Answer): boolean {
  return status === 204 || task.lists.parse(operation, body)?.state === "deleted";
}
