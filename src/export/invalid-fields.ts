import { validators } from "../generated/validators.ts";
import { isValueObject, mapSecrets, own, pointerKeys, Secret, type Value, type ValueObject } from "../model/json.ts";
import type { KindName } from "../model/kind-name.ts";

/** The fields that the configuration would not take as they are, with what is wrong with each. */
export function invalidFields(kind: KindName, fields: ValueObject): ReadonlyMap<string, string> {
  const validator = validators[kind];
  const refused = new Map<string, string>();
  if (validator(mapSecrets(fields, (secret) => secret.expression))) return refused;
  for (const { instancePath, keyword, params, message } of validator.errors ?? []) {
    const keys = pointerKeys(instancePath);
    const field = keys[0] ?? params["additionalProperty"];
    if (typeof field !== "string" || keyword === "if") continue;
    // The text of a secret is not known here; that it is a text is.
    if (valueAt(fields, keys) instanceof Secret && keyword !== "type") continue;
    if (!refused.has(field)) refused.set(field, message ?? keyword);
  }
  return refused;
}

function valueAt(root: Value, keys: readonly string[]): Value | undefined {
  return keys.reduce<Value | undefined>((value, key) => {
    if (Array.isArray(value)) return (value as readonly Value[])[Number(key)];
    return isValueObject(value) ? own(value, key) : undefined;
  }, root);
}
