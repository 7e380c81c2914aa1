import type { Answer } from "../../api/client.ts";
import { isDenied } from "../../api/errors/errors.ts";
import { isJsonObject } from "../../model/json/json.ts";
import { pointer } from "../../model/pointer.ts";
import type { LiveObject } from "../../model/live.ts";
import type { Resource } from "../../model/resource.ts";
import type { Task } from "../task.ts";
import { reread, targetOf } from "./reread.ts";
import { sendIdempotent } from "./send-idempotent.ts";
import { ignoredByService } from "./verdict.ts";

/**
 * Sets a field that has its own operations to its declared value, unless it has that value. `seen` is the object in the
 * answer to the previous write: it saves a read.
 */
export async function transition(task: Task, resource: Resource, id: string, seen?: LiveObject): Promise<void> {
  const target = targetOf(task, { id });
  if (target.transition === undefined) return;
  const { field, operations } = target.transition;
  const declared = resource.values[field];
  if (typeof declared !== "boolean") return;
  const isDone = async (): Promise<boolean> => (await reread(task, id)).values[field] === declared;
  const before = seen?.values[field];
  if (typeof before === "boolean" ? before === declared : await isDone()) return;
  const call = { operation: operations[declared ? "true" : "false"], path: { id }, body: {} };
  const answer = await sendIdempotent(task, { call, id, isDone }).catch(
    (error: unknown): Promise<Answer | undefined> => {
      // Some servers reject these operations for scoped keys, or for users without a current project, although they accept the
      // key. A PATCH of the field does the same, and shows whether they accept it.
      if (!isDenied(error) || target.update === undefined) throw error;
      return sendIdempotent(task, { call: target.update({ [field]: declared }), id, isDone });
    },
  );
  if (answer === undefined || (isJsonObject(answer.body) && answer.body[field] === declared)) return;
  if (await isDone()) return;
  throw ignoredByService(id, [pointer(field)], "Run plan to see the state of the object.");
}
