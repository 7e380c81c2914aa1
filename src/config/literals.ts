import { childSchema, isSecretField, kindSchema, type FieldSchema } from "../kinds/fields.ts";
import type { KindName } from "../model/kind-name.ts";
import { isValueObject, type Value, type ValueObject } from "../model/json.ts";
import { isMasked, isSecretName } from "../model/sensitive.ts";

/** The texts that stand where a secret belongs, by schema or by name: somebody wrote one down, or read it from a file. */
export function literalSecrets(kind: KindName, values: ValueObject): readonly string[] {
  return textsIn(kind, kindSchema(kind), values, false);
}

function textsIn(kind: KindName, schema: FieldSchema | undefined, value: Value, hidden: boolean): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item: Value) => textsIn(kind, schema?.items, item, hidden));
  if (isValueObject(value)) {
    return Object.entries(value).flatMap(([key, item]) => {
      const child = childSchema(kind, schema, key, value);
      return textsIn(kind, child, item, hidden || isSecretName(key) || isSecretField(child));
    });
  }
  if (!hidden || (typeof value !== "string" && typeof value !== "number") || isMasked(value)) return [];
  return [String(value)];
}
