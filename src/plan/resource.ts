/**
 * The plan of one resource: finds its live object (match.ts), decides what to do about it (decide.ts), and adds what only its kind
 * knows.
 */
import { command, hintFields } from "../model/command.ts";
import { quoted, visible } from "../model/quote.ts";
import type { Expiry } from "../kinds/kind-parts.ts";
import { kindSchema } from "../kinds/fields.ts";
import type { Kind } from "../kinds/kind.ts";
import { withSiblings, kinds } from "../kinds/registry.ts";
import type { Blocked, Change } from "../model/change.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { listKey, type LiveObject, type LiveSnapshot, type LookupKeys } from "../model/live.ts";
import type { PlanOptions } from "../model/plan.ts";
import { isWanted, type Resource } from "../model/resource.ts";
import { createChange, decide, restoreChange, unchangedAbsent, unknownChange } from "./decide.ts";
import { convertedResource } from "./converted.ts";
import { gapAt } from "../kinds/live-scope.ts";
import { claimKey, type Index, indexOf, match, type Match } from "./match.ts";
import { withoutMissingFields } from "./not-on-service.ts";

/** The state of planning. Resources claim their objects one after the other. */
export interface PlanContext {
  readonly snapshot: LiveSnapshot;
  readonly options: PlanOptions;
  /** By `listKey`. */
  readonly lookupKeys: ReadonlyMap<string, LookupKeys>;
  /** By `listKey`. Filled when a list is first needed. */
  readonly indexes: Map<string, Index>;
  readonly claims: Set<string>;
  /** The e-mail address of the key's user in lower case, if it is declared. */
  readonly self: string | undefined;
}

/** Returns the change of one resource, and adds its errors and warnings to the diagnostics. */
export function planResource(planning: PlanContext, declared: Resource, diagnostics: Diagnostic[]): Change {
  const { snapshot, options, claims } = planning;
  const kind = kinds[declared.kind];
  const { resource, warnings } = withoutMissingFields(declared, snapshot.lists.get(listKey(declared.scope, kind.name)));
  diagnostics.push(...warnings);
  const scope = snapshot.scopes.get(resource.scope);
  if (scope?.status === "absent") {
    return resource.lifecycle.state === "absent"
      ? unchangedAbsent(kind, resource)
      : createInNewScope(kind, resource, planning.self);
  }
  if (scope?.status !== "known") return unknownChange(resource, scope?.reason ?? "its scope was not read");
  const indexes = withSiblings(kind.name).flatMap((name) => indexAt(planning, listKey(resource.scope, name)));
  if (indexes.length === 0) return unknownChange(resource, "it was not read");
  const first = match(kind, resource, indexes, claims);
  const wantsRecreate = options.recreate?.includes(resource.address) === true;
  const missingPin = wantsRecreate && first.type === "pin_missing" && isRecreatable(kind, resource) ? first : undefined;
  // An earlier run may have created it and then failed to write its id into the pin, so it is looked up by its key.
  const found = missingPin === undefined ? first : match(kind, { ...resource, pin: undefined }, indexes, claims);
  if (found.type === "found") claims.add(claimKey(found.live));
  const gap = gapAt(snapshot, resource.scope, kind.name);
  // An object is removed only if its list is whole.
  const needsWhole = found.type !== "found" || resource.lifecycle.state === "absent";
  if (gap !== undefined && needsWhole) return unknownChange(resource, gap);
  if (wantsRecreate && found.type === "found") diagnostics.push(nothingToRecreate(resource, found.live, missingPin));
  const rotate = options.rotate.includes(resource.address);
  const change = decideMatch({ kind, resource, rotate, missingPin, diagnostics }, found);
  const removable = gap === undefined ? removablePart(kind, resource, change, found) : undefined;
  return removable === undefined ? change : { ...change, removable };
}

/**
 * What of a declaration has done its work. The list of organizations shows what the key sees, so none of them is known to be gone. An
 * object that was found by its former key is one that `renamed_from` is still needed for.
 */
function removablePart(kind: Kind, { lifecycle }: Resource, { action }: Change, found: Match): Change["removable"] {
  if (action !== "no_op" || lifecycle.forget === true) return undefined;
  const isHere = found.type === "found" && found.live.deleted !== true;
  if (lifecycle.state === "absent") return isHere || kind.writes.requiresExplicitCreate === true ? undefined : "state";
  return isHere && found.hasFormerKey !== true && lifecycle.renamed_from !== undefined ? "renamed_from" : undefined;
}

function isRecreatable(kind: Kind, resource: Resource): boolean {
  return isWanted(resource.lifecycle) && provesMissing(kind) && neededToCreate(kind, resource) === "";
}

