import { schemas } from "../../generated/schemas.ts";
import { own, type Value, type ValueObject } from "../../model/json.ts";
import type { Lifecycle, Resource } from "../../model/resource.ts";
import { type ResourceDraft, failAt, rejectSecrets } from "./draft.ts";
import { declaredFields, isPin } from "./fields.ts";
import { readLifecycle } from "./lifecycle.ts";
import { type MapNode, type Member, toObject, positionOf, scalarText } from "../tree/tree.ts";
import { validateFields, checkVariants } from "./validate.ts";
import { missingMessage } from "../messages.ts";
import { checkNodes } from "./nodes.ts";
import { checkPlainText } from "./plain-text.ts";

/** Builds a resource from its draft. It reports all errors; the result is only valid if there are none. */
export function readResource(draft: ResourceDraft): Resource {
  const lifecycle = readLifecycle(draft);
  const all = declaredFields(draft);
  const bare = toObject(all);
  const wrong = validateFields(toMapNode(all, draft), bare, "kind", draft);
  const pins = [...all.values()].filter(({ key }) => isPin(draft, key));
  const pin = readPin(pins, wrong, draft);
  const isPinned = pins.length > 0;
  const fields = isPinned ? new Map([...all].filter(([key]) => !isPin(draft, key))) : all;
  const values = withDefaults(isPinned ? toObject(fields) : bare, lifecycle, draft);
  if (!isPinned) checkNaturalKey(fields, wrong, values, draft);
  if (!isPinned && mustExist(lifecycle)) checkRequired(fields, draft);
  for (const field of draft.kind.keyFields) {
    const member = fields.get(field);
    if (member !== undefined)
      rejectSecrets(member.value, `${field}, which identifies the object`, draft.problems, draft.address);
  }
  checkPlainText(fields, values, draft);
  if (mustExist(lifecycle)) {
    checkVariants(fields, draft, isPinned);
    checkNodes(fields, draft);
  }
  const { address, scope, name } = draft;
  const common = { address, kind: draft.kind.name, scope, name, values, lifecycle, position: positionOf(draft.place) };
  return pin === undefined ? common : { ...common, pin };
}

function toMapNode(members: ReadonlyMap<string, Member>, draft: ResourceDraft): MapNode {
  const { source, mark } = draft.place;
  return { type: "map", source, mark, members };
}

/** Whether the object must exist and match its declaration. */
function mustExist(lifecycle: Lifecycle): boolean {
  return lifecycle.state !== "absent" && lifecycle.forget !== true;
}

/** Reads the pin: the id that identifies the object with certainty. */
function readPin(
  [first, second]: readonly Member[],
  wrong: ReadonlySet<string>,
  draft: ResourceDraft,
): Resource["pin"] {
  if (first === undefined) return undefined;
  if (second !== undefined) {
    const message = `${first.key} and ${second.key} both pin the object`;
    return failAt(draft, second, { code: "duplicate_pin", message, hint: "Keep one of them and remove the other." });
  }
  const { key, value: node } = first;
  if (wrong.has(key) || rejectSecrets(node, key, draft.problems, draft.address)) return undefined;
  const text = scalarText(node);
  if (text === undefined) return undefined;
  if (text.trim() === "")
    return failAt(draft, node, { code: "invalid_format", message: `${key} is empty`, hint: "Remove it." });
  const isUuid = own(schemas[draft.kind.name].properties, key)?.format === "uuid";
  return { field: key, value: isUuid ? text.toLowerCase() : text };
}

/** Reports a resource that has neither a pin nor a natural key to identify its object. */
function checkNaturalKey(
  fields: ReadonlyMap<string, Member>,
  wrong: ReadonlySet<string>,
  values: ValueObject,
  draft: ResourceDraft,
): void {
  const { kind } = draft;
  if (kind.keyFields.length === 0 || kind.declaredKeys(values, draft.name).length > 0) return;
  // Invalid values were reported already. Secrets and unresolved values are rejected elsewhere.
  if (kind.keyFields.some((field) => wrong.has(field) || isObjectValue(values[field]))) return;
  const place = kind.keyFields.map((field) => fields.get(field)).find((member) => member !== undefined) ?? draft.place;
  const pins = schemas[kind.name]["x-pins"].join(" or ");
  failAt(
    draft,
    place,
    missingMessage(kind.keyFields.join(" or "), `Add it to identify the object, or pin the object with ${pins}.`),
  );
}

function isObjectValue(value: Value | undefined): boolean {
  return typeof value === "object" && value !== null;
}

function checkRequired(fields: ReadonlyMap<string, Member>, draft: ResourceDraft): void {
  const { kind } = draft;
  for (const field of schemas[kind.name].required) {
    if (!fields.has(field) && !kind.keyFields.includes(field))
      failAt(draft, draft.place, missingMessage(field, "Add it. A new object requires it."));
  }
}

/**
 * Declares the default of a transition field. It is then always compared, so a later run repairs an interrupted
 * transition.
 */
function withDefaults(values: ValueObject, lifecycle: Lifecycle, draft: ResourceDraft): ValueObject {
  const { field } = draft.kind.target(draft.scopeType, { id: "" }).transition ?? {};
  if (field === undefined || Object.hasOwn(values, field) || !mustExist(lifecycle)) return values;
  const standard = own(schemas[draft.kind.name].properties, field)?.default;
  return standard === undefined ? values : { ...values, [field]: standard };
}
