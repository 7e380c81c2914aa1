import type { Answer } from "../api/client.ts";
import { ApiError } from "../api/errors.ts";
import { fingerprint } from "../diff/fingerprint.ts";
import type { Call, Target } from "../kinds/kind.ts";
import { scopeType } from "../model/address.ts";
import type { Change, Work } from "../model/change.ts";
import type { ValueObject } from "../model/json.ts";
import { listKey, type LiveObject } from "../model/live.ts";
import type { Resource } from "../model/resource.ts";
import { ChangeError, type Task } from "./context.ts";
import { createOnce } from "./create.ts";
import { reread, shown, verify } from "./verify.ts";

/** What is left to do for a change once everything else has succeeded: the removal, and what has to wait for it. */
export type Removal = () => Promise<void>;

/** The object that a change left behind, and its removal if one is due. */
export interface Executed {
  readonly id: string | null;
  readonly removal?: Removal;
}

/**
 * Carries out one change. Removals are handed back rather than done: they come last, and only if nothing failed.
 * Throws {@link ChangeError} or `ApiError`.
 */
export async function execute(task: Task, change: Change): Promise<Executed> {
  const { work } = change;
  if (work === null) return { id: change.id };
  switch (change.action) {
    case "create":
      return createNew(task, work);
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

async function createNew(task: Task, work: Work, prepare?: () => Promise<void>): Promise<Executed> {
  const { id, resource } = await createProven(task, work, prepare);
  await transition(task, resource, id);
  return { id };
}

/** Creates the object in the state in which a duplicate does no harm, and makes sure that it has what was declared. */
async function createProven(task: Task, work: Work, prepare?: () => Promise<void>): Promise<{ id: string; resource: Resource }> {
  const resource = resourceOf(work);
  const type = scopeType(task.scope);
  const before = task.kind.target(type, { id: "" }).transition;
  const body = before === undefined ? work.body : { ...work.body, [before.field]: before.createAs };
  const keys = task.kind.declaredKeys(resource.values, resource.name);
  const call = task.kind.create?.(type, body, keys[0] ?? "");
  if (call === undefined) throw new ChangeError("failed", "unsupported", `a ${task.kind.name} cannot be created`, "Declare a membership instead.");
  const known = task.context.snapshot.lists.get(listKey(task.scope, task.kind.name))?.objects.map((live) => live.id) ?? [];
  const created = await createOnce(task, { call, keys, known, ...(prepare === undefined ? {} : { prepare }) });
  try {
    await verify(task, resource, created.id, created.live, true);
  } catch (error) {
    throw afterCreate(error, created.id);
  }
  return { id: created.id, resource };
}

/** The object exists: whatever fails from here on is not a failure to create it. */
function afterCreate(error: unknown, id: string): unknown {
  if (!(error instanceof ApiError)) return error;
  return new ChangeError("unverified", error.code ?? error.kind, `created, but not yet as declared: ${error.message}`, error.hint, id);
}

async function update(declaredAs: Task, change: Change, work: Work): Promise<Executed> {
  const resource = resourceOf(work);
  const task = work.live === undefined ? declaredAs : declaredAs.as(work.live.kind);
  const live = await unchangedSince(task, change, work);
  const target = targetOf(task, live);
  const field = target.transition?.field;
  const body = Object.fromEntries(Object.entries(work.body).filter(([name]) => name !== field));
  if (Object.keys(body).length > 0) await patch(task, target, live.id, body, resource);
  if (field !== undefined && field in work.body) await transition(task, resource, live.id);
  return { id: live.id };
}

async function patch(task: Task, target: Target, id: string, body: ValueObject, resource: Resource): Promise<void> {
  const call = target.update?.(body);
  if (call === undefined) throw new ChangeError("failed", "unsupported", `a ${task.kind.name} cannot be changed`, "Replace it.", id);
  const answer = await orSettled(task, call, async () => verify(task, resource, id, undefined, false));
  await verify(task, resource, id, answer && shown(task, call.operation, answer, id), false);
}

/** Where the answer to an idempotent write was lost, what the service shows decides: as declared is done. */
async function orSettled(task: Task, call: Call, check: () => Promise<unknown>): Promise<Answer | undefined> {
  try {
    return await task.call(call);
  } catch (error) {
    if (!(error instanceof ApiError) || error.effect !== "maybe") throw error;
    await check().catch(() => {
      // A 500 of the service itself is its answer: it will not take effect any more.
      if (error.status === 500 && error.code !== null) throw new ChangeError("failed", error.code, error.message, error.hint);
      throw new ChangeError("unknown", "outcome_unknown", `${error.message}; it may or may not have taken effect`, "Run plan: it shows what the service holds now.");
    });
    return undefined;
  }
}

/** Moves a field that has operations of its own to its declared value. */
async function transition(task: Task, resource: Resource, id: string): Promise<void> {
  const target = task.kind.target(scopeType(task.scope), { id });
  const wanted = target.transition === undefined ? undefined : resource.values[target.transition.field];
  if (target.transition === undefined || typeof wanted !== "boolean") return;
  const { field, operations } = target.transition;
  const live = await reread(task, id);
  if (live.values[field] === wanted) return;
  const operation = operations[wanted ? "true" : "false"];
  const answer = await task.call({ operation, path: { id }, body: {} }).catch((error: unknown) => {
    // Some servers close these operations to scoped keys; a PATCH of the field does the same.
    if (error instanceof ApiError && error.kind === "scope" && target.update !== undefined) return task.call(target.update({ [field]: wanted }));
    throw error;
  });
  const seen = answer.body !== null && typeof answer.body === "object" && !Array.isArray(answer.body) ? (answer.body as ValueObject)[field] : undefined;
  if (seen !== wanted && (await reread(task, id)).values[field] !== wanted) {
    throw new ChangeError("unverified", "ignored_by_service", `the service did not take over /${field}`, "Run plan to see its state.", id);
  }
}

async function restore(task: Task, change: Change, work: Work): Promise<Executed> {
  const id = work.live?.id ?? change.id ?? "";
  const call = task.kind.target(scopeType(task.scope), { id }).restore;
  if (call === undefined) throw new ChangeError("failed", "unsupported", `a ${task.kind.name} cannot be restored`, "Take out its pinned id.");
  const answer = await task.call(call);
  const live = task.read(call.operation, answer.body);
  const resource = resourceOf(work);
  await verify(task, resource, live?.id ?? id, live, true);
  return { id: live?.id ?? id };
}

async function replace(task: Task, change: Change, work: Work): Promise<Executed> {
  if (task.kind.removeFirst === true) return createNew(task, work, () => remove(task, change, work));
  const { id, resource } = await createProven(task, work);
  return {
    id,
    removal: async () => {
      await remove(task, change, work);
      await transition(task, resource, id);
    },
  };
}

async function remove(declaredAs: Task, change: Change, work: Work): Promise<void> {
  const task = work.live === undefined ? declaredAs : declaredAs.as(work.live.kind);
  const live = await unchangedSince(task, change, work).catch((error: unknown) => {
    if (error instanceof ApiError && error.kind === "not_found") return undefined;
    throw error;
  });
  if (live === undefined) return;
  for (const call of targetOf(task, work.live ?? live).remove) {
    await task.call(call).catch((error: unknown) => {
      if (error instanceof ApiError && error.kind === "not_found") return;
      throw error;
    });
  }
}

/** Reads the object again, where the kind has such an operation: what others have changed since the plan is not overwritten. */
async function unchangedSince(task: Task, change: Change, work: Work): Promise<LiveObject> {
  const planned = work.live;
  if (planned === undefined) throw new ChangeError("failed", "nothing_live", "there is no live object to act on", "Plan again.");
  const get = targetOf(task, planned).get;
  if (get === undefined) return planned;
  const live = task.read(get.operation, (await task.call(get)).body);
  const declared = work.resource === undefined ? {} : compared(work.resource);
  if (live === undefined || fingerprint(task.kind, live, declared) !== change.fingerprint) {
    throw new ChangeError("skipped", "stale", "the object has changed since the plan was made", "Plan again, and look at what has changed.", planned.id);
  }
  return live;
}

function targetOf(task: Task, live: LiveObject): Target {
  return task.kind.target(scopeType(task.scope), live);
}

function resourceOf(work: Work): Resource {
  if (work.resource === undefined) throw new ChangeError("failed", "undeclared", "only declared resources are written", "Plan again.");
  return work.resource;
}

/** The declared fields that count. */
export function compared(resource: Resource): ValueObject {
  return Object.fromEntries(Object.entries(resource.values).filter(([field]) => resource.lifecycle.ignore?.includes(field) !== true));
}
