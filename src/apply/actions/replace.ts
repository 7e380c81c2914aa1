import { ApiError } from "../../api/errors/errors.ts";
import type { Change, Work } from "../../model/change.ts";
import { ChangeError, type Task } from "../task.ts";
import { createAndVerify, createResource, resourceOf, runAfterCreate, type ExecuteResult } from "./create-resource.ts";
import { remove } from "./remove.ts";
import { runAfterWrite } from "./send-idempotent.ts";
import { transition } from "./transition.ts";

/** Creates the replacement of a live object and removes that object: afterwards, or first if only one can exist. */
export async function replace(task: Task, change: Change, work: Work): Promise<ExecuteResult> {
  if (task.kind.removeFirst === true) return replaceInPlace(task, change, work);
  const { live, close } = await createAndVerify(task, work, { replaces: work.live?.id });
  return {
    id: live.id,
    removal: async () => {
      await runAfterWrite(live.id, `replaced by ${live.id}, but not removed`, () => remove(task, change, work));
      await close();
      await runAfterCreate(live.id, () => transition(task, resourceOf(work), live.id));
    },
  };
}

/**
 * Removes before it creates, because only one object can have the natural key, or a second one would send an e-mail.
 */
async function replaceInPlace(task: Task, change: Change, work: Work): Promise<ExecuteResult> {
  let isRemoved = false;
  const prepare = async (): Promise<void> => {
    await remove(task, change, work);
    isRemoved = true;
  };
  try {
    return await createResource(task, work, prepare);
  } catch (error) {
    if (isRemoved && error instanceof ApiError && error.effect === "no")
      throw new ChangeError(
        "failed",
        error.code ?? error.kind,
        `removed, but not created again: ${error.message}`,
        error.hint,
      );
    throw error;
  }
}
