import { compareNaturally } from "../model/compare-text.ts";
import { declarableFields, kindSchema, withWords, childSchema, typesOf, type FieldSchema } from "../kinds/fields.ts";
import { isWhole, nodesOf } from "../kinds/nodes.ts";
import { collectionOf, kinds, scopeType } from "../kinds/registry.ts";
import { unknownFields } from "../kinds/unknown-fields.ts";
import { readOnlyFields } from "../kinds/varying-fields.ts";
import { equalScalars, policiesAt } from "../diff/equal.ts";
import { canonicalJson } from "../model/json/canonical-json.ts";
import {
  holdsExactNumber,
  isValueObject,
  type Json,
  own,
  Secret,
  someText,
  someValue,
  type Value,
  type ValueObject,
} from "../model/json/json.ts";
import { withoutUrlTokens } from "../model/secret-values.ts";
import { filterKeys } from "../model/json/object.ts";
import { EXTRA_FIELDS } from "../model/extra-fields.ts";
import { isPresent, type LiveObject } from "../model/live.ts";
import { type NameCandidate, isFirstOccurrence, pinOf, titleOf, findableCandidates } from "./identity.ts";
import { slugOf, uniqueNames } from "./names.ts";
import type { ExportSession } from "./session.ts";
import { invalidFields } from "./invalid-fields.ts";
import type { ExportedResource } from "./types.ts";
import type { FieldExport } from "../kinds/kind-parts.ts";
import type { ScopeType } from "../kinds/kind.ts";
import { type KindName } from "../model/kind-name.ts";
import { withoutProjectIds } from "./project-ids.ts";
import { exportValue } from "./export-value.ts";

/** Exports the resources of one scope, sorted by name. Objects that another scope has exported are skipped. */
export function exportResources(
  objects: readonly LiveObject[],
  scope: string,
  session: ExportSession,
): readonly ExportedResource[] {
  const present = objects.filter(isPresent).toSorted(byTitle);
  const exportable = present.filter((live) => isFirstOccurrence(live, scope, session));
  const candidates = exportable.map((live) => ({ live, title: titleOf(live), pin: pinOf(live, session) }));
  const findable = findableCandidates(candidates, present, scope, session);
  const names = new Map<string, (name: string) => string>();
  return findable.flatMap((candidate) => {
    const { kind } = candidate.live;
    const collection = collectionOf(kind);
    const unique = names.get(collection) ?? uniqueNames("-", session.takenNames(`${scope}/${collection}`));
    names.set(collection, unique);
    const title = session.isSecret(candidate.title) ? "" : candidate.title;
    const name = unique(slugOf(title, kind.replaceAll("_", "-")));
    return exportResource(candidate, name, scope, session) ?? [];
  });
}

function byTitle(left: LiveObject, right: LiveObject): number {
  return (
    compareNaturally(titleOf(left), titleOf(right)) ||
    compareNaturally(left.id, right.id) ||
    compareNaturally(left.kind, right.kind)
  );
}

function exportResource(
  { live, pin }: NameCandidate,
  name: string,
  scope: string,
  session: ExportSession,
): ExportedResource | undefined {
  const { kind } = live;
  const { identity } = kinds[kind];
  const address = scope === "" ? name : [scope, collectionOf(kind), name].join("/");
  const fields = validFields(live, exportFields(live, name, scopeType(scope), session), address, session);
  const hasNaturalKey = identity.declaredKeys(fields, "").length > 0;
  const missing =
    kindSchema(kind).required.find((field) => fields[field] === undefined) ??
    (hasNaturalKey ? undefined : identity.keyFields.join(" or "));
  if (pin === undefined && missing !== undefined) {
    session.warn(address, "not_declarable", `${kind} ${live.id} is left out: it cannot be declared without ${missing}`);
    return undefined;
  }
  const partial = [...sharedFields(kind).keys()].filter((field) => Object.hasOwn(fields, field));
  const lifecycle = partial.length === 0 ? {} : { lifecycle: { partial } };
  const written = withWords(kind, { ...(pin === undefined ? {} : { id: pin }), ...fields, ...lifecycle });
  const leftOut = filterKeys(live.values, (field) => sharedFields(kind).has(field));
  return { live, kind, name, address, fields: withoutProjectIds({ kind, address, fields: written }, leftOut, session) };
}

