import { schemas } from "../../generated/schemas.ts";
import { validators } from "../../generated/validators.ts";
import { declarableFields, schemaAt } from "../../kinds/fields.ts";
import type { Kind } from "../../kinds/kind.ts";
import { isKeyedByEmail, collectionOf, allKinds } from "../../kinds/registry.ts";
import { nodesOf } from "../../kinds/nodes.ts";
import { EXTRA_FIELDS } from "../../model/extra-fields.ts";
import { leavesOf, own, Secret, type Value, type ValueObject } from "../../model/json.ts";
import { pointer, pointerKeys } from "../../model/pointer.ts";
import { isWanted, type Lifecycle, type Resource } from "../../model/resource.ts";
import { nearestHint } from "../unknown-keys.ts";
import { missingMessage } from "../validation-messages.ts";
import { rejectSecrets } from "../problems.ts";
import {
  type Member,
  nodeAt,
  toMapNode,
  toObject,
  positionOf,
  scalarText,
  textOf,
  isBroken,
  type Node,
  type TreePosition,
  mapMembers,
} from "../tree/tree.ts";
import type { ResourceDraft } from "./declarations.ts";
import { extraFields } from "./extra-fields.ts";
import { declaredFields, isPin, checkVariants } from "./validate.ts";
import { checkNodes } from "./node-checks.ts";
import { checkPlainText } from "./plain-text.ts";

