/**
 * Checks that no schema can express: between resources (duplicates, resources of an absent organization), of the nodes in
 * free-form fields, and of secrets in plain text.
 */
import { compareText } from "../../model/compare-text.ts";
import type { NodeTable } from "../../kinds/comparison.ts";
import type { DuplicateKey } from "../../kinds/kind-parts.ts";
import { childSchema, isSecretField, kindSchema, type FieldSchema } from "../../kinds/fields.ts";
import { isValueObject, own, type Value, type ValueObject } from "../../model/json.ts";
import { isMasked, isSecretName } from "../../model/secret-values.ts";
import type { ProjectScope } from "../../model/resource.ts";
import { suggest } from "../../model/suggest.ts";
import { variableName } from "../../model/variable-name.ts";
import { didYouMean } from "../../model/suggest.ts";
import { MAY_BE_REFUSED, type ProblemDetail, type Problems } from "../problems.ts";
import {
  describeNode,
  describePlace,
  nodeAt,
  scalarText,
  textOf,
  toMapNode,
  type TreePosition,
  type MapNode,
  type Member,
  type Node,
} from "../tree/tree.ts";
import type { BuiltGraph, BuiltResource } from "./graph.ts";
import type { Declarations, ResourceDraft } from "./declarations.ts";
import { placeOf } from "./scopes.ts";

/** Checks that involve several resources: duplicates, and resources in an organization that is declared absent. */
export function crossCheck(declarations: Declarations, { declared, graph }: BuiltGraph, problems: Problems): void {
  const same = new Set<string>();
  checkNaturalKeys(declared, same);
  checkPins(declared, same);
  checkProjects(declarations, graph.projects, problems);
  checkAbsentOrganizations(declared);
}

/**
 * Reports two resources with the same natural key. Pinned resources are exempt, except for people, who are identified
 * by e-mail alone.
 */
function checkNaturalKeys(declared: readonly BuiltResource[], same: Set<string>): void {
  const seen = new Map<string, BuiltResource>();
  for (const current of declared) {
    const { resource, draft } = current;
    const [key] = draft.kind.identity.declaredKeys(resource.values, resource.name);
    if (key === undefined) continue;
    const id = `${resource.scope}\n${draft.kind.identity.idSpace}\n${key}`;
    const first = seen.get(id);
    const { duplicateKey } = draft.kind.identity;
    const isPinned = duplicateKey === undefined && first?.resource.pin !== undefined;
    if (first === undefined || isPinned) seen.set(id, current);
    if (first === undefined || (isPinned && resource.pin !== undefined)) continue;
    if (resource.scope === "") same.add(organizationPair(first, current));
    const other = `${first.resource.address} at ${describePlace(first.draft.place)}`;
    const { code, message, hint } = duplicateKey ?? SAME_KEY;
    const shown = duplicateKey === undefined ? (otherNameHint(first, current) ?? hint) : hint;
    draft.problems.error(draft.place, { code, message: message(key, other), hint: shown });
  }
}

/** The hint if one of two resources has an id: the other one may be new, and has none. */
function otherNameHint(...pair: readonly [BuiltResource, BuiltResource]): string | undefined {
  const [free, ...others] = pair.filter(({ resource }) => resource.pin === undefined);
  if (free === undefined || others.length > 0) return undefined;
  return `If ${free.resource.address} is new, give it another name. If its object exists, pin it with an id as well.`;
}

const SAME_KEY: DuplicateKey = {
  code: "duplicate_natural_key",
  message: (key, other) => `the key ${key} also identifies ${other}`,
  hint: "Give one of them another name. If both objects exist, pin both with an id.",
};

/** @param same pairs of organizations that were reported as the same one, so all that they hold is the same as well */
function checkPins(declared: readonly BuiltResource[], same: Set<string>): void {
  const seen = new Map<string, BuiltResource>();
  for (const current of declared) {
    const { resource, draft } = current;
    if (resource.pin === undefined) continue;
    const { field, value } = resource.pin;
    const id = `${draft.kind.identity.idSpace}\n${field}\n${value}`;
    const first = seen.get(id);
    if (first === undefined) {
      seen.set(id, current);
      continue;
    }
    const pair = organizationPair(first, current);
    if (same.has(pair)) continue;
    if (resource.scope === "") same.add(pair);
    const message = `${field} ${value} is also pinned by ${first.resource.address} at ${describePlace(first.draft.place)}`;
    draft.problems.error(draft.members.get(field) ?? draft.place, {
      code: "duplicate_pin",
      message,
      hint: "Remove one of them.",
    });
  }
}

