import type { Change, ChangeWithWork } from "../model/change.ts";
import { completeCreate, createResource, findInNewScope } from "./creates/create.ts";
import { remove } from "./actions/remove.ts";
import { replace } from "./creates/replace.ts";
import { restore } from "./actions/restore.ts";
import { update } from "./actions/update.ts";
import type { ExecuteResult, Task } from "./task.ts";

/**
 * Executes one change, or a part of it.
 *
 * @param first the result of the part before
 * @throws ChangeError or ApiError
 */
export async function executeChange(task: Task, change: Change, first?: ExecuteResult): Promise<ExecuteResult> {
  const { work } = change;
  if (work === null) return { id: change.id };
  if (first !== undefined) return completeCreate(task, work, first);
  const started: ChangeWithWork = { ...change, work };
  switch (change.action) {
    case "create":
      return (await findInNewScope(task, work)) ?? createResource(task, work);
    case "update":
      return update(task, started);
    case "restore":
      return restore(task, started);
    case "replace":
      return replace(task, started);
    case "delete":
      await remove(task, started);
      return { id: change.id };
    case "no_op":
    case "unknown":
      return { id: change.id };
  }
}
