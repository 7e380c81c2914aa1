import { schemas } from "../../generated/schemas.ts";
import type { Position } from "../../model/diagnostic.ts";
import { leavesOf, own, Secret, type Value, type ValueObject } from "../../model/json/json.ts";
import { isWanted, type Lifecycle, type Resource } from "../../model/resource.ts";
import { missingMessage } from "../validation-messages.ts";
import { rejectSecrets } from "../problems.ts";
import {
  type Member,
  nodeAt,
  toMapNode,
  toObject,
  positionOf,
  scalarText,
  type Node,
  type TreePosition,
} from "../tree/tree.ts";
import type { ResourceDraft } from "./declarations.ts";
import { extraFields } from "./extra-fields.ts";
import { checkFormerName, readLifecycle, setAbove } from "./lifecycle.ts";
import { declaredFields, isPin, checkVariants } from "./validate.ts";
import { checkNodes } from "./node-checks.ts";
import { checkPlainText } from "./plain-text.ts";

/** Builds a resource from its draft. It reports all errors; the result is only valid if there are none. */
export function readResource(draft: ResourceDraft): Resource {
  const { address, scope, name, place, kind } = draft;
  const lifecycle = readLifecycle(draft);
  const declared = declaredFields(draft);
  const pins = [...declared.values()].filter(({ key }) => isPin(draft, key));
  const pin = readPin(pins, draft);
  const isPinned = pins.length > 0;
  const fields = isPinned ? new Map([...declared].filter(([key]) => !isPin(draft, key))) : declared;
  const extra = extraFields(draft);
  const values = { ...withDefaults(toObject(fields), lifecycle, draft), ...toObject(extra) };
  if (!isPinned) checkNaturalKey(fields, { values, lifecycle }, draft);
  if (!isPinned && isWanted(lifecycle)) checkRequired(fields, draft);
  checkFormerName(lifecycle, values, draft);
  rejectSecretsInKeys(fields, draft);
  rejectSecretsInSets(fields, draft);
  const reported = isWanted(lifecycle) ? checkValues(fields, values, draft) : new Set<TreePosition>();
  checkPlainText(new Map([...fields, ...extra]), values, draft, reported);
  if (isWanted(lifecycle)) {
    checkVariants(fields, draft, { isPinned, reported });
    checkNodes(fields, draft);
  }
  const read = { address, kind: kind.name, scope, name, values, lifecycle, position: positionOf(place) };
  const fieldPosition = (field: string): Position | undefined => {
    const member = declared.get(field);
    return member && positionOf(member);
  };
  return { ...read, positionOf: fieldPosition, ...(pin === undefined ? {} : { pin }) };
}

/** Rejects the secrets in the natural key: without their values, the object could not be found. */
function rejectSecretsInKeys(fields: ReadonlyMap<string, Member>, draft: ResourceDraft): void {
  for (const field of draft.kind.identity.keyFields) {
    const member = fields.get(field);
    if (member !== undefined && !isSecretQuery(member.value, field, draft))
      rejectSecrets(member.value, `${field}, which identifies the object`, draft.problems);
  }
}

/** Whether a secret is only in the query of a URL, where that does not count for the identity. */
function isSecretQuery(node: Node, field: string, { kind }: ResourceDraft): boolean {
  const isApart = kind.comparison?.policies?.[`/${field}`]?.includes("without_query_string") === true;
  return isApart && node.type === "scalar" && node.value instanceof Secret && /^[^$]+\?/u.test(node.value.expression);
}

/** Rejects the secrets in sets. Their elements have no places, so an element that is not known cannot be compared. */
function rejectSecretsInSets(fields: ReadonlyMap<string, Member>, { kind, place, problems }: ResourceDraft): void {
  const values = toObject(fields);
  for (const { keys, value } of leavesOf(values)) {
    if (!(value instanceof Secret)) continue;
    const set = setAbove(kind, values, keys);
    const { node } = nodeAt(toMapNode(fields, place), keys);
    if (set !== -1 && node !== undefined) rejectSecrets(node, `${keys[set - 1]}, which is a set`, problems);
  }
}

