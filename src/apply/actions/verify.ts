import type { Answer } from "../../api/client.ts";
import { patchBody } from "../../diff/body.ts";
import { compare, unverifiablePaths, type Difference } from "../../diff/compare.ts";
import { kinds } from "../../kinds/registry.ts";
import { scopeType } from "../../model/address.ts";
import { pointer, type ValueObject } from "../../model/json.ts";
import type { LiveObject } from "../../model/live.ts";
import type { Resource } from "../../model/resource.ts";
import { ChangeError, type Task } from "../task.ts";

/**
 * Makes sure that an object has everything that was declared: what was written is what came back. `seen` is what the answer
 * to the write showed; where it shows less than declared (a create that drops fields), `repair` patches the rest once, and
 * one more read decides. Fields of a transition are left to it. What was `written` and is shown in another notation, of which
 * it cannot be told, is not verified either.
 */
export async function verify(
  task: Task,
  resource: Resource,
  id: string,
  seen: LiveObject | undefined,
  repair: boolean,
  written = Object.keys(resource.values),
): Promise<void> {
  let live = seen ?? (await reread(task, id));
  if (differs(task, resource, live)) {
    if (repair) live = await patch(task, resource, live);
    if (differs(task, resource, live)) live = await reread(task, id);
    const left = differencesOf(task, resource, live);
    if (left.length > 0) throw ignoredByService(live, left);
  }
  const hidden = unverifiablePaths(task.kind, resource.values, live.values, written);
  if (hidden.length > 0) throw notComparable(live, hidden);
}

/** Whether an object lacks anything that was declared, less the field of a transition. */
export function differs(task: Task, resource: Resource, live: LiveObject): boolean {
  return differencesOf(task, resource, live).length > 0;
}

/** Reads one object anew: alone where the kind has such an operation, else out of the list. */
export async function reread(task: Task, id: string): Promise<LiveObject> {
  const get = task.kind.target(scopeType(task.scope), { id }).get;
  const live =
    get === undefined
      ? (await task.list()).find((one) => one.id === id)
      : task.read(get.operation, (await task.call(get)).body);
  if (live !== undefined && isRequestedObject(live, id)) return live;
  const message = `the service does not show the ${task.kind.name} ${id}`;
  throw new ChangeError("unverified", "not_shown", message, "Run plan to see its state.", id);
}

/** The object in the answer to a write, undefined where the answer shows another shape. */
export function objectInAnswer(task: Task, operation: string, answer: Answer, id: string): LiveObject | undefined {
  const live = task.read(operation, answer.body);
  return live !== undefined && isRequestedObject(live, id) ? live : undefined;
}

/** Whether an answer is about the object that was asked for: what is not may not be written to. */
function isRequestedObject(live: LiveObject, id: string): boolean {
  return [live.id, ...Object.values(live.pins)].some((one) => one.toLowerCase() === id.toLowerCase());
}

async function patch(task: Task, resource: Resource, live: LiveObject): Promise<LiveObject> {
  const declared = withoutTransition(task, resource, live.id);
  const body = patchBody(task.kind, declared, live.values, differencesOf(task, resource, live));
  const update = task.kind.target(scopeType(task.scope), live).update?.(body);
  if (update === undefined) return live;
  const answer = await task.call(update);
  return objectInAnswer(task, update.operation, answer, live.id) ?? reread(task, live.id);
}

function differencesOf(task: Task, resource: Resource, live: LiveObject): readonly Difference[] {
  const declared = withoutTransition(task, resource, live.id);
  return compare(task.kind, declared, live.values, { ignore: resource.lifecycle.ignore });
}

function withoutTransition(task: Task, resource: Resource, id: string): ValueObject {
  const field = task.kind.target(scopeType(task.scope), { id }).transition?.field;
  return Object.fromEntries(Object.entries(resource.values).filter(([name]) => name !== field));
}

function ignoredByService(live: LiveObject, leaves: readonly Difference[]): ChangeError {
  const paths = leaves.map((leaf) => pointer(...leaf.keys)).join(", ");
  const needs = ["a feature of the plan", kinds[live.kind].writesNeed ?? []].flat().join(" or ");
  const hint = `The service accepted the write but does not show it: the field may need ${needs}, or be read-only there. Put it under lifecycle.ignore to leave it alone.`;
  return new ChangeError("unverified", "ignored_by_service", `the service did not take over ${paths}`, hint, live.id);
}

function notComparable(live: LiveObject, paths: readonly string[]): ChangeError {
  const message = `the service shows ${paths.join(", ")} in another notation, in which it cannot be found`;
  const hint =
    "It was taken, but whether as it was declared nobody can tell: declare the query that the service shows.";
  return new ChangeError("unverified", "not_comparable", message, hint, live.id);
}
