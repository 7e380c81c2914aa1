import type { OperationName } from "./all-operations.ts";
import { collections, keyedBy, kindScopes, type KindName } from "../generated/kind-names.ts";
import { isJsonObject, own, type Json, type JsonObject } from "../model/json.ts";
import type { LiveObject, Modified } from "../model/live.ts";
import { declarableFields, kindSchema } from "./fields.ts";
import type { Assembly, Kind, Target } from "./kind.ts";

/** What the schema of a kind says about where it is declared. */
export function declaredUnder(name: KindName): Pick<Kind, "name" | "collection" | "scopes" | "keyedBy"> {
  const key = keyedBy[name];
  const place = { name, collection: collections[name], scopes: kindScopes[name] };
  return key === undefined ? place : { ...place, keyedBy: key };
}

/** The text of a string or number, else undefined: ids come as either. */
export function text(value: Json | undefined): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

/** The trimmed text of a natural key, as a list of none or one. */
export function keyOf(value: unknown): readonly string[] {
  const key = typeof value === "string" ? value.trim() : "";
  return key === "" ? [] : [key];
}

/** The natural key that an e-mail address or a domain makes: these are not told apart by case. */
export function caselessKey(value: unknown): readonly string[] {
  return keyOf(value).map((key) => key.toLowerCase());
}

/** A row of the service reduced to what can be declared, and the `extra` fields. */
export function declarableValues(kind: KindName, row: JsonObject, extra: readonly string[] = []): JsonObject {
  return pick(kind, row, [...declarableFields(kind), ...extra]);
}

function pick(kind: KindName, row: JsonObject, fields: readonly string[]): JsonObject {
  const picked: Record<string, Json> = {};
  for (const field of fields) {
    const value = own(row, field);
    if (value !== undefined) picked[field] = typeof value === "string" ? toDeclaredType(kind, field, value) : value;
  }
  return picked;
}

/** A number that a service gives as text is that number: who counts as an owner must not hang on its spelling. */
function toDeclaredType(kind: KindName, field: string, value: string): Json {
  // Asked first, as there are few such texts among many.
  if (!/^\d{1,15}$/.test(value)) return value;
  const types = new Set([kindSchema(kind).properties[field]?.type ?? []].flat());
  return types.has("integer") && !types.has("string") ? Number(value) : value;
}

/** A list whose rows are the objects. Rows without an id cannot be acted on and would make an incomplete list. */
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
        values: pick(kind, row, fields),
        onDifference: "update" as const,
        modified: modifiedOf(row),
        ...toObject(row, id),
      },
    ];
  });
}

/** The latest of the times that a row has: some of them move with a few fields only. */
export function modifiedOf(row: JsonObject): Modified | undefined {
  const times = ["updated_at", "last_updated_at", "last_modified_at"].flatMap((field) => text(row[field]) ?? []);
  const at = times.toSorted((a, b) => Date.parse(b) - Date.parse(a))[0] ?? null;
  const user = row["last_modified_by"];
  const by = isJsonObject(user) ? (text(user["email"]) ?? text(user["first_name"]) ?? null) : null;
  return at === null && by === null ? undefined : { at, by };
}

/** The prefixes under which there is an operation of a name. */
type PrefixOf<Name extends string> = OperationName extends infer O
  ? O extends `${infer Prefix}.${Name}`
    ? Prefix
    : never
  : never;

/** The calls of a kind that has all five operations under one prefix, such as `domains`. */
export function standardTarget(prefix: PrefixOf<"get"> & PrefixOf<"update"> & PrefixOf<"delete">, id: string): Target {
  return {
    get: { operation: `${prefix}.get`, path: { id } },
    update: (body) => ({ operation: `${prefix}.update`, path: { id }, body }),
    remove: [{ operation: `${prefix}.delete`, path: { id } }],
  };
}

/** Ids are taken to be unique within a scope only; with the natural key, two groups that count alike are told apart. */
export function scopedIdentity(live: LiveObject): string {
  return [live.scope, live.id, live.keys[0] ?? ""].join(" ");
}
