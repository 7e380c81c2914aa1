import type { Answer } from "../../api/client.ts";
import { ApiError } from "../../api/errors/errors.ts";
import { scopeType } from "../../model/address.ts";
import { isJsonObject, pointer } from "../../model/json.ts";
import type { LiveObject } from "../../model/live.ts";
import type { Resource } from "../../model/resource.ts";
import { ChangeError, type Task } from "../task.ts";
import { sendIdempotent } from "./send-idempotent.ts";
import { reread } from "./verify.ts";

/**
 * Moves a field that has operations of its own to its declared value, where it does not have it. `seen` is what the answer to
 * the write before shows of the object: then nothing has to be read.
 */
export async function transition(task: Task, resource: Resource, id: string, seen?: LiveObject): Promise<void> {
  const target = task.kind.target(scopeType(task.scope), { id });
  const wanted = target.transition === undefined ? undefined : resource.values[target.transition.field];
  if (target.transition === undefined || typeof wanted !== "boolean") return;
  const { field, operations } = target.transition;
  const isDone = async (): Promise<boolean> => (await reread(task, id)).values[field] === wanted;
  const before = seen?.values[field];
  if (typeof before === "boolean" ? before === wanted : await isDone()) return;
  const call = { operation: operations[wanted ? "true" : "false"], path: { id }, body: {} };
  const answer = await sendIdempotent(task, call, id, isDone).catch((error: unknown): Promise<Answer | undefined> => {
    // Some servers close these operations to scoped keys; a PATCH of the field does the same.
    const isClosed = error instanceof ApiError && error.kind === "scope";
    if (!isClosed || target.update === undefined) throw error;
    return sendIdempotent(task, target.update({ [field]: wanted }), id, isDone);
  });
  if (answer === undefined || (isJsonObject(answer.body) && answer.body[field] === wanted)) return;
  if (await isDone()) return;
  const path = pointer(field);
  const message = `the service did not take over ${path}`;
  throw new ChangeError("unverified", "ignored_by_service", message, "Run plan to see its state.", id, [path]);
}