/** What an export would declare of a live object, without its pin. Levels are numbers. */
export function exportedValues(
  live: LiveObject,
  { address, name }: Pick<ExportedResource, "address" | "name">,
  session: ExportSession,
): ValueObject {
  return validFields(live, exportFields(live, name, scopeType(live.scope), session), address, session);
}

/** What an export would declare of a live object, and what a configuration would not accept. */
export function writtenValues(live: LiveObject, session: ExportSession): ValueObject {
  return exportFields(live, live.id, scopeType(live.scope), session);
}

/** The fields without invalid ones, which would make the whole file fail to load, and without those that reveal a secret. */
function validFields(live: LiveObject, fields: ValueObject, address: string, session: ExportSession): ValueObject {
  for (const field of declarableFields(live.kind).filter((one) => holdsExactNumber(live.values[one] ?? null))) {
    const inexact = "that JSON cannot represent exactly";
    const [message, kept] = isWhole(live.kind, field)
      ? [`the value of ${field} is left out: it holds numbers ${inexact}`, "this value unless another one"]
      : [`numbers in ${field} ${inexact} are not exported`, "these numbers unless another value"];
    session.warn(address, "not_declarable", message, `The service keeps ${kept} is declared.`);
  }
  const leftOut = new Map([
    ...[...invalidFields(live.kind, fields)].map(
      ([field, problem]) => [field, `the configuration does not accept it (${problem})`] as const,
    ),
    ...kinds[live.kind].identity.keyFields.flatMap((field) =>
      own(fields, field) instanceof Secret ? [[field, "it holds a token"] as const] : [],
    ),
    ...revealingFields(fields, session).map((field) => [field, "it holds a secret of this run"] as const),
    ...callingFields(fields, session).map((field) => [field, "Pulumi would call a function for it"] as const),
  ]);
  for (const [field, reason] of leftOut) {
    const message = `the value of ${field} is left out: ${reason}`;
    session.warn(address, "not_declarable", message, "The service keeps this value unless another one is declared.");
  }
  return Object.fromEntries(Object.entries(fields).filter(([field]) => !leftOut.has(field)));
}

/**
 * The fields with a text or a key that holds a secret of this run, such as the API key. A placeholder in place of a name would be
 * refused, and one in place of a text would hide its drift.
 */
function revealingFields(fields: ValueObject, { isSecret }: ExportSession): readonly string[] {
  return Object.keys(fields).filter((field) => someText(fields[field] ?? null, isSecret));
}

/** The fields with a key that is an instruction to the reader of the exported form. */
function callingFields(fields: ValueObject, { secretNotation: { commands } }: ExportSession): readonly string[] {
  const isCall = (one: Value): boolean => isValueObject(one) && Object.keys(one).some((key) => commands?.test(key));
  return Object.keys(fields).filter((field) => someValue(fields[field] ?? null, isCall));
}

/** The declarable fields of a live object, in the order of the schema. Levels are still numbers. */
function exportFields(live: LiveObject, name: string, scope: ScopeType, session: ExportSession): ValueObject {
  const { kind, values } = live;
  const schema = kindSchema(kind);
  const transitionField = kinds[kind].writes.target(scope, live).transition?.field;
  const leftOut = new Set([
    ...fieldsWith(kind, "never"),
    ...(session.sharedFields ? [] : sharedFields(kind).keys()),
    ...readOnlyFields(live),
  ]);
  const members = declarableFields(kind).flatMap((field): [string, Value][] => {
    const value = values[field];
    const child = childSchema(kind, schema, field, values);
    if (value === undefined || leftOut.has(field)) return [];
    if (isOmitted(kind, field, value, child)) return [];
    // A key that is left out of it would be a difference, and the next apply would remove the number.
    if (isWhole(kind, field) && holdsExactNumber(value)) return [];
    // The default of the transition field is compared even if the field is not declared.
    if ((field === transitionField || !session.allFields) && isDefault(kind, field, value, child)) return [];
    const withoutSecrets = ignoresQueryString(kind, field) ? withoutTokens(value) : value;
    const nodes = own(nodesOf(kind), field);
    const place = { session, kind, name, key: field, nodes, isBelowSecretKey: false };
    const exported = exportValue(withoutSecrets, { ...place, schema: child, isUnknownKey: false });
    return exported === undefined ? [] : [[field, exported]];
  });
  return { ...Object.fromEntries(members), ...extraFields(live, name, session) };
}

