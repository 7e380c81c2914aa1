/** What to do about a resource whose pinned object no list shows. A mistyped pin must not create or restore another object. */
import { kindSchema } from "../kinds/fields.ts";
import type { Kind } from "../kinds/kind.ts";
import { isRestorable, isScope, kinds, logBeside, neverCreated } from "../kinds/registry.ts";
import type { Blocked, Change } from "../model/change.ts";
import { command } from "../model/command.ts";
import { hasPin, type LiveObject, type LiveWorld } from "../model/live.ts";
import { visible } from "../model/text/quote.ts";
import { isWanted, type Pin, type Resource } from "../model/resource.ts";
import { createChange, restoreChange } from "./make-change.ts";
import { mayContain } from "./match.ts";
import { reportProblem, type MatchedResource, type MissingPin } from "./matched-resource.ts";

export function decideMissingPin(matched: MatchedResource, missing: MissingPin): Change {
  const { kind, resource, world } = matched;
  const elsewhere = elsewhereOf(world, resource, missing.pin);
  if (elsewhere !== undefined) return pinnedElsewhereChange(kind, resource, missing.pin, elsewhere);
  // A deleted object is only found by the id in its path. Where another one has its name, the id is more likely a wrong one.
  if (isRestorable(kind) && missing.pin.field === "id" && missing.ids.length === 0)
    return restoreUnlisted(kind, resource, missing.pin.value);
  const message = missingPinReason(kind, missing);
  if (neverCreated(kind) !== undefined) return neverCreatedChange(kind, resource, message, missing);
  if (!provesMissing(kind)) {
    const hint = `Correct the pinned id, or use a key that sees the ${kind.name}. If the id is of another region, use the URL of that region.`;
    return reportProblem(matched, { code: "pin_missing", message, hint });
  }
  return { ...createChange(kind, resource, message), blocked: pinMissing(kind, resource, missing) };
}

/** The object of another scope that has the pin. Objects of inner and outer scopes were looked at already. */
function elsewhereOf({ lists }: LiveWorld, resource: Resource, pin: Pin): LiveObject | undefined {
  const { idSpace } = kinds[resource.kind].identity;
  const others = [...lists.values()].flatMap(({ objects }) => objects);
  return others.find(
    (live) =>
      kinds[live.kind].identity.idSpace === idSpace &&
      !mayContain({ scope: live.scope, kind: live.kind }, resource) &&
      hasPin(live, pin),
  );
}

/** Blocks what would be done without the object: it lives, but in another scope, and no service moves one. */
function pinnedElsewhereChange(kind: Kind, resource: Resource, { field, value }: Pin, { scope }: LiveObject): Change {
  const reason = `the ${kind.name} with the ${field} ${visible(value)} is in ${scope}, and cannot move to another scope`;
  const isCreatable = provesMissing(kind);
  const toMove = `To move it, remove the ${field} here, and declare it there as absent with the ${field}, as docs/move-and-undo.md of the package shows`;
  const toCreate = `To keep it, ${declareFirst(kind, resource)}create another one here:`;
  const blocked: Blocked = {
    rule: "pinned_elsewhere",
    lift: `declare it in ${scope}${isCreatable ? `. ${toMove}. ${toCreate}` : ""}`,
    ...(isCreatable ? { command: command("apply", { recreate: resource.address }) } : {}),
  };
  return { ...createChange(kind, resource, reason), blocked };
}

/** What is wrong with a pin that no list shows. */
export function missingPinReason(kind: Kind, { pin: { field, value } }: MissingPin): string {
  const message = `there is no ${kind.name} with the ${field} ${value}`;
  return field !== "id" && isRestorable(kind) ? `${message} that is not deleted` : message;
}

/**
 * A complete list lacks an object that driftline never creates. That is known, but only a person can decide what follows.
 *
 * @param missingPin the missing pin, if the resource has one
 */
export function neverCreatedChange(kind: Kind, resource: Resource, message: string, missingPin?: MissingPin): Change {
  const { address, name } = resource;
  const isThere = missingPin !== undefined && missingPin.ids.length > 0;
  const { cause, instead } = neverCreated(kind) ?? {};
  const lift = isThere
    ? `remove the ${missingPin.pin.field}, because ${name} is found without it, or remove the declaration:`
    : `${instead} Or remove the declaration:`;
  const accept = command("drift", { accept: true, only: address });
  const blocked: Blocked = { rule: "not_there", lift, command: accept };
  return { ...createChange(kind, resource, isThere ? message : `${message}: ${cause}`), blocked };
}

/** Restores an object that no list shows. The service does not distinguish a deleted object from an id that never existed. */
function restoreUnlisted(kind: Kind, resource: Resource, id: string): Change {
  const cause = `no list shows id ${visible(id)}: apply tries to restore it`;
  const change = restoreChange(kind, resource, { id, reason: cause });
  if (!isRecreatable(kind, resource)) return change;
  const recreate = command("apply", { recreate: resource.address });
  return { ...change, reason: `${change.reason}; if the id is wrong:`, command: recreate };
}

/** Blocks the create of an object whose pin no list shows: a mistyped pin would create a second object. */
function pinMissing(kind: Kind, resource: Resource, { pin, ids }: MissingPin): Blocked {
  const { address } = resource;
  const recreate = command("apply", { recreate: address });
  const [first, ...others] = ids;
  const lift =
    first === undefined
      ? `remove it from the configuration, or ${declareFirst(kind, resource)}create it anew:`
      : others.length === 0
        ? `pin the id ${visible(first)}, which has this name now, or remove the ${pin.field}; or leave the file, and take that object (--recreate creates one only if no object has the name):`
        : `pin one of the ids ${visible(ids.join(", "))}, which now have this name, or remove it from the configuration`;
  const blocked: Blocked = { rule: "pin_missing", lift, ...(others.length === 0 ? { command: recreate } : {}) };
  if (!isRestorable(kind) || pin.field === "id") return blocked;
  const [activity] = logBeside(kind, resource.scope);
  const source = activity === undefined ? "" : `, and the operation ${activity} shows it as item_id`;
  const restore = `if it was deleted, pin its id instead, because only that can restore it. An earlier export has it${source}.`;
  return { ...blocked, lift: `${restore} Otherwise ${lift}` };
}

export function isRecreatable(kind: Kind, resource: Resource): boolean {
  return isWanted(resource.lifecycle) && provesMissing(kind) && neededToCreate(kind, resource) === "";
}

/** The list of organizations shows what the key sees, so it does not prove that an organization is gone. */
function provesMissing(kind: Kind): boolean {
  return neverCreated(kind) === undefined && !isScope(kind);
}

/** What an advice to create an object begins with, if that needs fields that are not declared. */
function declareFirst(kind: Kind, resource: Resource): string {
  const needed = neededToCreate(kind, resource);
  return needed === "" ? "" : `declare ${needed}, which a new object needs, and `;
}

/** The fields that a pinned resource may leave out and a new object needs. Without a key, a second run could not find it. */
function neededToCreate(kind: Kind, { values, name }: Resource): string {
  if (kind.identity.declaredKeys(values, name).length === 0) return kind.identity.keyFields.join(" or ");
  return kindSchema(kind.name)
    .required.filter((field) => !Object.hasOwn(values, field))
    .join(", ");
}
