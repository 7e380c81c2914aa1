/**
 * The plan of one resource: finds its live object (match.ts), decides what to do about it (decide.ts), and adds what only its kind
 * knows.
 */
import { withArticle } from "../model/text/plural.ts";
import { command } from "../model/command.ts";
import { kindSchema, onceField } from "../kinds/fields.ts";
import type { Kind } from "../kinds/kind.ts";
import { CREATOR } from "../kinds/people/index.ts";
import { declaredKeys, gapAt, isPerson, isScope, kinds, neverCreated, withSiblings } from "../kinds/registry.ts";
import type { Change } from "../model/change.ts";
import { type Diagnostic, warningAt } from "../model/diagnostic.ts";
import { listKey, type LiveObject, type LookupKeys } from "../model/live.ts";
import { isSelected } from "../model/plan.ts";
import { isWanted, type Resource } from "../model/resource.ts";
import { createChange, unchangedAbsent, unknownChange } from "./make-change.ts";
import { decide } from "./decide.ts";
import { convertedResource } from "./converted.ts";
import { matchBeside, type Matching } from "./former-names.ts";
import { claimKey, type Index, indexOf, type Match, type Problem } from "./match.ts";
import { reportProblem, type MatchedResource, type MissingPin } from "./matched-resource.ts";
import { decideMissingPin, isRecreatable, missingPinReason, neverCreatedChange } from "./missing-pin.ts";
import { withoutMissingFields } from "./missing-fields.ts";
import { type NamingContext, resolveReferences } from "./references.ts";

/** The state of planning. Resources claim their objects one after the other. */
export interface PlanContext extends Matching, NamingContext {
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
  const { world } = planning;
  const kind = kinds[declared.kind];
  const { resource: taken, warnings } = withoutMissingFields(
    declared,
    world.lists.get(listKey(declared.scope, kind.name)),
  );
  diagnostics.push(...warnings);
  const { resource, references, failure } = resolveReferences(planning, taken);
  if (failure === undefined) {
    const change = planResolved(planning, resource, diagnostics);
    return references.length === 0 ? change : { ...change, references };
  }
  if ("code" in failure)
    diagnostics.push({ severity: "error", ...failure, address: resource.address, ...resource.position });
  return unknownChange(resource, failure.message);
}

/** The same for a resource that has ids in the place of names. */
function planResolved(planning: PlanContext, resource: Resource, diagnostics: Diagnostic[]): Change {
  const { world, self } = planning;
  const kind = kinds[resource.kind];
  const scope = world.scopes.get(resource.scope);
  if (scope?.status === "absent")
    return isWanted(resource.lifecycle) ? createInNewScope(kind, resource, self) : unchangedAbsent(kind, resource);
  if (scope?.status !== "known") return unknownChange(resource, scope?.reason ?? "its scope was not read");
  const indexes = withSiblings(kind.name).flatMap((name) => indexAt(planning, listKey(resource.scope, name)));
  if (indexes.length === 0) return unknownChange(resource, "it was not read");
  const { match, missingPin } = claimObject(planning, resource, indexes);
  const gap = gapAt(world, resource.scope, kind.name);
  // An object is removed only if its list is whole.
  const needsWhole = match.type !== "found" || resource.lifecycle.state === "absent";
  if (gap !== undefined && needsWhole) return unknownChange(resource, gap);
  if (wantsRecreate(planning, resource) && match.type === "found")
    diagnostics.push(nothingToRecreate(resource, match.live, missingPin));
  const rotate = planning.options.rotate.includes(resource.address);
  const matched = { kind, resource, rotate, missingPin, world, diagnostics };
  const holder = match.type === "absent" ? holderOf(planning, resource, indexes) : undefined;
  const change = holder === undefined ? decideMatch(matched, match) : reportProblem(matched, notYetRenamed(holder));
  if (match.type === "found") noteRenamed(planning, change, match.live);
  const removable = gap === undefined ? removablePart(kind, resource, change, match) : undefined;
  return { ...change, removable };
}

/** Finds the object of a resource, and claims it. `missingPin` is set if one is to be created because that of the pin is gone. */
function claimObject(
  planning: PlanContext,
  resource: Resource,
  indexes: readonly Index[],
): { readonly match: Match; readonly missingPin: MissingPin | undefined } {
  const first = matchBeside(planning, resource, indexes);
  const mayRecreate = wantsRecreate(planning, resource) && isRecreatable(kinds[resource.kind], resource);
  const missingPin = mayRecreate && first.type === "pin_missing" ? first : undefined;
  // An earlier run may have created it and then failed to write its id into the pin, so it is looked up by its key.
  const match = missingPin === undefined ? first : matchBeside(planning, { ...resource, pin: undefined }, indexes);
  if (match.type === "found") planning.claims.add(claimKey(match.live));
  return { match, missingPin };
}

function wantsRecreate({ options }: PlanContext, { address }: Resource): boolean {
  return options.recreate?.includes(address) === true;
}

