import type { ChangeWithWork } from "../../model/change.ts";
import { ApiError } from "../../api/errors/errors.ts";
import { ChangeError } from "../change-error.ts";
import { resourceOf, type ExecuteResult, type Task } from "../task.ts";
import { createAndVerify, createResource, runAfterCreate } from "./create.ts";
import { remove } from "../actions/remove.ts";
import { plannedObject } from "../actions/reread.ts";
import { runAfterWrite } from "../actions/after-write.ts";
import { transition } from "../actions/transition.ts";

/** Replaces a live object. Removes it first only if no two may exist at the same time. */
export function replace(task: Task, change: ChangeWithWork): Promise<ExecuteResult> {
  return task.kind.writes.onePerKey === true ? replaceInPlace(task, change) : createThenRemove(task, change);
}

/**
 * Creates the replacement, removes the old object, and only then lets the new one go live. Until the old one is gone, it is the
 * object of the resource: an error has its id, so the new id is not written into a file.
 *
 * @returns the id of the replacement
 */
async function createThenRemove(task: Task, change: ChangeWithWork): Promise<ExecuteResult> {
  const { work } = change;
  const { id: oldId } = plannedObject(task, change).live;
  const { live, yielded, close } = await createAndVerify(task, work, { replaces: oldId }).catch((error: unknown) => {
    throw error instanceof ChangeError && isMade(error) ? notRemoved(error, oldId) : error;
  });
  await runAfterWrite(oldId, notRemovedText(live.id), () => remove(task, change));
  await close();
  await runAfterCreate(live.id, () => transition(task, resourceOf(work), live.id));
  return { id: live.id, yielded };
}

function isMade({ status, id }: ChangeError): boolean {
  return status === "unverified" || (status === "unknown" && id !== null);
}

/** The replacement exists, but is not as declared, or may not be the only one. */
function notRemoved({ status, code, id, message, hint, paths }: ChangeError, oldId: string): ChangeError {
  return new ChangeError(status, code, `${notRemovedText(id ?? "")}: ${message}`, { hint, id: oldId, paths });
}

function notRemovedText(newId: string): string {
  return `its replacement ${newId} was created, but it was not removed`;
}

/** Removes before it creates, because only one object can have the key. */
async function replaceInPlace(task: Task, change: ChangeWithWork): Promise<ExecuteResult> {
  let isRemoved = false;
  const prepare = async (): Promise<void> => {
    await remove(task, change);
    isRemoved = true;
  };
  try {
    return await createResource(task, change.work, prepare);
  } catch (error) {
    if (isRemoved && error instanceof ApiError && error.tookEffect === "no")
      throw new ChangeError("failed", error.code ?? error.kind, `removed, but not created again: ${error.message}`, {
        hint: error.hint,
      });
    throw error;
  }
}
