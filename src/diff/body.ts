import { childSchema, isSecretField, kindSchema, type FieldSchema } from "../kinds/fields.ts";
import type { Kind } from "../kinds/kind.ts";
import type { KindName } from "../model/kind-name.ts";
import {
  isJsonObject,
  isValueObject,
  mapSecrets,
  own,
  SENSITIVE,
  type Json,
  type JsonObject,
  type Value,
  type ValueObject,
} from "../model/json.ts";
import { isMasked, isSecretName } from "../model/sensitive.ts";
import type { Difference } from "./compare.ts";

/**
 * The body of a PATCH: every field with a difference. A PATCH replaces a free-form value as a whole, so the body holds
 * the live value overlaid with the declared one. Keys that others have added stay, unless the two values are of
 * different types (see `isOtherNode`).
 */
export function patchBody(
  kind: Kind,
  declared: ValueObject,
  live: JsonObject,
  differences: readonly Difference[],
): ValueObject {
  const fields = new Set(differences.map(({ keys }) => keys[0]));
  const schema = kindSchema(kind.name);
  return Object.fromEntries(
    [...fields].map((field) => {
      const value = own(declared, field) ?? null;
      const at = { kind, field, schema: childSchema(kind.name, schema, field, declared) };
      return [field, overlay(at, value, own(live, field))];
    }),
  );
}

interface FieldContext {
  readonly kind: Kind;
  readonly field: string;
  readonly schema: FieldSchema | undefined;
}

function overlay(at: FieldContext, declared: Value, live: Json | undefined): Value {
  const { kind, field, schema } = at;
  if (isValueObject(declared) && isJsonObject(live)) {
    if (kind.isOtherNode?.(field, declared, live) === true) return declared;
    const below = (key: string): FieldContext => ({ ...at, schema: childSchema(kind.name, schema, key, declared) });
    const kept = Object.entries(live).filter(
      ([key, value]) => !(isMasked(value) && mayBeSecret(key, below(key).schema, value)),
    );
    const declaredEntries = Object.entries(declared).map(([key, value]): [string, Value] => [
      key,
      overlay(below(key), value, own(live, key)),
    ]);
    return Object.fromEntries([...kept, ...declaredEntries]);
  }
  // Arrays are overlaid by element, as they are compared. The elements of a set are scalars: there the declared ones
  // are sent.
  if (Array.isArray(declared) && Array.isArray(live) && declared.length === live.length) {
    const element = { ...at, schema: schema?.items };
    return declared.map((item: Value, index) => overlay(element, item, (live as readonly Json[])[index]));
  }
  return declared;
}

/** Whether a masked value stands for a secret. Otherwise it is a user's text that looks like a mask. */
function mayBeSecret(key: string, schema: FieldSchema | undefined, value: string): boolean {
  return schema?.writeOnly === true || isSecretName(key) || value.includes("***");
}

/** The value with its secrets concealed for output, including every value under a secret's name. */
export function conceal(kind: KindName, schema: FieldSchema | undefined, value: Value, key = ""): Json {
  if (value === null) return null;
  // A flag such as `secret: true` holds no secret, and a reviewer of the plan needs to see it.
  if (isSecretField(schema) || (isSecretName(key) && typeof value !== "boolean")) return SENSITIVE;
  if (Array.isArray(value)) return value.map((item: Value) => conceal(kind, schema?.items, item));
  if (!isValueObject(value)) return mapSecrets(value, () => SENSITIVE);
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      conceal(kind, childSchema(kind, schema, name, value), item, name),
    ]),
  );
}
