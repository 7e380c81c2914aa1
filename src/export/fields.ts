import { childSchema, declarableFields, kindSchema, type FieldSchema } from "../kinds/fields.ts";
import { kinds } from "../kinds/registry.ts";
import type { ScopeType } from "../kinds/kind.ts";
import type { Json, Value, ValueObject } from "../model/json.ts";
import type { KindName } from "../model/kind-name.ts";
import type { LiveObject } from "../model/live.ts";
import { isSecretName } from "../model/sensitive.ts";
import { exportValue, typesOf } from "./free-form.ts";
import type { ExportSession } from "./session.ts";

/** The declarable fields that a live object has, in the schema's order; levels are numbers still. */
export function exportFields(live: LiveObject, name: string, scope: ScopeType, session: ExportSession): ValueObject {
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