/** The former name of an object is free for another resource if this run renames it. */
function noteRenamed({ options, renamed }: PlanContext, { address, action }: Change, live: LiveObject): void {
  if (isSelected(address, options.only) && ["update", "replace"].includes(action)) renamed.delete(claimKey(live));
}

/** The resource that still has the name of another one, and that this run does not rename. */
function holderOf({ renamed }: PlanContext, resource: Resource, indexes: readonly Index[]): string | undefined {
  const named = declaredKeys(resource).flatMap((key) => indexes.flatMap(({ byKey }) => byKey.get(key) ?? []));
  return named.map((live) => renamed.get(claimKey(live))).find((address) => address !== undefined);
}

function notYetRenamed(holder: string): Problem {
  const message = `${holder} still has this name, and this run does not rename it`;
  const hint = "Select that one with --only as well, and do not ignore its name.";
  return { code: "rename_conflict", message, hint };
}

/**
 * The part of a declaration that has no effect any more, and can be removed from the file. The list of organizations shows what the key
 * sees, so none of them is known to be gone. An object that was found by its former key is one that `renamed_from` is still needed for.
 */
function removablePart(
  kind: Kind,
  { lifecycle, pin, values }: Resource,
  { action }: Change,
  match: Match,
): Change["removable"] {
  if ((action !== "no_op" && action !== "update") || lifecycle.forget === true) return undefined;
  const isHere = match.type === "found" && match.live.state !== "deleted";
  if (lifecycle.state === "absent") return isHere || isScope(kind) ? undefined : pin === undefined ? "state" : "gone";
  if (isHere && match.hasFormerKey !== true && lifecycle.renamed_from !== undefined) return "renamed_from";
  return isHere ? onceField(kind.name, values) : undefined;
}

/**
 * The user who creates an organization becomes a member at once, without an invite. Only `service.self` shows who that user is.
 *
 * @param self the e-mail address of the key's user in lower case, if it is declared
 */
function createInNewScope(kind: Kind, resource: Resource, self: string | undefined): Change {
  const reason = "its organization does not exist yet";
  const change = createChange(kind, resource, reason);
  if (!isPerson(kind.name)) return change;
  const keys = declaredKeys(resource);
  if (self !== undefined) return keys.includes(self) ? { ...change, reason: `${reason}; ${CREATOR}` } : change;
  return { ...change, reason: `${change.reason}; ${CREATOR}` };
}

/** The index of a list, made once. Empty if the list was not requested. */
function indexAt({ world, lookupKeys, indexes }: PlanContext, key: string): readonly Index[] {
  const list = world.lists.get(key);
  if (list === undefined) return [];
  const index = indexes.get(key) ?? indexOf(list, lookupKeys.get(key));
  indexes.set(key, index);
  return [index];
}

function decideMatch(matched: MatchedResource, match: Match): Change {
  const { kind, resource, missingPin } = matched;
  switch (match.type) {
    case "found":
      return decideFound(matched, match.live);
    case "unknown":
      return unknownChange(resource, match.reason);
    case "undecided":
      return reportProblem(matched, match.problem);
    case "pin_missing":
      return !isWanted(resource.lifecycle) ? unchangedAbsent(kind, resource) : decideMissingPin(matched, match);
    case "absent":
      if (!isWanted(resource.lifecycle)) return unchangedAbsent(kind, resource);
      if (missingPin !== undefined)
        return createChange(kind, resource, `${missingPinReason(kind, missingPin)}, so it is created anew`);
      return neverCreated(kind) === undefined
        ? createChange(kind, resource)
        : neverCreatedChange(kind, resource, `${resource.name} is not ${withArticle(kind.name)}`);
  }
}

function decideFound(matched: MatchedResource, live: LiveObject): Change {
  const { kind, resource, rotate, diagnostics } = matched;
  const { values, warnings } = convertedResource(kind, resource, live);
  diagnostics.push(...warnings);
  const change = decide({ ...matched, resource: { ...resource, values } }, live);
  if (change.action === "no_op" && rotate && live.state !== "expired") diagnostics.push(nothingToRotate(resource));
  return change;
}

/** A user who asks for a new object must learn if there will be none. */
function nothingToRecreate(resource: Resource, { id }: LiveObject, missingPin?: MissingPin): Diagnostic {
  const { address, kind, pin } = resource;
  const message =
    missingPin === undefined
      ? `nothing is created anew: the object exists (id ${id})`
      : `nothing is created anew: the object with the id ${id} has its name, and takes its place`;
  const canPin = pin === undefined && kindSchema(kind)["x-pins"].length > 0;
  const hint = canPin ? { hint: "To keep it over a rename:", command: command("pin", { only: address }) } : undefined;
  return warningAt(resource, { code: "nothing_to_recreate", message, hint });
}

/** A user who rotates a secret must learn if it was not sent. */
function nothingToRotate(resource: Resource): Diagnostic {
  const message = "nothing is sent again: the resource declares no write-only field";
  const hint = { hint: "To see which fields are write-only:", command: command("explain", {}, resource.kind) };
  return warningAt(resource, { code: "nothing_to_rotate", message, hint });
}
