import { undeclaredKeys } from "../../diff/undeclared-keys.ts";
import { toSchemaType } from "../../export/export-value.ts";
import { childSchema, conceal, kindSchema, type FieldSchema } from "../../kinds/fields.ts";
import type { Change, FieldChange } from "../../model/change.ts";
import { own, valueAt, type Json, type JsonObject, type Value } from "../../model/json.ts";
import { pointerKeys } from "../../model/pointer.ts";

/** The live keys of a change that are not declared and can be, with their values in the types of the configuration. */
export function undeclaredFields(change: Change): readonly FieldChange[] {
  const live = change.work?.live?.values ?? {};
  return undeclaredKeys(change).map((path) => {
    const keys = pointerKeys(path);
    const schema = schemaAt(change, live, keys);
    const value = valueAt(live, keys) as Json;
    const typed = typeof value === "string" ? toSchemaType(value, schema) : value;
    return { path, prior: conceal(change.kind, schema, typed), planned: null };
  });
}

/** The values around a key decide which schema it has. */
function schemaAt({ kind }: Change, live: JsonObject, keys: readonly string[]): FieldSchema | undefined {
  let schema: FieldSchema | undefined = kindSchema(kind);
  let around: Value | undefined = live;
  for (const key of keys) {
    schema = Array.isArray(around) ? schema?.items : childSchema(kind, schema, key, around);
    around = around === undefined ? undefined : own(around as JsonObject, key);
  }
  return schema;
}
