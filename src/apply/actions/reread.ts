/**
 * Reads objects again: right before they are written, and to see what a write has done.
 *
 * Premise: time has passed since the plan. An object that others have changed in the meantime must not be overwritten or
 * removed: its fingerprint has to be the one that the plan saw.
 */
import type { ChangeWithWork } from "../../model/change.ts";
import { isNotFound } from "../../api/errors/errors.ts";
import { operations } from "../../api/operations/index.ts";
import { FULL_VIEW } from "../../api/operations/server-quirks.ts";
import { fingerprintFor, withAttached } from "../../diff/fingerprint.ts";
import type { Target } from "../../kinds/kind.ts";
import type { Call } from "../../kinds/kind-parts.ts";
import { hasJoined, JOINED } from "../../kinds/people/index.ts";
import { needsFullList } from "../../kinds/unknown-fields.ts";
import type { ValueObject } from "../../model/json/json.ts";
import { scopeType } from "../../kinds/registry.ts";
import { hasId, type LiveObject } from "../../model/live.ts";
import { filterKeys } from "../../model/json/object.ts";
import { ChangeError } from "../change-error.ts";
import type { Task } from "../task.ts";

/** The live object of a change, and the task for the routes of its kind. */
export interface LiveTarget {
  readonly task: Task;
  readonly change: ChangeWithWork;
  readonly live: LiveObject;
}

/** The object of a change as the plan saw it. */
export function plannedObject(declaredTask: Task, change: ChangeWithWork): LiveTarget {
  const { live } = change.work;
  if (live !== undefined) return { task: declaredTask.asKind(live.kind), change, live };
  throw new ChangeError("failed", "nothing_live", "the plan has no live object for this change", {
    hint: "Plan again.",
  });
}

/**
 * Returns the object of an update as it is now. Kinds without a read of one object (members) keep the planned one: their
 * list was read for the plan, and a PATCH of a member sends nothing but the level.
 *
 * @throws ChangeError `skipped` if the object has changed since the plan, or is gone
 */
export async function rereadBeforeUpdate(declaredTask: Task, change: ChangeWithWork): Promise<LiveTarget> {
  const planned = plannedObject(declaredTask, change);
  const { get } = targetOf(planned.task, planned.live);
  if (get === undefined) return planned;
  const live = await asPlanSees(planned, await readIfPresent(planned.task, get));
  requireUnchanged(planned, live);
  return { ...planned, live };
}

/**
 * Reads the object that is about to be removed; undefined if it is gone. A single 404 does not prove that.
 *
 * @throws ChangeError `skipped` if the object has changed since the plan
 */
export async function rereadBeforeDelete(planned: LiveTarget): Promise<LiveObject | undefined> {
  const { task, live } = planned;
  const { get } = targetOf(task, live);
  const read = get === undefined ? await findListed(planned) : await readOrFind(planned, get);
  const found = await asPlanSees(planned, read);
  if (found !== undefined) requireUnchanged(planned, found);
  return found;
}

async function readOrFind({ task, live }: LiveTarget, get: Call): Promise<LiveObject | undefined> {
  return (await readIfPresent(task, get)) ?? (await task.lists.all()).find(({ id }) => id === live.id);
}

/** From the lists as they are now: a removal comes last, perhaps long after the run has begun. */
async function findListed({ task, live }: LiveTarget): Promise<LiveObject | undefined> {
  const objects = await task.lists.all();
  const [key] = live.keys;
  // An object with the same key takes its place: an invite that was accepted, for example.
  return objects.find(({ id }) => id === live.id) ?? objects.find(({ keys }) => key !== undefined && keys[0] === key);
}

/** Reads one object by its id; undefined if it does not exist, or if its kind has no such read. @throws ApiError */
export async function readById(task: Task, id: string): Promise<LiveObject | undefined> {
  const { get } = targetOf(task, { id });
  const live = get === undefined ? undefined : await readIfPresent(task, get);
  return live !== undefined && hasId(live, id) ? live : undefined;
}

/** Reads one object again: by its id if the kind has such an operation, else from the list. */
export async function reread(task: Task, id: string): Promise<LiveObject> {
  const { get } = targetOf(task, { id });
  const live =
    get === undefined
      ? (await task.lists.own()).find((one) => one.id === id)
      : task.lists.parse(get.operation, (await task.call(get)).body);
  if (live !== undefined && hasId(live, id)) return live;
  const message = `the service does not show the ${task.kind.name} ${id}`;
  throw new ChangeError("unverified", "not_shown", message, { hint: "Run plan to see the state of the object.", id });
}

/**
 * Reads one object as a plan sees it: from a list, if that can be asked for it alone. A list shows what is stored, a read by id the SQL
 * variables that the project has today.
 */
export async function rereadInList(
  task: Task,
  live: LiveObject,
  declared: ValueObject,
): Promise<LiveObject | undefined> {
  const lists = task.kind.lists.operations(scopeType(task.scope));
  const alone = filterKeys(live.pins, (field) =>
    lists.some((list) => Object.hasOwn(operations[list].query ?? {}, field)),
  );
  if (Object.keys(alone).length === 0) return undefined;
  const listed = await task.lists.own(needsFullList(task.kind, declared) ? { ...FULL_VIEW, ...alone } : alone);
  return listed.find(({ id }) => id === live.id);
}

/** The operations on one live object, in the scope of a task. */
export function targetOf({ kind, scope }: Task, live: Pick<LiveObject, "id" | "parts">): Target {
  return kind.writes.target(scopeType(scope), live);
}

async function readIfPresent(task: Task, get: Call): Promise<LiveObject | undefined> {
  try {
    return task.lists.parse(get.operation, (await task.whenServiceAnswers(get.operation, () => task.call(get))).body);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** An object that was read by its id. If it is not as planned, the view that the plan was made from decides. */
async function asPlanSees(planned: LiveTarget, found: LiveObject | undefined): Promise<LiveObject | undefined> {
  if (found === undefined || isUnchanged(planned, found)) return found;
  const listed = await rereadInList(planned.task, found, planned.change.work.resource?.values ?? {});
  // Only a read by id shows what is attached to it.
  return listed === undefined ? found : { ...listed, attached: found.attached };
}

function isUnchanged({ task, change, live }: LiveTarget, found: LiveObject): boolean {
  const { work } = change;
  const fingerprint = fingerprintFor(change.action)(task.kind, found, work.resource?.values ?? {});
  const { attached } = found;
  const seen = work.attached === undefined ? fingerprint : attached && withAttached(fingerprint, attached);
  return found.kind === live.kind && seen === change.fingerprint;
}

function requireUnchanged(planned: LiveTarget, found: LiveObject | undefined): asserts found {
  if (found !== undefined && isUnchanged(planned, found)) return;
  if (found !== undefined && hasJoined(planned.live, found)) throw joinedError(found.id);
  const message = `the object ${found === undefined ? "is gone" : "has changed"} since the plan was made`;
  throw new ChangeError("skipped", "stale", message, {
    hint: "Plan again and review the differences.",
    id: planned.live.id,
  });
}

export function joinedError(id: string | null): ChangeError {
  return new ChangeError("skipped", "stale", JOINED, { hint: "Plan again and review the differences.", id });
}
