import type { Target } from "../kinds/kind.ts";
import { scopeType } from "../model/address.ts";
import type { Change, Work } from "../model/change.ts";
import type { ValueObject } from "../model/json.ts";
import type { Resource } from "../model/resource.ts";
import { ChangeError, type Task } from "./task.ts";
import { remove, targetOf, rereadBeforeUpdate } from "./actions/remove.ts";
import { createResource, replace, resourceOf, type ExecuteResult } from "./actions/replace.ts";
import { runAfterWrite, sendIdempotent } from "./actions/send-idempotent.ts";
import { transition } from "./actions/transition.ts";
import { differs, reread, objectInAnswer, verify } from "./actions/verify.ts";

/**
 * Executes one change, except for its removal, which is returned: removals come last, and only if nothing failed.
 * Throws {@link ChangeError} or `ApiError`.
 */
export async function execute(task: Task, change: Change): Promise<ExecuteResult> {
  const { work } = change;
  if (work === null) return { id: change.id };
  switch (change.action) {
    case "create":
      return createResource(task, work);
    case "update":
      return update(task, change, work);
    case "restore":
      return restore(task, change, work);
    case "replace":
      return replace(task, change, work);
    case "delete":
      return { id: change.id, removal: () => remove(task, change, work) };
    case "no_op":
    case "unknown":
      return { id: change.id };
  }
}

async function update(declaredTask: Task, change: Change, work: Work): Promise<ExecuteResult> {
  const resource = resourceOf(work);
  const { task, live } = await rereadBeforeUpdate(declaredTask, change, work);
  const target = targetOf(task, live);
  const field = target.transition?.field;
  const body = Object.fromEntries(Object.entries(work.body).filter(([name]) => name !== field));
  const isPatched = Object.keys(body).length > 0;
  if (isPatched) await sendPatch(task, target, live.id, body, resource);
  const runTransition = async (): Promise<void> => {
    if (field !== undefined && field in work.body) await transition(task, resource, live.id);
  };
  await (isPatched ? runAfterWrite(live.id, "changed in part", runTransition) : runTransition());
  return { id: live.id };
}

async function sendPatch(task: Task, target: Target, id: string, body: ValueObject, resource: Resource): Promise<void> {
  const call = target.update?.(body);
  if (call === undefined)
    throw new ChangeError(
      "failed",
      "unsupported",
      `a ${task.kind.name} cannot be changed`,
      "Remove it and declare a new one.",
      id,
    );
  const isDone = async (): Promise<boolean> => !differs(task, resource, await reread(task, id));
  const answer = await sendIdempotent(task, call, id, isDone);
  if (answer === undefined) return;
  const seen = objectInAnswer(task, call.operation, answer, id);
  await runAfterWrite(id, "changed, but that could not be verified", () =>
    verify(task, resource, id, seen, false, Object.keys(body)),
  );
}

async function restore(task: Task, change: Change, work: Work): Promise<ExecuteResult> {
  const requestedId = work.live?.id ?? change.id ?? "";
  const call = task.kind.target(scopeType(task.scope), { id: requestedId }).restore;
  if (call === undefined)
    throw new ChangeError(
      "failed",
      "unsupported",
      `a ${task.kind.name} cannot be restored`,
      "Remove its pinned id from the configuration.",
    );
  const isDone = async (): Promise<boolean> => (await reread(task, requestedId)).deleted !== true;
  const answer = await sendIdempotent(task, call, requestedId, isDone);
  const live = answer && objectInAnswer(task, call.operation, answer, requestedId);
  const id = live?.id ?? requestedId;
  await runAfterWrite(id, "restored, but not yet as declared", () => verify(task, resourceOf(work), id, live, true));
  return { id };
}