/** The list of organizations shows what the key sees, so it does not prove that an organization is gone. */
function provesMissing({ writes }: Kind): boolean {
  return writes.create !== undefined && writes.requiresExplicitCreate !== true;
}

/** The fields that a pinned resource may leave out and a new object needs. Without a key, a second run could not find it. */
function neededToCreate(kind: Kind, { values, name }: Resource): string {
  if (kind.identity.declaredKeys(values, name).length === 0) return kind.identity.keyFields.join(" or ");
  return kindSchema(kind.name)
    .required.filter((field) => !Object.hasOwn(values, field))
    .join(", ");
}

/**
 * What comes with a new organization is not created: the user who creates it is a member at once. Only `service.self` shows who that is.
 *
 * @param self the e-mail address of the key's user in lower case, if it is declared
 */
function createInNewScope(kind: Kind, resource: Resource, self: string | undefined): Change {
  const reason = "its organization does not exist yet";
  const change = createChange(kind, resource, reason);
  const { comesWithScope: comes } = kind.writes;
  if (comes === undefined) return change;
  const keys = kind.identity.declaredKeys(resource.values, resource.name);
  if (self !== undefined) return keys.includes(self) ? { ...change, reason: `${reason}; ${comes.planned}` } : change;
  return { ...change, reason: `${change.reason}; ${comes.planned}` };
}

/** The index of a list, made once. Empty if the list was not requested. */
function indexAt({ snapshot, lookupKeys, indexes }: PlanContext, key: string): readonly Index[] {
  const list = snapshot.lists.get(key);
  if (list === undefined) return [];
  const index = indexes.get(key) ?? indexOf(list, lookupKeys.get(key));
  indexes.set(key, index);
  return [index];
}

interface MatchedResource {
  readonly kind: Kind;
  readonly resource: Resource;
  readonly rotate: boolean;
  /** The missing pin of a resource that is to be created anew. */
  readonly missingPin: MissingPin | undefined;
  readonly diagnostics: Diagnostic[];
}

function decideMatch(matched: MatchedResource, found: Match): Change {
  const { kind, resource, missingPin } = matched;
  switch (found.type) {
    case "found":
      return decideFound(matched, found.live);
    case "unknown":
      return unknownChange(resource, found.reason);
    case "ambiguous":
      return fail(matched, {
        code: "ambiguous",
        message: `several live objects have the key ${quoted(found.key)}: ids ${visible(found.ids.join(", "))}`,
        hint: "Pin the right one with `id`. The others are left as they are.",
      });
    case "rename_conflict":
      return fail(matched, {
        code: "rename_conflict",
        message: `both the new name and ${quoted(found.from)} exist: ids ${visible(found.ids.join(", "))}`,
        hint: "Remove lifecycle.renamed_from, or one of the objects.",
      });
    case "rename_taken":
      return fail(matched, {
        code: "rename_conflict",
        message: `another resource declares the former name ${quoted(found.from)}`,
        hint: "Remove lifecycle.renamed_from, or apply the rename before the name is used again.",
      });
    case "pin_missing":
      return !isWanted(resource.lifecycle) ? unchangedAbsent(kind, resource) : decideMissingPin(matched, found);
    case "absent":
      if (!isWanted(resource.lifecycle)) return unchangedAbsent(kind, resource);
      if (missingPin !== undefined)
        return createChange(kind, resource, `${missingPinReason(kind, missingPin)}, so it is created anew`);
      if (kind.writes.create !== undefined) return createChange(kind, resource);
      return neverCreated(kind, resource, `${resource.name} is not a ${kind.name}`);
  }
}

/** Reports what only a person can decide. */
function fail(
  { resource, diagnostics }: MatchedResource,
  problem: Required<Pick<Diagnostic, "code" | "message" | "hint">>,
): Change {
  diagnostics.push({ severity: "error", ...problem, address: resource.address, ...resource.position });
  return unknownChange(resource, problem.message);
}

function decideFound(matched: MatchedResource, live: LiveObject): Change {
  const { kind, resource, rotate, diagnostics } = matched;
  const { values, warnings } = convertedResource(kind, resource, live);
  diagnostics.push(...warnings);
  const change = decide({ ...matched, resource: { ...resource, values } }, live);
  if (live.expired === true && kind.expiry !== undefined && change.action === "no_op")
    diagnostics.push(expired(resource, kind.expiry, change.reason));
  else if (rotate && change.action === "no_op") diagnostics.push(nothingToRotate(resource));
  return change;
}

