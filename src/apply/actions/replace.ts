import { ApiError } from "../../api/errors/errors.ts";
import type { Call } from "../../kinds/kind.ts";
import { scopeType } from "../../model/address.ts";
import type { Change, Work } from "../../model/change.ts";
import { listKey } from "../../model/live.ts";
import type { Resource } from "../../model/resource.ts";
import { ChangeError, type Task } from "../task.ts";
import { createOnce, type CreateResult } from "./create.ts";
import type { CreateRequest } from "./send-create.ts";
import { remove } from "./remove.ts";
import { runAfterWrite } from "./send-idempotent.ts";
import { transition } from "./transition.ts";
import { verify } from "./verify.ts";

/** What is left to do for a change once everything else has succeeded: the removal, and what has to wait for it. */
export type Removal = () => Promise<void>;

/** The object that a change left behind, and its removal if one is due. */
export interface ExecuteResult {
  readonly id: string | null;
  readonly removal?: Removal;
}

/** Creates an object with everything that was declared. */
export async function createResource(task: Task, work: Work, prepare?: () => Promise<void>): Promise<ExecuteResult> {
  const { live } = await createAndVerify(task, work, { prepare });
  await runAfterCreate(live.id, () => transition(task, resourceOf(work), live.id, live));
  return { id: live.id };
}

/** Creates the object in the state in which a duplicate does no harm, and makes sure that it has what was declared. */
async function createAndVerify(
  task: Task,
  work: Work,
  how: Pick<CreateRequest, "prepare" | "replaces">,
): Promise<CreateResult> {
  const resource = resourceOf(work);
  const keys = task.kind.declaredKeys(resource.values, resource.name);
  const created = await createOnce(task, {
    ...how,
    call: createCall(task, work, keys[0] ?? ""),
    keys,
    known: knownIds(task),
  });
  const { live } = created;
  await runAfterCreate(live.id, () => verify(task.as(live.kind), resource, live.id, live, true));
  return created;
}

function createCall(task: Task, work: Work, key: string): Call {
  const type = scopeType(task.scope);
  const { transition: moved } = task.kind.target(type, { id: "" });
  const body = moved === undefined ? work.body : { ...work.body, [moved.field]: moved.createAs };
  const call = task.kind.create?.(type, body, key);
  if (call !== undefined) return call;
  const message = `a ${task.kind.name} cannot be created`;
  throw new ChangeError(
    "failed",
    "unsupported",
    message,
    task.kind.notCreatedHint ?? "Create it on the service, and plan again.",
  );
}

/** Ids of what the plan saw, siblings included: an object may turn up in the list of a sibling kind. */
function knownIds({ context, kind, scope }: Task): readonly string[] | undefined {
  const { lists } = context.snapshot;
  if (!lists.has(listKey(scope, kind.name))) return undefined;
  return [kind.name, ...kind.siblings].flatMap(
    (name) => lists.get(listKey(scope, name))?.objects.map(({ id }) => id) ?? [],
  );
}

function runAfterCreate<T>(id: string, work: () => Promise<T>): Promise<T> {
  return runAfterWrite(id, "created, but not yet as declared", work);
}

/** Creates what takes the place of a live object, and removes that one: after it, or before where there can be only one. */
export async function replace(task: Task, change: Change, work: Work): Promise<ExecuteResult> {
  if (task.kind.removeFirst === true) return replaceInPlace(task, change, work);
  const { live, close } = await createAndVerify(task, work, { replaces: work.live?.id });
  return {
    id: live.id,
    removal: async () => {
      await runAfterWrite(live.id, `replaced by ${live.id}, but not removed`, () => remove(task, change, work));
      await close();
      await runAfterCreate(live.id, () => transition(task, resourceOf(work), live.id));
    },
  };
}

/** Removes before it creates: the service holds one object per natural key, or a second one would send an e-mail. */
async function replaceInPlace(task: Task, change: Change, work: Work): Promise<ExecuteResult> {
  let isRemoved = false;
  const prepare = async (): Promise<void> => {
    await remove(task, change, work);
    isRemoved = true;
  };
  try {
    return await createResource(task, work, prepare);
  } catch (error) {
    if (isRemoved && error instanceof ApiError && error.effect === "no")
      throw new ChangeError(
        "failed",
        error.code ?? error.kind,
        `removed, but not created again: ${error.message}`,
        error.hint,
      );
    throw error;
  }
}

export function resourceOf(work: Work): Resource {
  if (work.resource !== undefined) return work.resource;
  throw new ChangeError("failed", "undeclared", "only declared resources are written", "Plan again.");
}
