import type { Answer } from "../../api/client.ts";
import { completedBody, patchBody } from "../../diff/body.ts";
import { compare, type Difference } from "../../diff/compare.ts";
import { undeclaredPrecedence, unverifiablePaths } from "../../diff/shown-as.ts";
import { isDeployedAt } from "../../kinds/service-signs.ts";
import type { Suggestion } from "../../model/command.ts";
import type { ValueObject } from "../../model/json/json.ts";
import { filterKeys } from "../../model/json/object.ts";
import { hasId, type LiveObject } from "../../model/live.ts";
import { topField } from "../../model/pointer.ts";
import type { Resource } from "../../model/resource.ts";
import { ChangeError } from "../change-error.ts";
import type { Task } from "../task.ts";
import { isEither, isNotOnService, missingReference, notComparable, remainingDifference } from "./verdict.ts";
import { reread, rereadInList, targetOf } from "./reread.ts";

export interface VerifyOptions {
  /** The object in the answer to the write, if it held one. */
  readonly seen: LiveObject | undefined;
  /** The fields that an update sent: what it did not set was ignored. Without them all were, and one PATCH sends what was dropped. */
  readonly updated?: readonly string[];
}

/**
 * Checks that an object has everything that was declared, apart from the field of a transition. If it differs, one more
 * read decides.
 *
 * @throws ChangeError `unverified` if a field was ignored, if it refers to what does not exist, if the service added keys of its
 * own to a value that is compared whole, or if a value comes back in a notation that cannot be compared
 */
export async function verify(
  task: Task,
  resource: Resource,
  id: string,
  { seen, updated }: VerifyOptions,
): Promise<void> {
  const written = updated ?? Object.keys(resource.values);
  let live = seen ?? (await reread(task, id));
  if (differs(task, resource, live)) {
    if (updated === undefined) live = await repair(task, resource, live);
    if (differs(task, resource, live)) live = await reread(task, id);
    const byId = live;
    if (differs(task, resource, live)) live = (await rereadInList(task, live, resource.values)) ?? live;
    const remaining = differencesFrom(task, resource, live);
    const problem =
      remainingDifference(task.kind, resource, live, remaining) ?? missingReference(task.kind, resource, byId, written);
    if (problem !== undefined) throw problem;
  }
  const hidden = unverifiablePaths(task.kind, resource.values, live.values);
  const unverifiable = hidden.filter((path) => written.includes(topField(path)));
  if (unverifiable.length > 0) throw notComparable(live, unverifiable);
}

/** Whether an object differs from what was declared, apart from the field of a transition. */
export function differs(task: Task, resource: Resource, live: LiveObject): boolean {
  return differencesFrom(task, resource, live).length > 0;
}

/** The object in the answer to a write; undefined if the answer does not hold the object with this id. */
export function objectInAnswer(task: Task, operation: string, answer: Answer, id: string): LiveObject | undefined {
  const live = task.lists.parse(operation, answer.body);
  return live !== undefined && hasId(live, id) ? live : undefined;
}

async function repair(task: Task, resource: Resource, live: LiveObject): Promise<LiveObject> {
  const declared = { ...resource, values: withoutTransition(task, resource, live.id) };
  const kept = undeclaredPrecedence(task.kind, resource.values, live.values);
  // What somebody has made of the declared field stays, as an update of it is refused.
  const differences = differencesFrom(task, resource, live).filter(
    ({ keys: [field] }) => kept === undefined || !isEither(kept, field),
  );
  if (differences.length === 0) return live;
  const body = patchBody(task.kind, declared, live.values, differences);
  const update = targetOf(task, live).update?.(completedBody(task.kind, resource, body, live.values));
  if (update === undefined) return live;
  const hint = firstStepFor(task, live, body);
  if (hint !== undefined && isDeployedAt(task.context.world, task.scope)) {
    const message = `created; ${Object.keys(body).join(", ")} can be set only after the service has verified it`;
    throw new ChangeError("unverified", "verification_required", message, { hint, id: live.id });
  }
  const answer = await task.call(update);
  return objectInAnswer(task, update.operation, answer, live.id) ?? reread(task, live.id);
}

/** The step outside of the service that has to come first. */
export function firstStepFor(task: Task, live: LiveObject, body?: ValueObject): Suggestion | undefined {
  const step = task.kind.writes.firstStep?.(live, task.path, body);
  return step && { ...step, hint: `${step.hint.slice(0, 1).toUpperCase()}${step.hint.slice(1)}` };
}

function differencesFrom(task: Task, resource: Resource, live: LiveObject): readonly Difference[] {
  const declared = withoutTransition(task, resource, live.id);
  const differences = compare(task.kind, declared, live.values, resource.lifecycle);
  return differences.filter(({ keys }) => !isNotOnService(task.kind.name, live, keys));
}

function withoutTransition(task: Task, resource: Resource, id: string): ValueObject {
  const field = targetOf(task, { id }).transition?.field;
  return filterKeys(resource.values, (name) => name !== field);
}
