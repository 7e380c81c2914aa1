import { declarableFields, kindSchema, withWords, childSchema, type FieldSchema } from "../kinds/fields.ts";
import { kinds } from "../kinds/registry.ts";
import { holdsExactNumber, type ValueObject, type Json, type Value } from "../model/json.ts";
import type { LiveObject } from "../model/live.ts";
import { type Candidate, isNew, pinOf, titleOf, withOwnKeys } from "./identity.ts";
import { compareText, slugOf, uniqueNames } from "./names.ts";
import { type ExportSession, warn } from "./session.ts";
import { invalidFields } from "./invalid-fields.ts";
import type { ExportedResources, Scope } from "./types.ts";
import type { ScopeType } from "../kinds/kind.ts";
import type { KindName } from "../model/kind-name.ts";
import { isSecretName } from "../model/sensitive.ts";
import { exportValue, typesOf } from "./free-form.ts";

/** The resources of one scope, kind by kind, by name; objects that were met elsewhere are left to that place. */
export function exportResources(
  objects: readonly LiveObject[],
  scope: Scope,
  session: ExportSession,
): readonly ExportedResources[] {
  const present = objects
    .filter((live) => live.deleted !== true && live.placeholder !== true)
    .toSorted(byTitle)
    .filter((live) => isNew(live, scope, session));
  const candidates = present.map((live) => ({ live, title: titleOf(live), pin: pinOf(live, session) }));
  const kept = withOwnKeys(candidates, scope, session);
  const names = new Map<string, (name: string) => string>();
  return kept.flatMap((candidate) => {
    const { name: kind, collection } = kinds[candidate.live.kind];
    const unique = names.get(collection) ?? uniqueNames("-");
    names.set(collection, unique);
    const title = session.isSecret(candidate.title) ? "" : candidate.title;
    const name = unique(slugOf(title, kind.replaceAll("_", "-")));
    return exportResource(candidate, name, scope, session) ?? [];
  });
}

function byTitle(left: LiveObject, right: LiveObject): number {
  return (
    compareText(titleOf(left), titleOf(right)) || compareText(left.id, right.id) || compareText(left.kind, right.kind)
  );
}

function exportResource(
  { live, pin }: Candidate,
  name: string,
  scope: Scope,
  session: ExportSession,
): ExportedResources | undefined {
  const { kind } = live;
  const { collection, declaredKeys, keyFields } = kinds[kind];
  const address = [scope.address, collection, name].join("/");
  const here = scope.type === "service" ? name : address;
  const fields = soundFields(live, exportFields(live, name, scope.type, session), here, session);
  const isFound = declaredKeys(fields, "").length > 0;
  const missing =
    kindSchema(kind).required.find((field) => fields[field] === undefined) ??
    (isFound ? undefined : keyFields.join(" or "));
  if (pin === undefined && missing !== undefined) {
    warn(session, here, "not_declarable", `${kind} ${live.id} is left out: without ${missing} it cannot be declared`);
    return undefined;
  }
  const written = pin === undefined ? fields : { id: pin, ...fields };
  return { live, kind, name, address: here, fields: withWords(kind, written) };
}

/** The fields without those that would keep the whole file from loading. */
function soundFields(live: LiveObject, fields: ValueObject, address: string, session: ExportSession): ValueObject {
  for (const field of declarableFields(live.kind).filter((one) => holdsExactNumber(live.values[one] ?? null))) {
    const message = `${field} is written without numbers that cannot be said exactly`;
    warn(session, address, "not_declarable", message, "they stay as they are on the service");
  }
  const refused = invalidFields(live.kind, fields);
  for (const [field, problem] of refused) {
    const message = `${field} is left out: the configuration would not take its value (${problem})`;
    warn(session, address, "not_declarable", message, "it stays as it is on the service");
  }
  return Object.fromEntries(Object.entries(fields).filter(([field]) => !refused.has(field)));
}

/** The declarable fields that a live object has, in the schema's order; levels are numbers still. */
function exportFields(live: LiveObject, name: string, scope: ScopeType, session: ExportSession): ValueObject {
  const { kind, values } = live;
  const schema = kindSchema(kind);
  const moved = kinds[kind].target(scope, live).transition?.field;
  const members = declarableFields(kind).flatMap((field): [string, Value][] => {
    const value = values[field];
    const child = childSchema(kind, schema, field, values);
    if (value === undefined || isLeftOut(value, child)) return [];
    // Compared with its default even where it is not declared.
    if (field === moved && value === child?.default) return [];
    const shown = isUrlOf(kind, field) ? withoutTokens(value) : value;
    const written = exportValue(shown, { session, kind, name, key: field, schema: child, hidden: false, stray: false });
    return written === undefined ? [] : [[field, written]];
  });
  return Object.fromEntries(members);
}

/** Null is only worth saying where something else would be there without it; a deprecated field where it holds something. */
function isLeftOut(value: Json, schema: FieldSchema | undefined): boolean {
  if (value === null) return (schema?.default ?? null) === null || !typesOf(schema).includes("null");
  return schema?.deprecated === true && Array.isArray(value) && value.length === 0;
}

function isUrlOf(kind: KindName, field: string): boolean {
  return kinds[kind].policies[`/${field}`]?.includes("without_query_string") === true;
}

/** A URL of which the query does not count is written without it where it holds a token. */
function withoutTokens(value: Json): Json {
  if (typeof value !== "string") return value;
  const [base = "", query = ""] = value.split(/\?(.*)/s);
  const parameters = [...new URLSearchParams(query).keys()];
  return parameters.some(isSecretName) ? base : value;
}
