import { childSchema, isSecretField, kindSchema, type FieldSchema } from "../kinds/fields.ts";
import type { KindName } from "../model/kind-name.ts";
import { isValueObject, type Value, type ValueObject } from "../model/json.ts";
import { isMasked, isSecretName } from "../model/sensitive.ts";

/** The texts that stand where a secret belongs, by schema or by name: somebody wrote one down, or read it from a file. */
export function literalSecrets(kind: KindName, values: ValueObject): readonly string[] {
  const texts: string[] = [];
  collectTexts(kind, kindSchema(kind), values, false, texts);
  return texts;
}

function collectTexts(
  kind: KindName,
  schema: FieldSchema | undefined,
  value: Value,
  hidden: boolean,
  texts: string[],
): void {
  if (Array.isArray(value)) {
    for (const item of value as readonly Value[]) collectTexts(kind, schema?.items, item, hidden, texts);
  } else if (isValueObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      const child = childSchema(kind, schema, key, value);
      collectTexts(kind, child, item, hidden || isSecretName(key) || isSecretField(child), texts);
    }
  } else if (hidden && (typeof value === "string" || typeof value === "number") && !isMasked(value)) {
    texts.push(String(value));
  }
}
