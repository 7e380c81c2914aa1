import { validators } from "../generated/validators.ts";
import { isUnknownField } from "../kinds/unknown-fields.ts";
import { mapSecrets, Secret, valueAt, type ValueObject } from "../model/json/json.ts";
import { pointerKeys } from "../model/pointer.ts";
import type { KindName } from "../model/kind-name.ts";

/** The fields whose values the configuration does not accept, each with the reason. */
export function invalidFields(kind: KindName, fields: ValueObject): ReadonlyMap<string, string> {
  const validator = validators[kind];
  const invalid = new Map<string, string>();
  const known = Object.fromEntries(Object.entries(fields).filter(([field]) => !isUnknownField(kind, field)));
  if (validator(mapSecrets(known, (secret) => secret.expression))) return invalid;
  for (const { instancePath, keyword, params, message } of validator.errors ?? []) {
    const keys = pointerKeys(instancePath);
    const field = keys[0] ?? params["additionalProperty"];
    if (typeof field !== "string" || keyword === "if") continue;
    // A secret is a text of unknown content, so only its type is checked.
    if (valueAt(fields, keys) instanceof Secret && keyword !== "type") continue;
    if (!invalid.has(field)) invalid.set(field, message ?? keyword);
  }
  return invalid;
}
