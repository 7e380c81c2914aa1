import { ApiError } from "../../api/errors/errors.ts";
import { createCall } from "../../kinds/create-call.ts";
import { sentByDefault } from "../../kinds/fields.ts";
import { JOINED, isMemberOrPlaceholder } from "../../kinds/people/index.ts";
import { isPerson, neverCreated, isDerived } from "../../kinds/registry.ts";
import { webPageOf } from "../../kinds/web-page.ts";
import type { Call } from "../../kinds/kind-parts.ts";
import type { Work } from "../../model/change.ts";
import { filterKeys } from "../../model/json/object.ts";
import type { LiveObject } from "../../model/live.ts";
import { ChangeError } from "../change-error.ts";
import { resourceOf, type ExecuteResult, type Task, unsupported } from "../task.ts";
import { createOnce, protocolOf, type CreateResult } from "./create-once.ts";
import type { CreateRequest } from "./resolve-create.ts";
import { runAfterWrite } from "../actions/after-write.ts";
import { joinedError } from "../actions/reread.ts";
import { transition } from "../actions/transition.ts";
import { differs, verify } from "../actions/verify.ts";

/**
 * Returns the result of a create of a person who is a member already, because that user has created the organization in this run.
 *
 * @throws ChangeError `skipped` if that object is not as declared. It may be the only owner of the new organization.
 * @throws ApiError if the objects in the scope cannot be listed
 */
export async function findInNewScope(task: Task, work: Work): Promise<ExecuteResult | undefined> {
  const { kind, scope, context } = task;
  if (!isPerson(kind.name) || context.world.scopes.get(scope)?.status !== "absent") return undefined;
  return memberAmong(task, work, await task.lists.first(), CAME_WITH_SCOPE);
}

/**
 * Returns the result of a create if its person is a member already.
 *
 * @throws ChangeError `skipped` if the member is not as declared
 */
function memberAmong(
  task: Task,
  work: Work,
  objects: readonly LiveObject[],
  unchanged: string,
): ExecuteResult | undefined {
  const resource = resourceOf(work);
  const keys = task.kind.identity.declaredKeys(resource.values, resource.name);
  const live = objects.find((object) => isMemberOrPlaceholder(object) && keys.some((key) => object.keys.includes(key)));
  if (live === undefined) return undefined;
  task.hold(live.id);
  if (live.state === "placeholder" || !differs(task, resource, live)) return { id: live.id, unchanged };
  const message = `${unchanged}, and differs from the declaration`;
  const hint = "Declare it as it is, or plan again to see the difference.";
  throw new ChangeError("skipped", "stale", message, { hint, id: live.id });
}

/** The result of a create that the service has refused because the person has joined meanwhile. @throws the error otherwise */
async function findJoined(task: Task, work: Work, error: unknown): Promise<ExecuteResult> {
  const isRefused = error instanceof ApiError && error.status === 400 && isPerson(task.kind.name);
  const found = isRefused ? memberAmong(task, work, await task.lists.all(), JOINED) : undefined;
  if (found === undefined) throw error;
  if (protocolOf(task).yields) return found;
  throw joinedError(found.id);
}

const CAME_WITH_SCOPE = "it came with the organization: its creator is a member";

/** Creates an object and sets everything that was declared. */
export async function createResource(task: Task, work: Work, prepare?: () => Promise<void>): Promise<ExecuteResult> {
  const created = await createAndVerify(task, work, { prepare }).catch((error: unknown) =>
    findJoined(task, work, error),
  );
  if (!("live" in created)) return created;
  const { live, yielded } = created;
  await runAfterCreate(live.id, () => transition(task, resourceOf(work), live.id, live));
  return { id: live.id, live, yielded, link: webPageOf(task.context.client.url, task.path, live) };
}

/** Sets everything that was declared on the object that the first part of a create has made. */
export async function completeCreate(task: Task, work: Work, created: ExecuteResult): Promise<ExecuteResult> {
  const { live } = created;
  if (live !== undefined) await runAfterCreate(live.id, () => verify(task, resourceOf(work), live.id, { seen: live }));
  return created;
}

/** Creates the object in a state in which a duplicate does no harm (paused), and verifies it. */
export async function createAndVerify(
  task: Task,
  work: Work,
  options: Pick<CreateRequest, "prepare" | "replaces">,
): Promise<CreateResult> {
  const resource = resourceOf(work);
  const keys = task.kind.identity.declaredKeys(resource.values, resource.name);
  const [key = ""] = keys;
  const created = await createOnce(task, {
    ...options,
    // Otherwise the old object still exists when the new one is created, so the next plan sees what it has.
    carried:
      task.kind.writes.onePerKey === true && Object.keys({ ...work.carried }).length > 0 ? work.carried : undefined,
    call: requireCreateCall(task, work, key),
    key: { url: task.context.client.url, kind: task.kind.name, scope: task.path, key },
    keys,
  });
  const { live } = created;
  // The invite of another run has been accepted: the person is not the object that was declared, unless both kinds are one.
  if (live.state === "placeholder" && !isDerived(task.kind)) return created;
  const [own, seen] = live.state === "placeholder" ? [task, undefined] : [task.asKind(live.kind), live];
  const sent = filterKeys(sentByDefault(task.kind.name), (field) => Object.hasOwn(live.values, field));
  const wanted = { ...resource, values: { ...sent, ...resource.values } };
  await runAfterCreate(live.id, () => verify(own, wanted, live.id, { seen }));
  return created;
}

function requireCreateCall(task: Task, work: Work, key: string): Call {
  const call = createCall(task.kind, task.scope, work.body, key);
  if (call !== undefined) return call;
  throw unsupported(task, "created", neverCreated(task.kind)?.instead ?? "");
}

export function runAfterCreate<T>(id: string, work: () => Promise<T>): Promise<T> {
  return runAfterWrite(id, "created, but not yet as declared", work);
}