/** The organizations of two resources. */
function organizationPair(...pair: readonly [BuiltResource, BuiltResource]): string {
  const names = pair.map(({ resource }) => resource.address.split("/", 1)[0] ?? "");
  return names.toSorted(compareText).join("\n");
}

function checkProjects(declarations: Declarations, projects: readonly ProjectScope[], problems: Problems): void {
  const seen = new Map<string, TreePosition>();
  for (const { address, organization, id, name } of projects) {
    const scope = declarations.organizations.get(organization)?.projects.get(address);
    if (scope === undefined) continue;
    const what = id === undefined ? `name ${name}` : `id ${id}`;
    const key = [organization, what].join("\n");
    const first = seen.get(key);
    if (first === undefined) {
      seen.set(key, placeOf(scope));
      continue;
    }
    const message = `the project with ${what} is also declared at ${describePlace(first)}`;
    const hint = "Declare both under one key.";
    problems.of(address).error(placeOf(scope), { code: "duplicate_natural_key", message, hint });
  }
}

/** Reports resources that are declared in an organization with `state: absent`. */
function checkAbsentOrganizations(declared: readonly BuiltResource[]): void {
  const children = new Map<string, BuiltResource>();
  for (const current of declared) {
    const organization = current.resource.scope.split("/")[0] ?? "";
    if (organization !== "" && !children.has(organization)) children.set(organization, current);
  }
  for (const { resource, draft } of declared) {
    const child = children.get(resource.address);
    if (resource.scope !== "" || resource.lifecycle.state !== "absent" || child === undefined) continue;
    const message = `organization ${resource.address} is absent, but ${child.resource.address} is declared in it`;
    const hint = "Remove the resources under it, or remove state: absent.";
    draft.problems.error(draft.members.get("lifecycle") ?? draft.place, { code: "absent_parent", message, hint });
  }
}

/**
 * Reports declared values that are wrong on every service, although each of them has the right form. Returns the members that it
 * has reported.
 */
