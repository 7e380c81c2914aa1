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
 * What one PATCH sends: each field with a leaf. A PATCH replaces a free-form value, so that the live one is sent with the
 * declared one laid over it: what others have put beside the declared keys stays, unless the two are different things.
 */
export function patchBody(
  kind: Kind,
  declared: ValueObject,
  live: JsonObject,
  leaves: readonly Difference[],
): ValueObject {
  const fields = new Set(leaves.map((leaf) => leaf.keys[0]));
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
    const laid = Object.entries(declared).map(([key, value]): [string, Value] => [
      key,
      overlay(below(key), value, own(live, key)),
    ]);
    return Object.fromEntries([...kept, ...laid]);
  }
  // Element by element as they are compared; those of a set are scalars, of which the declared one counts in any order.
  if (Array.isArray(declared) && Array.isArray(live) && declared.length === live.length) {
    const element = { ...at, schema: schema?.items };
    return declared.map((item: Value, index) => overlay(element, item, (live as readonly Json[])[index]));
  }
  return declared;
}

/** Whether a masked value stands for a secret, rather than being somebody's text that looks like a mask. */
function mayBeSecret(key: string, schema: FieldSchema | undefined, value: string): boolean {
  return schema?.writeOnly === true || isSecretName(key) || value.includes("***");
}

/** A value as outputs may show it: secrets, and whatever stands under the name of one, are concealed. */
export function conceal(kind: KindName, schema: FieldSchema | undefined, value: Value, key = ""): Json {
  if (value === null) return null;
  // A flag such as `secret: true` says something about a secret, which whoever reviews a plan has to see; it holds none.
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