/** The fields that driftline has no name for, if all fields are exported. */
function extraFields({ kind, values }: LiveObject, name: string, session: ExportSession): ValueObject {
  if (!session.allFields) return {};
  const place = { session, kind, name, schema: undefined, nodes: undefined, isBelowSecretKey: false };
  const extra = unknownFields(kind, values).flatMap((field): [string, Value][] => {
    const value = values[field] ?? null;
    const exported = value === null ? undefined : exportValue(value, { ...place, key: field, isUnknownKey: true });
    return exported === undefined ? [] : [[field, exported]];
  });
  return extra.length === 0 ? {} : { [EXTRA_FIELDS]: Object.fromEntries(extra.toSorted(byName)) };
}

function byName([left]: readonly [string, Value], [right]: readonly [string, Value]): number {
  return compareNaturally(left, right);
}

function ruleOf(kind: KindName, field: string): FieldExport | undefined {
  return own(kinds[kind].exportRules?.fields ?? {}, field);
}

function fieldsWith(kind: KindName, rule: FieldExport): readonly string[] {
  return Object.entries(kinds[kind].exportRules?.fields ?? {}).flatMap(([field, found]) =>
    found === rule ? [field] : [],
  );
}

/** The lists of a kind to which others add elements elsewhere, with the reasons why they are left out. */
function sharedFields(kind: KindName): ReadonlyMap<string, string> {
  const fields = Object.entries(kinds[kind].exportRules?.fields ?? {});
  return new Map(fields.flatMap(([field, rule]) => (typeof rule === "string" ? [] : [[field, rule.shared] as const])));
}

/** Notes about the fields that only the full view of the service shows, which an export does not read, and about those of others. */
export function fieldsNotShown(kind: KindName, resources: readonly ExportedResource[]): readonly string[] {
  const mine = resources.filter((resource) => resource.kind === kind);
  const lacking = (kinds[kind].lists.fullListFields ?? []).filter((field) =>
    mine.some(({ live }) => !Object.hasOwn(live.values, field)),
  );
  const hidden = `${lacking.join(", ")}, which the list of ${collectionOf(kind)} does not show`;
  const others = [...sharedFields(kind)].flatMap(([field, why]) => {
    const isLeftOut = ({ live: { values }, fields }: ExportedResource): boolean =>
      !Object.hasOwn(fields, field) && !["[]", undefined].includes(JSON.stringify(values[field]));
    return mine.some(isLeftOut) ? [`${field}, ${why}`] : [];
  });
  return [...(lacking.length === 0 ? [] : [hidden]), ...others].map((text) => `not exported: ${text}`);
}

/** Null is omitted if it is the default or not allowed. A deprecated list is omitted if it is empty. */
function isOmitted(kind: KindName, field: string, value: Json, schema: FieldSchema | undefined): boolean {
  if (ruleOf(kind, field) === "always") return false;
  if (value === null) {
    return (schema?.default ?? null) === null || !typesOf(schema).includes("null");
  }
  return schema?.deprecated === true && Array.isArray(value) && value.length === 0;
}

/** Whether a create without the field gives a value that a plan takes for this one. */
function isDefault(kind: KindName, field: string, value: Json, schema: FieldSchema | undefined): boolean {
  const rule = ruleOf(kind, field);
  const standard = schema?.default === undefined && rule === "empty_at_first" ? {} : schema?.default;
  if (standard === undefined || rule === "always") return false;
  // A value of several parts is the default only as a whole: a plan would compare no more than the declared keys of it.
  if (typeof value === "object" && value !== null) return canonicalJson(value) === canonicalJson(standard);
  return equalScalars(standard, value, { schema, policies: policiesAt(kinds[kind], [field]), isTrimmed: true });
}

function ignoresQueryString(kind: KindName, field: string): boolean {
  return kinds[kind].comparison?.policies?.[`/${field}`]?.includes("without_query_string") === true;
}

/** The URL without its query string if that contains a token. Only for fields whose query string is not compared. */
function withoutTokens(value: Json): Json {
  if (typeof value !== "string" || withoutUrlTokens(value, "") === value) return value;
  return value.split("?")[0] ?? value;
}
