import type { Answer } from "../api/client.ts";
import { patchBody } from "../diff/body.ts";
import { compare, type Leaf } from "../diff/compare.ts";
import { scopeType } from "../model/address.ts";
import { pointer, type ValueObject } from "../model/json.ts";
import type { LiveObject } from "../model/live.ts";
import type { Resource } from "../model/resource.ts";
import { ChangeError, type Task } from "./context.ts";

/**
 * Makes sure that an object has everything that was declared: what was written is what came back. `seen` is what the answer
 * to the write showed; where it shows less than declared (a create that drops fields), `repair` patches the rest once, and
 * one more read decides. Fields of a transition are left to it.
 */
export async function verify(task: Task, resource: Resource, id: string, seen: LiveObject | undefined, repair: boolean): Promise<LiveObject> {
  const declared = withoutTransition(task, resource, id);
  const differing = (live: LiveObject): readonly Leaf[] => compare(task.kind, declared, live.values, { ignore: resource.lifecycle.ignore });
  let live = seen ?? (await reread(task, id));
  if (differing(live).length === 0) return live;
  if (repair) live = await patch(task, declared, live, differing(live));
  if (differing(live).length > 0) live = await reread(task, id);
  const left = differing(live);
  if (left.length > 0) throw ignored(live, left);
  return live;
}

/** Reads one object anew: alone where the kind has such an operation, else out of the list. */
export async function reread(task: Task, id: string): Promise<LiveObject> {
  const get = task.kind.target(scopeType(task.scope), { id }).get;
  const live =
    get === undefined
      ? (await task.list()).find((one) => one.id === id && one.standIn !== true)
      : task.read(get.operation, (await task.call(get)).body);
  if (live === undefined) {
    throw new ChangeError("unverified", "not_shown", `the service does not show the ${task.kind.name} ${id}`, "Run plan to see its state.", id);
  }
  return live;
}

/** The object in the answer to a write, undefined where the answer shows another shape. */
export function shown(task: Task, operation: string, answer: Answer, id: string): LiveObject | undefined {
  const live = task.read(operation, answer.body);
  return live?.id === id ? live : undefined;
}

async function patch(task: Task, declared: ValueObject, live: LiveObject, leaves: readonly Leaf[]): Promise<LiveObject> {
  const update = task.kind.target(scopeType(task.scope), live).update?.(patchBody(task.kind, declared, live.values, leaves));
  if (update === undefined) return live;
  const answer = await task.call(update);
  return shown(task, update.operation, answer, live.id) ?? reread(task, live.id);
}

function withoutTransition(task: Task, resource: Resource, id: string): ValueObject {
  const field = task.kind.target(scopeType(task.scope), { id }).transition?.field;
  return Object.fromEntries(Object.entries(resource.values).filter(([name]) => name !== field));
}

function ignored(live: LiveObject, leaves: readonly Leaf[]): ChangeError {
  const paths = leaves.map((leaf) => pointer(...leaf.keys)).join(", ");
  const hint = "The service accepted the write but does not show it: the field may need a feature of the plan or a verified domain, or be read-only there. Put it under lifecycle.ignore to leave it alone.";
  return new ChangeError("unverified", "ignored_by_service", `the service did not take over ${paths}`, hint, live.id);
}
