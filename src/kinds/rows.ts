/** Makes live objects of the rows of a list. */
import { own, isJsonObject, type Json, type JsonObject } from "../model/json/json.ts";
import type { KindName } from "../model/kind-name.ts";
import type { LiveObject, Modified } from "../model/live.ts";
import { declarableFields, kindSchema, typesOf } from "./fields.ts";
import { asText } from "./keys.ts";
import type { Assembly } from "./kind.ts";
import { unknownFields } from "./unknown-fields.ts";

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
  const types = typesOf(own(kindSchema(kind).properties, field));
  return types.includes("integer") && !types.includes("string") ? Number(value) : value;
}

/** Refuses what no object has: of the result of a function, the compiler would let it pass. */
type Exactly<T> = T & Readonly<Record<Exclude<keyof T, keyof LiveObject>, never>>;

/** Makes an object of each row. Rows without an id are skipped, because no operation can address them. */
export function objectsOf<T extends Partial<LiveObject>>(
  kind: KindName,
  assembly: Assembly,
  operation: string,
  toObject: (row: JsonObject, id: string) => Exactly<T>,
): LiveObject[] {
  const fields = declarableFields(kind);
  return (assembly.rows[operation] ?? []).flatMap((row) => {
    const id = asText(row["id"]);
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
        createdAt: asText(row["created_at"]),
        ...toObject(row, id),
      },
    ];
  });
}

/** Returns the latest of a row's modification times. Some of them change with a few fields only. */
export function modifiedOf(row: JsonObject): Modified | undefined {
  const times = ["updated_at", "last_updated_at", "last_modified_at"].flatMap((field) => asText(row[field]) ?? []);
  const at = times.toSorted((a, b) => Date.parse(b) - Date.parse(a))[0] ?? null;
  const by = nameOfUser(row["last_modified_by"]);
  return at === null && by === null ? undefined : { at, by };
}

/** The e-mail of a user, else the first name. */
export function nameOfUser(user: Json | undefined): string | null {
  return isJsonObject(user) ? (asText(user["email"]) ?? asText(user["first_name"]) ?? null) : null;
}

/** The ids that identify a row: its own, and that of the person if it describes one. */
export function rowIds(row: JsonObject): readonly string[] {
  const user = row["user"];
  return [asText(row["id"]), isJsonObject(user) ? asText(user["uuid"]) : undefined].flatMap((id) => id ?? []);
}
