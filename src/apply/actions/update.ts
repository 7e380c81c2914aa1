import type { ChangeWithWork } from "../../model/change.ts";
import { completedBody } from "../../diff/body.ts";
import type { Target } from "../../kinds/kind.ts";
import type { Call } from "../../kinds/kind-parts.ts";
import type { ValueObject } from "../../model/json/json.ts";
import { filterKeys } from "../../model/json/object.ts";
import type { LiveObject } from "../../model/live.ts";
import type { Resource } from "../../model/resource.ts";
import { resourceOf, type ExecuteResult, type Task, unsupported } from "../task.ts";
import { reread, rereadBeforeUpdate, targetOf, type LiveTarget } from "./reread.ts";
import { runAfterWrite } from "./after-write.ts";
import { sendIdempotent } from "./send-idempotent.ts";
import { transition } from "./transition.ts";
import { differs, objectInAnswer, verify } from "./verify.ts";

/**
 * Changes an object in place: one PATCH with everything but the field of a transition, then the transition. The answer of
 * the PATCH is verified. If no try has an answer, a read decides, unless the service does not show what was sent.
 */
export async function update(declaredTask: Task, change: ChangeWithWork): Promise<ExecuteResult> {
  const { work } = change;
  const resource = resourceOf(work);
  const current = await rereadBeforeUpdate(declaredTask, change);
  const { task, live } = current;
  const target = targetOf(task, live);
  const field = target.transition?.field;
  const body = filterKeys(work.body, (name) => name !== field);
  const isPatched = Object.keys(body).length > 0;
  if (isPatched) await sendPatch(current, target, body, resource);
  const runTransition = async (): Promise<void> => {
    if (field !== undefined && field in work.body) await transition(task, resource, live.id);
  };
  await (isPatched ? runAfterWrite(live.id, "changed in part", runTransition) : runTransition());
  return { id: live.id };
}

async function sendPatch(
  { task, change, live }: LiveTarget,
  target: Target,
  body: ValueObject,
  resource: Resource,
): Promise<void> {
  const callFor = (now: LiveObject): Call => {
    const call = target.update?.(completedBody(task.kind, resource, body, now.values));
    if (call === undefined) throw unsupported(task, "changed", "Remove it and declare a new one.", live.id);
    return call;
  };
  const call = callFor(live);
  let found: LiveObject | undefined;
  // If only fields that the service does not show were sent (a rotated secret), the object looks the same before and after.
  const isDone = async (): Promise<boolean | undefined> => {
    if (!differs(task, resource, live)) return undefined;
    found = await reread(task, live.id);
    return !differs(task, resource, found);
  };
  const readAgain = async (): Promise<Call> => callFor((await rereadBeforeUpdate(task, change)).live);
  const answer = await sendIdempotent(task, { call, id: live.id, isDone, readAgain });
  const seen = answer === undefined ? found : objectInAnswer(task, call.operation, answer, live.id);
  await runAfterWrite(live.id, "changed, but that could not be verified", () =>
    verify(task, resource, live.id, { seen, updated: Object.keys(body) }),
  );
}