function decideMissingPin(matched: MatchedResource, found: MissingPin): Change {
  const { kind, resource } = matched;
  // A deleted object is only found by the id in its path.
  if (kind.writes.restorable === true && found.pin.field === "id")
    return restoreUnlisted(kind, resource, found.pin.value);
  const message = missingPinReason(kind, found);
  if (kind.writes.create === undefined) return neverCreated(kind, resource, message, found);
  if (!provesMissing(kind)) {
    const hint = `Correct the pinned id, or use a key that sees the ${kind.name}. If the id is of another region, use the URL of that region.`;
    return fail(matched, { code: "pin_missing", message, hint });
  }
  return { ...createChange(kind, resource, message), blocked: pinMissing(kind, resource, found) };
}

type MissingPin = Extract<Match, { readonly type: "pin_missing" }>;

/** What is wrong with a pin that no list shows. */
function missingPinReason(kind: Kind, { pin: { field, value } }: MissingPin): string {
  const message = `there is no ${kind.name} with the ${field} ${value}`;
  return field !== "id" && kind.writes.restorable === true ? `${message} that is not deleted` : message;
}

/**
 * A complete list lacks an object that driftline never creates. That is known, but only a person can decide what follows.
 *
 * @param missingPin the missing pin, if the resource has one
 */
function neverCreated(kind: Kind, resource: Resource, message: string, missingPin?: MissingPin): Change {
  const { address, name } = resource;
  const isThere = missingPin !== undefined && missingPin.ids.length > 0;
  const note = isThere || kind.hints?.missingReason === undefined ? "" : `: ${kind.hints.missingReason}`;
  const otherwise = kind.hints?.notCreatedHint ?? "Create it on the service, and plan again.";
  const remedy = isThere
    ? `remove the ${missingPin.pin.field}, because ${name} is found without it, or remove the declaration:`
    : `${otherwise} Or remove the declaration:`;
  const accept = command("drift", { accept: true }, address);
  const blocked: Blocked = { rule: "not_there", remedy, command: accept };
  return { ...createChange(kind, resource, message + note), blocked };
}

/** Restores an object that no list shows. The service does not distinguish a deleted object from an id that never existed. */
function restoreUnlisted(kind: Kind, resource: Resource, id: string): Change {
  const cause = `no list shows it, so apply tries to restore id ${visible(id)}`;
  const change = restoreChange(kind, resource, { id, reason: cause });
  if (!isRecreatable(kind, resource)) return change;
  const recreate = command("apply", { recreate: resource.address });
  return { ...change, reason: `${change.reason}; if the id is wrong, create it anew:`, command: recreate };
}

/** Blocks the create of an object whose pin no list shows: a mistyped pin would create a second object. */
function pinMissing(kind: Kind, resource: Resource, { ids }: MissingPin): Blocked {
  const { address } = resource;
  const recreate = command("apply", { recreate: address });
  const [first, ...others] = ids;
  const needed = neededToCreate(kind, resource);
  const declare = needed === "" ? "" : `declare ${needed}, which a new object needs, and `;
  const remedy =
    first === undefined
      ? `remove it from the configuration, or ${declare}create it anew:`
      : others.length === 0
        ? `remove it from the configuration, or pin the id ${visible(first)}, which now has this name:`
        : `pin one of the ids ${visible(ids.join(", "))}, which now have this name, or remove it from the configuration`;
  const blocked: Blocked = { rule: "pin_missing", remedy, ...(others.length === 0 ? { command: recreate } : {}) };
  if (kind.writes.restorable !== true) return blocked;
  const restore = `if it was deleted, pin its id instead, because only that can restore it. ${kind.hints?.deletedIdHint ?? ""}`;
  return { ...blocked, remedy: `${restore.trim()} Otherwise ${remedy}` };
}

/** A user who asks for a new object must learn if there will be none. */
function nothingToRecreate(
  { address, kind, pin, position }: Resource,
  { id }: LiveObject,
  missingPin?: MissingPin,
): Diagnostic {
  const message =
    missingPin === undefined
      ? `nothing is created anew: the object exists (id ${id})`
      : `nothing is created anew: the object with the id ${id} has its name, and takes its place`;
  const canPin = pin === undefined && kindSchema(kind)["x-pins"].length > 0;
  const hint = canPin ? { hint: "To keep it over a rename:", command: command("pin", {}, address) } : undefined;
  return { severity: "warning", code: "nothing_to_recreate", message, ...hintFields(hint), address, ...position };
}

/** A user who rotates a secret must learn if it was not sent. */
function nothingToRotate({ address, kind, position }: Resource): Diagnostic {
  const message = "nothing is sent again: the resource declares no write-only field";
  const hint = "To see which fields are write-only:";
  const words = command("explain", {}, kind);
  return { severity: "warning", code: "nothing_to_rotate", message, hint, command: words, address, ...position };
}

function expired(resource: Resource, { warning }: Expiry, reason: string): Diagnostic {
  return {
    severity: "warning",
    code: warning,
    message: reason,
    address: resource.address,
    ...resource.position,
  };
}
