import type { Answer } from "../api/client.ts";
import { ApiError } from "../api/errors.ts";
import { fingerprint } from "../diff/fingerprint.ts";
import type { Call, Target } from "../kinds/kind.ts";
import { scopeType } from "../model/address.ts";
import type { Change, Work } from "../model/change.ts";
import type { LiveObject } from "../model/live.ts";
import { ChangeError, type Task } from "./context.ts";
import { afterWrite, sendSettled } from "./send.ts";

/** Removes the live object of a change, if it still is what the plan saw. Done as well where it is gone. */
export async function remove(declaredAs: Task, change: Change, work: Work): Promise<void> {
  const planned = plannedLive(work);
  const task = declaredAs.as(planned.kind);
  const live = await lookAgain(task, planned);
  if (live === undefined) return;
  requireUnchanged(task, change, work, live);
  for (const call of targetOf(task, planned).remove) await removeBy(task, planned, call);
}

/** The object of an update as it is now: what others have changed since the plan is not overwritten. */
export async function unchangedSince(task: Task, change: Change, work: Work): Promise<LiveObject> {
  const planned = plannedLive(work);
  const { get } = targetOf(task, planned);
  if (get === undefined) return planned;
  const live = await readAlone(task, get);
  requireUnchanged(task, change, work, live);
  return live;
}

export function targetOf(task: Task, live: LiveObject): Target {
  return task.kind.target(scopeType(task.scope), live);
}

function plannedLive({ live }: Work): LiveObject {
  if (live !== undefined) return live;
  throw new ChangeError("failed", "nothing_live", "there is no live object to act on", "Plan again.");
}

/** The object that is about to be removed; undefined where it is gone, which one answer of 404 alone does not prove. */
async function lookAgain(task: Task, planned: LiveObject): Promise<LiveObject | undefined> {
  const { get } = targetOf(task, planned);
  if (get !== undefined) {
    const live = await readAlone(task, get);
    if (live !== undefined) return live;
  }
  const objects = get === undefined ? await task.listOnce() : await task.listAll();
  const byId = objects.find(({ id }) => id === planned.id);
  // Where there is no such operation, another object of the same key is what has become of it: an invite that was accepted.
  return byId ?? (get === undefined ? objects.find(({ keys }) => keys[0] === planned.keys[0]) : undefined);
}

async function readAlone(task: Task, get: Call): Promise<LiveObject | undefined> {
  try {
    return task.read(get.operation, (await task.call(get)).body);
  } catch (error) {
    if (error instanceof ApiError && error.kind === "not_found") return undefined;
    throw error;
  }
}

function requireUnchanged(task: Task, change: Change, work: Work, live: LiveObject | undefined): asserts live {
  const isSame = live?.kind === task.kind.name && isAsPlanned(task, change, work, live);
  if (isSame) return;
  const message = "the object has changed since the plan was made";
  const hint = "Plan again, and look at what has changed.";
  throw new ChangeError("skipped", "stale", message, hint, work.live?.id ?? null);
}

function isAsPlanned({ kind }: Task, change: Change, work: Work, live: LiveObject): boolean {
  return fingerprint(kind, live, work.resource?.values ?? {}) === change.fingerprint;
}

/**
 * One of the calls that remove an object. 404, an answer that was lost, and one that is not what a removal answers (what stands
 * before a service answers 200 to anything) leave it to the list whether it is gone.
 */
async function removeBy(task: Task, planned: LiveObject, call: Call): Promise<void> {
  const ids = Object.values(call.path ?? {});
  const isThere = ({ id, deleted, parts }: LiveObject): boolean =>
    deleted !== true && [id, ...(parts?.invites ?? [])].some((one) => ids.includes(one));
  const isGone = async (): Promise<boolean> => !(await task.listAll()).some(isThere);
  try {
    const answer = await sendSettled(task, call, planned.id, isGone);
    if (answer === undefined || saysGone(task, call, answer) || (await afterWrite(planned.id, REMOVED, isGone))) return;
    const message = `the service answered ${String(answer.status)}, but still shows it`;
    throw new ChangeError("unverified", "still_there", message, "Apply again.", planned.id);
  } catch (error) {
    if (!(error instanceof ApiError && error.kind === "not_found")) throw error;
    if (await isGone()) return;
    throw new ChangeError("failed", "not_found", `${error.message}, but lists it`, "Plan again.", planned.id);
  }
}

const REMOVED = "removed, but that could not be verified";

function saysGone(task: Task, { operation }: Call, { status, body }: Answer): boolean {
  if (status === 204) return true;
  return body !== undefined && task.read(operation, body)?.deleted === true;
}
