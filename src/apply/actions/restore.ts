import type { ChangeWithWork } from "../../model/change.ts";
import { ChangeError } from "../change-error.ts";
import { resourceOf, type ExecuteResult, type Task, unsupported } from "../task.ts";
import { readById, reread, targetOf } from "./reread.ts";
import { runAfterWrite } from "./after-write.ts";
import { sendIdempotent } from "./send-idempotent.ts";
import { objectInAnswer, verify } from "./verify.ts";

/**
 * Brings a soft-deleted object back under its id, and then sets what was declared.
 *
 * @throws ChangeError `skipped` if somebody else has restored it since the plan, and may have changed it
 */
export async function restore(task: Task, { id: plannedId, work }: ChangeWithWork): Promise<ExecuteResult> {
  const requestedId = work.live?.id ?? plannedId ?? "";
  const call = targetOf(task, { id: requestedId }).restore;
  if (call === undefined) throw unsupported(task, "restored", "Remove its pinned id from the configuration.");
  const before = await readById(task, requestedId);
  if (before !== undefined && before.state !== "deleted")
    throw new ChangeError("skipped", "stale", "the object was restored since the plan was made", {
      hint: "Plan again and review the differences.",
      id: requestedId,
    });
  const isDone = async (): Promise<boolean> => (await reread(task, requestedId)).state !== "deleted";
  const answer = await sendIdempotent(task, { call, id: requestedId, isDone });
  const live = answer && objectInAnswer(task, call.operation, answer, requestedId);
  const id = live?.id ?? requestedId;
  await runAfterWrite(id, "restored, but not yet as declared", () =>
    verify(task, resourceOf(work), id, { seen: live }),
  );
  return { id };
}