/** Reads the pin: the id that identifies the object with certainty. */
function readPin([first, second]: readonly Member[], draft: ResourceDraft): Resource["pin"] {
  if (first === undefined) return undefined;
  if (second !== undefined) {
    const message = `${first.key} and ${second.key} both pin the object`;
    const hint = "Keep one of them and remove the other.";
    return draft.problems.error(second, { code: "duplicate_pin", message, hint });
  }
  const { key, value: node } = first;
  if (rejectSecrets(node, key, draft.problems)) return undefined;
  const text = scalarText(node);
  if (text === undefined) return undefined;
  if (text.trim() === "")
    return draft.problems.error(node, { code: "invalid_format", message: `${key} is empty`, hint: "Remove it." });
  const isUuid = own(schemas[draft.kind.name].properties, key)?.format === "uuid";
  return { field: key, value: isUuid ? text.toLowerCase() : text };
}

/** Reports a resource that has neither a pin nor a natural key to identify its object. */
function checkNaturalKey(
  fields: ReadonlyMap<string, Member>,
  { values, lifecycle }: Pick<Resource, "values" | "lifecycle">,
  draft: ResourceDraft,
): void {
  const { kind } = draft;
  if (kind.identity.keyFields.length === 0 || kind.identity.declaredKeys(values, draft.name).length > 0) return;
  // Invalid values were reported already. Secrets and unresolved values are rejected elsewhere.
  if (kind.identity.keyFields.some((field) => isObjectValue(values[field]))) return;
  const declared = kind.identity.keyFields.map((field) => fields.get(field)).find((member) => member !== undefined);
  const pins = schemas[kind.name]["x-pins"].join(" or ");
  const hint = `to identify the object, or pin the object with ${pins}.`;
  const keys = kind.identity.keyFields.join(" or ");
  const add = isWanted(lifecycle) ? `Add it ${hint}` : `Write ${keys} or ${pins} of the object that is to be absent.`;
  const problem =
    declared === undefined
      ? missingMessage(keys, add)
      : { code: "missing_required", message: `${declared.key} is empty`, hint: `Write a text ${hint}` };
  draft.problems.error(declared ?? draft.place, problem);
}

function isObjectValue(value: Value | undefined): boolean {
  return typeof value === "object" && value !== null;
}

function checkRequired(fields: ReadonlyMap<string, Member>, draft: ResourceDraft): void {
  const { kind } = draft;
  for (const field of schemas[kind.name].required) {
    if (!fields.has(field) && !kind.identity.keyFields.includes(field))
      draft.problems.error(draft.place, missingMessage(field, "Add it. A new object requires it."));
  }
}

/**
 * Reports declared values that are wrong on every service, although each of them has the right form. Returns the members that it
 * has reported.
 */
function checkValues(
  fields: ReadonlyMap<string, Member>,
  values: ValueObject,
  draft: ResourceDraft,
): ReadonlySet<TreePosition> {
  const reported = (draft.kind.problems?.(values) ?? []).map(({ keys, ...detail }) => {
    const { place } = nodeAt(toMapNode(fields, draft.place), keys);
    draft.problems.error(place, detail);
    return place;
  });
  return new Set(reported);
}

/**
 * Declares the default of a transition field. It is then always compared, so a later run repairs an interrupted
 * transition.
 */
function withDefaults(values: ValueObject, lifecycle: Lifecycle, draft: ResourceDraft): ValueObject {
  const { field } = draft.kind.writes.target(draft.scopeType, { id: "" }).transition ?? {};
  if (field === undefined || Object.hasOwn(values, field) || !isWanted(lifecycle)) return values;
  const standard = own(schemas[draft.kind.name].properties, field)?.default;
  return standard === undefined ? values : { ...values, [field]: standard };
}