export function checkValues(
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

/** A free-form field that is being checked. */
interface NodeField {
  readonly field: string;
  readonly table: NodeTable;
  readonly draft: ResourceDraft;
}

/**
 * Checks the nodes in free-form fields: their kinds, and the keys and some values of those that are known completely. It only warns, because a
 * service may know more nodes and keys.
 */
export function checkNodes(fields: ReadonlyMap<string, Member>, draft: ResourceDraft): void {
  for (const [field, table] of Object.entries(draft.kind.comparison?.nodes ?? {})) {
    const value = fields.get(field)?.value;
    if (value !== undefined) checkNode(value, { field, table, draft });
  }
}

function checkNode(node: Node, checked: NodeField): void {
  if (node.type === "list") for (const item of node.items) checkNode(item, checked);
  if (node.type !== "map") return;
  const { table } = checked;
  const declared = node.members.get("kind")?.value;
  const kind = textOf(declared);
  if (kind !== undefined && declared !== undefined && !table.kinds.includes(kind)) {
    const hint = didYouMean(suggest(kind, table.kinds));
    const message = `${JSON.stringify(kind)} is not a known kind of node`;
    warnInField(checked, declared, { what: "node", message, hint });
  }
  const keys = kind === undefined ? undefined : own(table.keys, kind);
  for (const member of node.members.values()) {
    if (keys !== undefined && !keys.includes(member.key)) warnAboutKey(checked, member, keys, kind ?? "");
    else if (keys !== undefined) checkValue(member, checked);
    if (table.inner.includes(member.key)) checkNode(member.value, checked);
    else if (keys !== undefined && member.value.type === "map") checkSettings(member.key, member.value, checked);
  }
}

/** Checks the value of a key that is known: its type, and the word that it is. */
function checkValue({ key, value }: Member, checked: NodeField): void {
  if (value.type === "broken" || (value.type === "scalar" && (value.value === null || typeof value.value === "object")))
    return;
  const wanted = own(checked.table.types, key);
  if (wanted !== undefined && value.type !== wanted) {
    const [what, example] = TYPES[wanted];
    const message = `${key} is ${what}, not ${describeNode(value)}`;
    warnInField(checked, value, { what: "value", message, hint: `Write ${key}: ${example}.` });
  }
  const known = own(checked.table.values, key);
  const text = scalarText(value);
  if (known === undefined || text === undefined || known.includes(text)) return;
  const message = `${JSON.stringify(text)} is not a known ${key}`;
  const hint = didYouMean(suggest(text, known)) ?? `The known ones are ${known.join(", ")}.`;
  warnInField(checked, value, { what: "value", message, hint });
}

const TYPES = { list: ["a list", "[{ ... }]"], map: ["a mapping", "{ ... }"] } as const;

/** Newer services have more settings. So one is reported only if it looks like a misspelt one. */
function checkSettings(key: string, { members }: MapNode, checked: NodeField): void {
  const known = own(checked.table.settings, key) ?? [];
  for (const member of members.values())
    if (!known.includes(member.key) && suggest(member.key, known) !== undefined)
      warnAboutKey(checked, member, known, key);
}

function warnAboutKey(checked: NodeField, member: Member, known: readonly string[], where: string): void {
  const message = `${JSON.stringify(member.key)} is not a known key of ${where}`;
  warnInField(checked, member, { what: "key", message, hint: didYouMean(suggest(member.key, known)) });
}

function warnInField(
  { draft, field }: NodeField,
  place: TreePosition,
  { what, ...detail }: Pick<ProblemDetail, "message" | "hint"> & { readonly what: "node" | "key" | "value" },
): void {
  draft.problems.fieldWarning(place, { code: `unknown_${field}_${what}`, ...detail }, { field, shown: MAY_BE_REFUSED });
}

/**
 * Warns about secrets that stand in the configuration as plain text, apart from the reported ones, in fields that are secret by schema or by name. `values` are
 * the values of the fields: the type of a destination decides which of its settings are secrets.
 */
export function checkPlainText(
  fields: ReadonlyMap<string, Member>,
  values: ValueObject,
  draft: ResourceDraft,
  reported: ReadonlySet<TreePosition>,
): void {
  checkMembers(fields, values, kindSchema(draft.kind.name), { draft, reported });
}

interface PlainTextCheck {
  readonly draft: ResourceDraft;
  readonly reported: ReadonlySet<TreePosition>;
}

function checkMembers(
  members: ReadonlyMap<string, Member>,
  object: ValueObject,
  schema: FieldSchema | undefined,
  check: PlainTextCheck,
): void {
  const { draft, reported } = check;
  for (const member of members.values()) {
    const { key, value } = member;
    // What has to be removed needs no other value.
    if (reported.has(member)) continue;
    const child = childSchema(draft.kind.name, schema, key, object);
    if (value.type !== "scalar") checkInside(value, object[key], child, check);
    else if (isPlainText(value.value) && (isSecretField(child) || isSecretName(key))) warnAboutSecret(member, draft);
  }
}

function checkInside(
  node: Node,
  value: Value | undefined,
  schema: FieldSchema | undefined,
  check: PlainTextCheck,
): void {
  // Values are missing only below an error that was reported.
  if (node.type === "map" && isValueObject(value)) checkMembers(node.members, value, schema, check);
  if (node.type === "list" && Array.isArray(value))
    for (const [index, item] of node.items.entries())
      checkInside(item, (value as readonly Value[])[index], schema?.items, check);
}

/** A mask is no secret: it was copied from what a service shows. */
function isPlainText(value: unknown): boolean {
  return typeof value === "string" && value !== "" && !isMasked(value);
}

function warnAboutSecret(member: Member, { name, problems }: ResourceDraft): void {
  const variable = variableName(name, member.key);
  problems.warning(member, {
    code: "plain_text_secret",
    message: `${member.key} is a secret, and its value is plain text`,
    hint: `Write \${secret:${variable}} as its value, and set the environment variable ${variable}.`,
  });
}
