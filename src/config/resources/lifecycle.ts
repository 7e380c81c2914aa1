/** The `lifecycle` of a resource, which only driftline uses. */
import { schemas } from "../../generated/schemas.ts";
import { validators } from "../../generated/validators.ts";
import { declarableFields, schemaAt } from "../../kinds/fields.ts";
import type { Kind } from "../../kinds/kind.ts";
import { nodesOf } from "../../kinds/nodes.ts";
import { allKinds, collectionOf, isKeyedByEmail } from "../../kinds/registry.ts";
import { EXTRA_FIELDS } from "../../model/extra-fields.ts";
import { leavesOf, own, type ValueObject } from "../../model/json/json.ts";
import { pointer, pointerKeys } from "../../model/pointer.ts";
import type { Lifecycle } from "../../model/resource.ts";
import { type ProblemDetail, rejectSecrets } from "../problems.ts";
import { isBroken, mapMembers, type Member, type Node, textOf, toObject } from "../tree/tree.ts";
import { nearestHint } from "../unknown-keys.ts";
import type { ResourceDraft } from "./declarations.ts";

/** Reads it, and omits what is wrong. */
export function readLifecycle(draft: ResourceDraft): Lifecycle {
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
export function checkFormerName({ renamed_from: former }: Lifecycle, values: ValueObject, draft: ResourceDraft): void {
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
    const problem = known.includes(field) ? ignoredElement(keys, draft) : ignoredUnknown(field, known);
    if (problem !== undefined) draft.problems.error(item, problem);
  }
}

/** What is wrong if a path leads to an element of a list without order, whose elements have no places. */
function ignoredElement(keys: readonly string[], { kind, members }: ResourceDraft): ProblemDetail | undefined {
  const values = toObject(members);
  // A star stands for what is declared there.
  const leaves = keys.includes("*") ? leavesOf(values) : [];
  const meant = leaves.map((leaf) => keys.map((key, at) => (key === "*" ? (leaf.keys[at] ?? key) : key)));
  const depth = [keys, ...meant].map((path) => setAbove(kind, values, path)).find((above) => above !== -1);
  if (depth === undefined) return undefined;
  const list = depth === 1 ? (keys[0] ?? "") : pointer(...keys.slice(0, depth));
  const message = `ignore names elements of ${list}, which has no order`;
  const hint =
    depth === 1
      ? `To leave all elements but the declared ones to others, write partial: [${list}].`
      : `To leave the whole list to others, write ignore: [${list}].`;
  return { code: "contradictory_lifecycle", message, hint };
}

function ignoredUnknown(field: string, known: readonly string[]): ProblemDetail {
  const hint =
    field === EXTRA_FIELDS
      ? `Name a field in ${EXTRA_FIELDS} without what is around it.`
      : (pathHint(field, known) ??
        nearestHint(field, known) ??
        "To leave the whole object alone: lifecycle: { forget: true }.");
  return { code: "unknown_field", message: `ignore names the unknown field ${field}`, hint };
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

/** How many keys lead to the list without order that an element is in, or is inside of; -1 if it is in none. */
export function setAbove({ name }: Kind, values: ValueObject, keys: readonly string[]): number {
  return keys.findIndex((_, at) => schemaAt(name, values, keys.slice(0, at))?.["x-unordered"] === true);
}
