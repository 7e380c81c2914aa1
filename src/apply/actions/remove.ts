import type { Answer } from "../../api/client.ts";
import { ApiError } from "../../api/errors/errors.ts";
import { fingerprint } from "../../diff/fingerprint.ts";
import type { Call, Target } from "../../kinds/kind.ts";
import { scopeType } from "../../model/address.ts";
import type { Change, Work } from "../../model/change.ts";
import { idsWithParts, type LiveObject } from "../../model/live.ts";
import { ChangeError, type Task } from "../task.ts";
import { runAfterWrite, sendIdempotent } from "./send-idempotent.ts";

/** The object that a change is about as the plan saw it, and the task on the routes of its kind. */
interface PlannedObject {
  readonly task: Task;
  readonly live: LiveObject;
}

/** Removes the live object of a change, if it still is what the plan saw. Done as well where it is gone. */
export async function remove(declaredAs: Task, change: Change, work: Work): Promise<void> {
  const planned = plannedObject(declaredAs, work);
  const { task, live } = planned;
  const found = await rereadBeforeDelete(planned);
  if (found === undefined) return;
  requireUnchanged(planned, change, work, found);
  for (const call of targetOf(task, live).remove) await sendRemoval(task, live, call);
}

/** The object of an update as it is now: what others have changed since the plan is not overwritten. */
export async function rereadBeforeUpdate(declaredAs: Task, change: Change, work: Work): Promise<PlannedObject> {
  const planned = plannedObject(declaredAs, work);
  const { get } = targetOf(planned.task, planned.live);
  if (get === undefined) return planned;
  const live = await readIfPresent(planned.task, get);
  requireUnchanged(planned, change, work, live);
  return { ...planned, live };
}

export function targetOf({ kind, scope }: Task, live: Pick<LiveObject, "id" | "parts">): Target {
  return kind.target(scopeType(scope), live);
}

function plannedObject(declaredAs: Task, { live }: Work): PlannedObject {
  if (live !== undefined) return { task: declaredAs.as(live.kind), live };
  throw new ChangeError("failed", "nothing_live", "there is no live object to act on", "Plan again.");
}

/** The object that is about to be removed; undefined where it is gone, which one answer of 404 alone does not prove. */
async function rereadBeforeDelete({ task, live }: PlannedObject): Promise<LiveObject | undefined> {
  const { get } = targetOf(task, live);
  if (get !== undefined)
    return (await readIfPresent(task, get)) ?? (await task.listAll()).find(({ id }) => id === live.id);
  const objects = await task.listOnce();
  // Another object of the same key is what has become of it: an invite that was accepted.
  return objects.find(({ id }) => id === live.id) ?? objects.find(({ keys }) => keys[0] === live.keys[0]);
}

/** One object by its id; undefined where it is not there, or where its kind has no such read. @throws ApiError */
export async function readById(task: Task, id: string): Promise<LiveObject | undefined> {
  const { get } = targetOf(task, { id });
  const live = get === undefined ? undefined : await readIfPresent(task, get);
  return live?.id === id ? live : undefined;
}

async function readIfPresent(task: Task, get: Call): Promise<LiveObject | undefined> {
  try {
    return task.read(get.operation, (await task.call(get)).body);
  } catch (error) {
    if (error instanceof ApiError && error.kind === "not_found") return undefined;
    throw error;
  }
}

function requireUnchanged(
  { task, live }: PlannedObject,
  change: Change,
  work: Work,
  found: LiveObject | undefined,
): asserts found {
  const declared = work.resource?.values ?? {};
  if (found?.kind === live.kind && fingerprint(task.kind, found, declared) === change.fingerprint) return;
  const message = "the object has changed since the plan was made";
  const hint = "Plan again, and look at what has changed.";
  throw new ChangeError("skipped", "stale", message, hint, live.id);
}

/**
 * One of the calls that remove an object. 404, an answer that was lost, and one that is not what a removal answers (what stands
 * before a service answers 200 to anything) leave it to the list whether it is gone.
 */
async function sendRemoval(task: Task, planned: LiveObject, call: Call): Promise<void> {
  const ids = Object.values({ ...call.path });
  const isThere = (one: LiveObject): boolean =>
    one.deleted !== true && idsWithParts(one).some((id) => ids.includes(id));
  const isGone = async (): Promise<boolean> => !(await task.listAll()).some(isThere);
  try {
    const answer = await sendIdempotent(task, call, planned.id, isGone);
    if (
      answer === undefined ||
      confirmsDeletion(task, call, answer) ||
      (await runAfterWrite(planned.id, REMOVED, isGone))
    )
      return;
    const message = `the service answered ${String(answer.status)}, but still shows it`;
    throw new ChangeError("unverified", "still_there", message, "Apply again.", planned.id);
  } catch (error) {
    if (!(error instanceof ApiError && error.kind === "not_found")) throw error;
    if (await isGone()) return;
    throw new ChangeError("failed", "not_found", `${error.message}, but lists it`, "Plan again.", planned.id);
  }
}

const REMOVED = "removed, but that could not be verified";

function confirmsDeletion(task: Task, { operation }: Call, { status, body }: Answer): boolean {
  return status === 204 || task.read(operation, body)?.deleted === true;
}
