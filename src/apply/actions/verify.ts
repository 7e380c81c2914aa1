import type { Precedence } from "../../kinds/comparison.ts";
import type { Answer } from "../../api/client.ts";
import { patchBody } from "../../diff/body.ts";
import { compare, precedenceOf, undeclaredPrecedence, unverifiablePaths, type Difference } from "../../diff/compare.ts";
import { isDeployedAt } from "../../kinds/service-signs.ts";
import { kinds } from "../../kinds/registry.ts";
import { isUnknownField } from "../../kinds/unknown-fields.ts";
import { takenFields, varyingFields } from "../../kinds/varying-fields.ts";
import type { Suggestion } from "../../model/command.ts";
import type { ValueObject } from "../../model/json.ts";
import { filterKeys } from "../../model/object.ts";
import { pathTexts, pointer, topField } from "../../model/pointer.ts";
import type { KindName } from "../../model/kind-name.ts";
import type { LiveObject } from "../../model/live.ts";
import type { Resource } from "../../model/resource.ts";
import { ChangeError, type Task } from "../task.ts";
import { isRequestedObject, reread, rereadInList, targetOf } from "./reread.ts";

export interface VerifyOptions {
  /** The object in the answer to the write, if it held one. */
  readonly seen: LiveObject | undefined;
  /** Sends what a create dropped in one PATCH. An update is never repaired: what it did not set was ignored. */
  readonly repair: boolean;
  /** The fields that were sent; default: all declared ones. */
  readonly written?: readonly string[];
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
  { seen, repair: isRepairing, written = Object.keys(resource.values) }: VerifyOptions,
): Promise<void> {
  let live = seen ?? (await reread(task, id));
  if (differs(task, resource, live)) {
    if (isRepairing) live = await repair(task, resource, live);
    if (differs(task, resource, live)) live = await reread(task, id);
    const byId = live;
    if (differs(task, resource, live)) live = (await rereadInList(task, live, resource.values)) ?? live;
    const remaining = differencesFrom(task, resource, live);
    const ignored = remaining.filter(isDeclared);
    const precedence = precedenceOf(task.kind, resource.values, live.values);
    if (
      ignored.length > 0 &&
      precedence !== undefined &&
      ignored.every(({ keys: [field] }) => isEither(precedence, field))
    )
      throw notComparable(live, [pointer(precedence.over)], precedence);
    if (ignored.length > 0) throw ignoredByService(live.id, pathsOf(ignored), ignoredHint(live, ignored));
    if (remaining.length > 0) throw addedByService(live, remaining);
    // What was not written is as it was before.
    const references = task.kind.comparison.missingReferences?.(resource.values, byId.values) ?? [];
    const missing = references.filter((path) => written.includes(topField(path)));
    if (missing.length > 0) throw referenceMissing(live, missing);
  }
  const unverifiable = unverifiablePaths(task.kind, resource.values, live.values, written);
  if (unverifiable.length > 0) throw notComparable(live, unverifiable);
}

/** Whether an object differs from what was declared, apart from the field of a transition. */
export function differs(task: Task, resource: Resource, live: LiveObject): boolean {
  return differencesFrom(task, resource, live).length > 0;
}

/** The object in the answer to a write; undefined if the answer does not hold the object with this id. */
export function objectInAnswer(task: Task, operation: string, answer: Answer, id: string): LiveObject | undefined {
  const live = task.parse(operation, answer.body);
  return live !== undefined && isRequestedObject(live, id) ? live : undefined;
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
  const update = targetOf(task, live).update?.(withRepeated(task, body, live));
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

/** Whether the row lacks a field that not every service has. An empty list could not show that: the next plan says it. */
function isNotOnService(kind: KindName, live: LiveObject, keys: readonly string[]): boolean {
  const path = pointer(...keys);
  const varies = varyingFields(kind).some((field) => pointer(...field.keys) === path);
  return varies && !takenFields(kind, [live]).includes(path);
}

function pathsOf(differences: readonly Difference[]): readonly string[] {
  return differences.map(({ keys }) => pointer(...keys));
}

function isDeclared({ isUndeclared }: Difference): boolean {
  return isUndeclared !== true;
}

function withoutTransition(task: Task, resource: Resource, id: string): ValueObject {
  const field = targetOf(task, { id }).transition?.field;
  return filterKeys(resource.values, (name) => name !== field);
}

/** The error about a write that was accepted, and does not show in the object. */
export function ignoredByService(id: string, paths: readonly string[], hint: string): ChangeError {
  const message = `the service accepted the write but did not set ${pathTexts(paths)}`;
  return new ChangeError("unverified", "ignored_by_service", message, { hint, id, paths });
}

function isEither({ of, over }: Precedence, field: string): boolean {
  return field === of || field === over;
}

/** What to do about fields that the service did not set. */
function ignoredHint({ kind }: LiveObject, differences: readonly Difference[]): string {
  if (differences.every(({ keys: [field] }) => isUnknownField(kind, field)))
    return "The service may not know what stands in extra_fields. Check the name, or remove it.";
  const needs = kinds[kind].writes.firstStep === undefined ? "a paid feature" : `a paid feature or a verified ${kind}`;
  return `The field may need ${needs}, or it may be read-only. Add it to lifecycle.ignore to leave it unmanaged.`;
}

/** The service stores the reference, and leaves it out where it looks it up. */
function referenceMissing(live: LiveObject, paths: readonly string[]): ChangeError {
  const message = `the project does not have what ${pathTexts(paths)} refers to`;
  const hint = "It was written as declared. Ids of another project mean nothing here: declare one of this project.";
  return new ChangeError("unverified", "reference_missing", message, { hint, id: live.id, paths });
}

function addedByService(live: LiveObject, differences: readonly Difference[]): ChangeError {
  const paths = pathsOf(differences);
  const message = `the service added ${pathTexts(paths)} to what was sent`;
  const hint = `To leave it to the service, declare in the resource: lifecycle: { ignore: ${JSON.stringify(paths)} } (ignoreChanges in a Pulumi program).`;
  return new ChangeError("unverified", "added_by_service", message, { hint, id: live.id, paths });
}

function notComparable(live: LiveObject, paths: readonly string[], shown?: Precedence): ChangeError {
  const message = `the service returns what is declared in another form, which does not show ${pathTexts(paths)}`;
  const instead =
    shown === undefined
      ? ""
      : ` Declare the \`${shown.of}\` that the service returns instead of \`${shown.over}\`: \`drift --accept\` writes it.`;
  const hint = `The service accepted the write, but driftline cannot verify it.${instead}`;
  return new ChangeError("unverified", "not_comparable", message, { hint, id: live.id, paths });
}

/** The body of a PATCH with the fields that keep their live values only if it repeats them. */
export function withRepeated({ kind }: Task, body: ValueObject, { values }: LiveObject): ValueObject {
  return { ...kind.writes.repeated?.(values), ...body };
}
