import type { OperationName } from "./all-operations.ts";
import { collections, keyedBy, kindScopes, type KindName } from "../generated/kind-names.ts";
import { isJsonObject, own, type Json, type JsonObject } from "../model/json.ts";
import type { LiveObject, Modified } from "../model/live.ts";
import { declarableFields, kindSchema } from "./fields.ts";
import { unknownFields } from "./unknown-fields.ts";
import type { Assembly, Identity, Kind, Target, Writes } from "./kind.ts";

/** Where a kind is declared, according to its schema. */
export function declaredUnder(name: KindName): Pick<Kind, "name" | "collection" | "scopes" | "keyedBy"> {
  const key = keyedBy[name];
  const place = { name, collection: collections[name], scopes: kindScopes[name] };
  return key === undefined ? place : { ...place, keyedBy: key };
}

/** Returns the text of a string or a number, else undefined. Ids may be either. */
export function text(value: Json | undefined): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

/** Returns the trimmed text of a natural key as a list with at most one element. */
export function keyOf(value: unknown): readonly string[] {
  const key = typeof value === "string" ? value.trim() : "";
  return key === "" ? [] : [key];
}

/** Returns the natural key of an e-mail address or a domain, whose case does not matter. */
export function caselessKey(value: unknown): readonly string[] {
  return keyOf(value).map((key) => key.toLowerCase());
}

/**
 * Returns a row of the service with its declarable fields, those that driftline has no name for, and those in `more`. Numbers
 * that are written as text are numbers again.
 */
export function declarableValues(kind: KindName, row: JsonObject, more: readonly string[] = []): JsonObject {
  return pick(kind, row, [...declarableFields(kind), ...unknownFields(kind, row), ...more]);
}

function pick(kind: KindName, row: JsonObject, fields: readonly string[]): JsonObject {
  const picked: Record<string, Json> = {};
  for (const field of fields) {
    const value = own(row, field);
    if (value !== undefined) picked[field] = typeof value === "string" ? toDeclaredType(kind, field, value) : value;
  }
  return picked;
}

/** A service may write a number as text. It is read as a number, so that guards compare levels correctly. */
function toDeclaredType(kind: KindName, field: string, value: string): Json {
  // This check comes first because it is fast and rarely succeeds.
  if (!/^\d{1,15}$/.test(value)) return value;
  const types = new Set([kindSchema(kind).properties[field]?.type ?? []].flat());
  return types.has("integer") && !types.has("string") ? Number(value) : value;
}

/** Makes an object of each row. Rows without an id are skipped, because no operation can address them. */
export function objectsOf(
  kind: KindName,
  assembly: Assembly,
  operation: string,
  toObject: (row: JsonObject, id: string) => Partial<LiveObject>,
): LiveObject[] {
  const fields = declarableFields(kind);
  return (assembly.rows[operation] ?? []).flatMap((row) => {
    const id = text(row["id"]);
    if (id === undefined) return [];
    return [
      {
        kind,
        scope: assembly.scope,
        id,
        pins: { id },
        keys: [],
        values: pick(kind, row, [...fields, ...unknownFields(kind, row)]),
        onDifference: "update" as const,
        modified: modifiedOf(row),
        ...toObject(row, id),
      },
    ];
  });
}

/** Returns the latest of a row's modification times. Some of them change with a few fields only. */
export function modifiedOf(row: JsonObject): Modified | undefined {
  const times = ["updated_at", "last_updated_at", "last_modified_at"].flatMap((field) => text(row[field]) ?? []);
  const at = times.toSorted((a, b) => Date.parse(b) - Date.parse(a))[0] ?? null;
  const user = row["last_modified_by"];
  const by = isJsonObject(user) ? (text(user["email"]) ?? text(user["first_name"]) ?? null) : null;
  return at === null && by === null ? undefined : { at, by };
}

/** The prefixes that have an operation of this name. */
type PrefixOf<Name extends string> = OperationName extends infer O
  ? O extends `${infer Prefix}.${Name}`
    ? Prefix
    : never
  : never;

type StandardPrefix = PrefixOf<"get"> & PrefixOf<"update"> & PrefixOf<"delete">;

/** Returns the calls of a kind that has create, get, update and delete under one prefix, such as `domains`. */
export function standardWrites(prefix: PrefixOf<"create"> & StandardPrefix): Pick<Writes, "create" | "target"> {
  return {
    create: (_scope, body) => ({ operation: `${prefix}.create`, body }),
    target: (_scope, { id }) => standardTarget(prefix, id),
  };
}

/** Returns the calls on one object of a kind that has get, update and delete under one prefix. */
export function standardTarget(prefix: StandardPrefix, id: string): Target {
  return {
    get: { operation: `${prefix}.get`, path: { id } },
    update: (body) => ({ operation: `${prefix}.update`, path: { id }, body }),
    remove: [{ operation: `${prefix}.delete`, path: { id } }],
  };
}

/** The identity of a kind that has ids and lists of its own, and one field as its natural key. */
export function identifiedBy(kind: KindName, field: string, toKey = keyOf): Identity {
  return {
    idSpace: kind,
    of: scopedIdentity,
    siblings: [],
    keyFields: [field],
    declaredKeys: (values) => toKey(values[field]),
  };
}

/**
 * Returns scope, id and natural key as one text. Ids are unique within a scope only, and the natural key distinguishes objects
 * of kinds that number theirs independently.
 */
export function scopedIdentity(live: LiveObject): string {
  return [live.scope, live.id, live.keys[0] ?? ""].join(" ");
}
