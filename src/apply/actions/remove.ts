import type { Answer } from "../../api/client.ts";
import { ApiError } from "../../api/errors/errors.ts";
import { fingerprint } from "../../diff/fingerprint.ts";
import type { Call, Target } from "../../kinds/kind.ts";
import { scopeType } from "../../model/address.ts";
import type { Change, Work } from "../../model/change.ts";
import { idsWithParts, type LiveObject } from "../../model/live.ts";
import { ChangeError, type Task } from "../task.ts";
import { runAfterWrite, sendIdempotent } from "./send-idempotent.ts";

/** The object of a change as the plan saw it, and the task for the routes of its kind. */
interface PlannedObject {
  readonly task: Task;
  readonly live: LiveObject;
}

/** Removes the live object of a change if it is still as the plan saw it. An object that is already gone is fine. */
export async function remove(declaredTask: Task, change: Change, work: Work): Promise<void> {
  const planned = plannedObject(declaredTask, work);
  const { task, live } = planned;
  const found = await rereadBeforeDelete(planned);
  if (found === undefined) return;
  requireUnchanged(planned, change, work, found);
  for (const call of targetOf(task, live).remove) await sendRemoval(task, live, call);
}

/** Reads the object of an update again, so that changes by others since the plan are not overwritten. */
export async function rereadBeforeUpdate(declaredTask: Task, change: Change, work: Work): Promise<PlannedObject> {
  const planned = plannedObject(declaredTask, work);
  const { get } = targetOf(planned.task, planned.live);
  if (get === undefined) return planned;
  const live = await readIfPresent(planned.task, get);
  requireUnchanged(planned, change, work, live);
  return { ...planned, live };
}

export function targetOf({ kind, scope }: Task, live: Pick<LiveObject, "id" | "parts">): Target {
  return kind.target(scopeType(scope), live);
}

function plannedObject(declaredTask: Task, { live }: Work): PlannedObject {
  if (live !== undefined) return { task: declaredTask.asKind(live.kind), live };
  throw new ChangeError("failed", "nothing_live", "the plan has no live object for this change", "Plan again.");
}

/** Reads the object that is about to be removed; undefined if it is gone. A single 404 does not prove that. */
async function rereadBeforeDelete({ task, live }: PlannedObject): Promise<LiveObject | undefined> {
  const { get } = targetOf(task, live);
  if (get !== undefined)
    return (await readIfPresent(task, get)) ?? (await task.listAll()).find(({ id }) => id === live.id);
  const objects = await task.listOnce();
  // An object with the same key takes its place: an invite that was accepted, for example.
  return objects.find(({ id }) => id === live.id) ?? objects.find(({ keys }) => keys[0] === live.keys[0]);
}

/** Reads one object by its id; undefined if it does not exist, or if its kind has no such read. @throws ApiError */
export async function readById(task: Task, id: string): Promise<LiveObject | undefined> {
  const { get } = targetOf(task, { id });
  const live = get === undefined ? undefined : await readIfPresent(task, get);
  return live?.id === id ? live : undefined;
}

async function readIfPresent(task: Task, get: Call): Promise<LiveObject | undefined> {
  try {
    return task.parse(get.operation, (await task.call(get)).body);
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
  const hint = "Plan again and review the differences.";
  throw new ChangeError("skipped", "stale", message, hint, live.id);
}

/**
 * Sends one of the requests that remove an object. After a 404, a lost answer, or an answer that is not the one to a
 * removal (a proxy may answer 200 to anything), the list decides whether the object is gone.
 */
async function sendRemoval(task: Task, planned: LiveObject, call: Call): Promise<void> {
  const ids = Object.values({ ...call.path });
  const isListed = (one: LiveObject): boolean =>
    one.deleted !== true && idsWithParts(one).some((id) => ids.includes(id));
  const isGone = async (): Promise<boolean> => !(await task.listAll()).some(isListed);
  try {
    const answer = await sendIdempotent(task, call, planned.id, isGone);
    if (
      answer === undefined ||
      confirmsDeletion(task, call, answer) ||
      (await runAfterWrite(planned.id, UNVERIFIED_REMOVAL, isGone))
    )
      return;
    const message = `the service answered ${String(answer.status)}, but still lists the object`;
    throw new ChangeError("unverified", "still_there", message, "Apply again.", planned.id);
  } catch (error) {
    if (!(error instanceof ApiError && error.kind === "not_found")) throw error;
    if (await isGone()) return;
    throw new ChangeError(
      "failed",
      "not_found",
      `${error.message}, but the service still lists the object`,
      "Plan again.",
      planned.id,
    );
  }
}

const UNVERIFIED_REMOVAL = "removed, but that could not be verified";

function confirmsDeletion(task: Task, { operation }: Call, { status, body }: Answer): boolean {
  return status === 204 || task.parse(operation, body)?.deleted === true;
}