/** Builds a resource from its draft. It reports all errors; the result is only valid if there are none. */
export function readResource(draft: ResourceDraft): Resource {
  const lifecycle = readLifecycle(draft);
  const all = declaredFields(draft);
  const bare = toObject(all);
  const pins = [...all.values()].filter(({ key }) => isPin(draft, key));
  const pin = readPin(pins, draft);
  const isPinned = pins.length > 0;
  const fields = isPinned ? new Map([...all].filter(([key]) => !isPin(draft, key))) : all;
  const extra = extraFields(draft);
  const values = { ...withDefaults(isPinned ? toObject(fields) : bare, lifecycle, draft), ...toObject(extra) };
  if (!isPinned) checkNaturalKey(fields, { values, lifecycle }, draft);
  if (!isPinned && isWanted(lifecycle)) checkRequired(fields, draft);
  checkFormerName(lifecycle, values, draft);
  for (const field of draft.kind.identity.keyFields) {
    const member = fields.get(field);
    if (member !== undefined && !isSecretQuery(member.value, field, draft))
      rejectSecrets(member.value, `${field}, which identifies the object`, draft.problems);
  }
  rejectSecretsInSets(fields, draft);
  const reported = isWanted(lifecycle) ? checkValues(fields, values, draft) : new Set<TreePosition>();
  checkPlainText(new Map([...fields, ...extra]), values, draft, reported);
  if (isWanted(lifecycle)) {
    checkVariants(fields, draft, { isPinned, reported });
    checkNodes(fields, draft);
  }
  const { address, scope, name } = draft;
  const common = {
    address,
    kind: draft.kind.name,
    scope,
    name,
    values,
    lifecycle,
    position: positionOf(draft.place),
    positionOf: (field: string) => {
      const member = all.get(field);
      return member && positionOf(member);
    },
  };
  return pin === undefined ? common : { ...common, pin };
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

/** How many keys lead to the list without order that an element is in, or is inside of; -1 if it is in none. */
function setAbove({ name }: Kind, values: ValueObject, keys: readonly string[]): number {
  return keys.findIndex((_, at) => schemaAt(name, values, keys.slice(0, at))?.["x-unordered"] === true);
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

/** Reads the `lifecycle` of a resource, which only driftline uses. It omits what is wrong. */
function readLifecycle(draft: ResourceDraft): Lifecycle {
  const member = draft.members.get("lifecycle");
  const members = member === undefined ? undefined : mapMembers(member.value);
  if (member === undefined || members === undefined || rejectSecrets(member.value, "lifecycle", draft.problems))
    return {};
  checkIgnoredFields(members.get("ignore"), draft);
  checkPartialFields(members.get("partial"), draft);
  const lifecycle = toObject(new Map([...members].filter(([, { value }]) => !isBroken(value))));
  if (!isLifecycle(lifecycle)) return {};
  checkContradictions(lifecycle, members, draft);
  return lifecycle;
}

function isLifecycle(value: ValueObject): value is ValueObject & Lifecycle {
  return validators.lifecycle(value);
}

/** Reports settings that are valid alone but contradict each other or the kind. */
function checkContradictions(lifecycle: Lifecycle, members: ReadonlyMap<string, Member>, draft: ResourceDraft): void {
  for (const key of ["create", "renew", "forget", "renamed_from"] as const) {
    const member = members.get(key);
    if (lifecycle.state !== "absent" || member === undefined || !lifecycle[key]) continue;
    const message = `${key} contradicts state: absent`;
    draft.problems.error(member, { code: "contradictory_lifecycle", message, hint: "Remove one of them." });
  }
  checkProtectedRemoval(lifecycle, members.get("protect"), draft);
  const renew = members.get("renew");
  if (renew !== undefined && draft.kind.writes.expires !== true) {
    const message = `renew has no effect on ${collectionOf(draft.kind.name)}`;
    const hint = `Remove it. Only ${renewable()} can be renewed.`;
    draft.problems.error(renew, { code: "unknown_key", message, hint });
  }
}

/** A plan refuses the removal, and says so itself. Nothing is lost, so it is no error. */
function checkProtectedRemoval({ state, protect }: Lifecycle, place: Member | undefined, draft: ResourceDraft): void {
  if (state !== "absent" || protect !== true || place === undefined) return;
  const message = "protect contradicts state: absent, so every plan refuses the removal";
  const hint = "Remove protect if the object is to go, or else state: absent.";
  const shown = { plan: "never", validate: true } as const;
  draft.problems.fieldWarning(place, { code: "protected_absent", message, hint }, { field: "lifecycle", shown });
}

/** Warns about a former name that is the name. */
function checkFormerName({ renamed_from: former }: Lifecycle, values: ValueObject, draft: ResourceDraft): void {
  const { kind, name, problems } = draft;
  const names = [
    isKeyedByEmail(kind.name) ? name : undefined,
    ...kind.identity.keyFields.map((key) => own(values, key)),
  ];
  if (former === undefined || !names.includes(former)) return;
  const message = "renamed_from has no effect: it is the name that the object has here";
  const hint = "Write the name that the object had before, or remove renamed_from.";
  problems.warning(draft.members.get("lifecycle") ?? draft.place, { code: "same_name", message, hint });
}

/** The collections of the kinds whose objects expire. */
function renewable(): string {
  return allKinds
    .filter(({ writes }) => writes.expires === true)
    .map(({ name }) => collectionOf(name))
    .toSorted()
    .join(" and ");
}

function checkIgnoredFields(ignore: Member | undefined, draft: ResourceDraft): void {
  const extra = draft.members.get(EXTRA_FIELDS);
  const names = extra === undefined ? [] : [...(mapMembers(extra.value)?.keys() ?? [])];
  const known = [...declarableFields(draft.kind.name), ...names];
  for (const { item, text } of texts(ignore)) {
    const keys = text.startsWith("/") ? pointerKeys(text) : [text];
    const [field = ""] = keys;
    if (known.includes(field)) {
      const values = toObject(draft.members);
      // A star stands for what is declared there.
      const leaves = keys.includes("*") ? leavesOf(values) : [];
      const meant = leaves.map((leaf) => keys.map((key, at) => (key === "*" ? (leaf.keys[at] ?? key) : key)));
      const set = [keys, ...meant].map((path) => setAbove(draft.kind, values, path)).find((found) => found !== -1);
      if (set === undefined) continue;
      const list = set === 1 ? field : pointer(...keys.slice(0, set));
      const message = `ignore names elements of ${list}, which has no order`;
      const hint =
        set === 1
          ? `To leave all elements but the declared ones to others, write partial: [${field}].`
          : `To leave the whole list to others, write ignore: [${list}].`;
      draft.problems.error(item, { code: "contradictory_lifecycle", message, hint });
      continue;
    }
    const message = `ignore names the unknown field ${field}`;
    const hint =
      field === EXTRA_FIELDS
        ? `Name a field in ${EXTRA_FIELDS} without what is around it.`
        : (pathHint(field, known) ??
          nearestHint(field, known) ??
          "To leave the whole object alone: lifecycle: { forget: true }.");
    draft.problems.error(item, { code: "unknown_field", message, hint });
  }
}

/** The hint for a path with dots. */
function pathHint(field: string, known: readonly string[]): string | undefined {
  const keys = field.split(".");
  return keys.length > 1 && known.includes(keys[0] ?? "") ? `Write ${pointer(...keys)}.` : undefined;
}

function checkPartialFields(partial: Member | undefined, draft: ResourceDraft): void {
  const { kind } = draft;
  const sets = declarableFields(kind.name).filter((field) => isSet(kind, field));
  const whole = [...Object.keys(nodesOf(kind.name)), ...sets];
  for (const { item, text } of texts(partial)) {
    if (whole.includes(text)) continue;
    const message = `partial has no effect on ${text}`;
    const hint =
      whole.length === 0
        ? `Remove it: no field of ${collectionOf(kind.name)} can be compared in part.`
        : `Only ${whole.join(", ")} can be compared in part.`;
    draft.problems.error(item, { code: "unknown_field", message, hint });
  }
}

/** Whether a field is a list without order. */
function isSet({ name }: Kind, field: string): boolean {
  return own(schemas[name].properties, field)?.["x-unordered"] === true;
}

/** The texts in a list, with their nodes. What is not a text was reported already. */
function texts(list: Member | undefined): readonly { readonly item: Node; readonly text: string }[] {
  if (list?.value.type !== "list") return [];
  return list.value.items.flatMap((item) => {
    const text = textOf(item);
    return text ? [{ item, text }] : [];
  });
}
