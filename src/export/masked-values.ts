/** Settings that the service does not return, which export-value.ts leaves out or names in a comment. */
import { isSecretField, type FieldSchema } from "../kinds/fields.ts";
import type { ValueObject } from "../model/json/json.ts";

/** The required settings that the service does not return and that `written` lacks. */
export function requiredMaskedFields(schema: FieldSchema | undefined, written: ValueObject): readonly string[] {
  const required = schema?.required ?? [];
  return required.filter((key) => schema?.properties?.[key]?.writeOnly === true && !Object.hasOwn(written, key));
}

/**
 * A comment that names the settings that the service accepts but does not return and that `written` lacks. Returns undefined
 * if there are none.
 *
 * @param hint how to add a secret
 */
export function maskedValueComment(
  schema: FieldSchema | undefined,
  written: ValueObject,
  hint: string,
): string | undefined {
  const hidden = Object.entries(schema?.properties ?? {}).filter(
    ([key, field]) => field.writeOnly === true && !Object.hasOwn(written, key),
  );
  const keys = requiredMaskedFields(schema, written);
  const required = hidden.filter(([key]) => keys.includes(key));
  const optional = hidden.filter((entry) => !required.includes(entry));
  const lines = [
    commentLine(required, ["", ""], hint),
    commentLine(optional, ["if it is set, ", "if they are set, "], hint),
  ];
  const text = lines.filter((one) => one !== undefined).join("\n");
  return text === "" ? undefined : text;
}

/** @param conditions when to add the fields, for one field and for several */
function commentLine(
  fields: readonly (readonly [string, FieldSchema])[],
  conditions: readonly [one: string, several: string],
  hint: string,
): string | undefined {
  if (fields.length === 0) return undefined;
  const names = fields.map(([key]) => key).join(", ");
  const [pronoun, condition] = fields.length === 1 ? ["it", conditions[0]] : ["them", conditions[1]];
  const form = fields.some(([, field]) => isSecretField(field)) ? ` ${hint}` : "";
  return `the service does not return ${names}: ${condition}add ${pronoun}${form}`;
}
