import { withoutSecretsOf } from "../../diff/secret-places.ts";
import { undeclaredKeys } from "../../diff/undeclared-keys.ts";
import { toSchemaType } from "../../export/export-value.ts";
import { conceal, schemaAt } from "../../kinds/fields.ts";
import type { Change, FieldChange } from "../../model/change.ts";
import { type Json, valueAt, type ValueObject } from "../../model/json.ts";
import { pointerKeys } from "../../model/pointer.ts";

/** The live keys of a change that are not declared and can be, with their values in the types of the configuration. */
export function undeclaredFields(change: Change, declared: ValueObject): readonly FieldChange[] {
  const live = change.work?.live?.values ?? {};
  return undeclaredKeys(change).map((path) => {
    const keys = pointerKeys(path);
    const schema = schemaAt(change.kind, live, keys);
    const value = valueAt(live, keys) as Json;
    const typed = typeof value === "string" ? toSchemaType(value, schema) : value;
    return { path, prior: conceal(change.kind, schema, withoutSecretsOf(declared, keys, typed)), planned: null };
  });
}
