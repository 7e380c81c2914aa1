import { isSecretField, type FieldSchema } from "../kinds/fields.ts";
import type { ValueObject } from "../model/json.ts";

/** Settings that have to be there and that the service does not show, as far as they are not written. */
export function requiredMaskedFields(schema: FieldSchema | undefined, written: ValueObject): readonly string[] {
  const needed = schema?.required ?? [];
  return needed.filter((key) => schema?.properties?.[key]?.writeOnly === true && !Object.hasOwn(written, key));
}

/**
 * A remark that names the settings which the service takes and never shows, as far as they are not written; or nothing.
 *
 * @param hint how a secret is added
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
  const needed = hidden.filter(([key]) => keys.includes(key));
  const lines = [
    line("not readable", needed, hint),
    line(
      "not readable, if set",
      hidden.filter((entry) => !needed.includes(entry)),
      hint,
    ),
  ];
  const text = lines.filter((one) => one !== undefined).join("\n");
  return text === "" ? undefined : text;
}

function line(what: string, fields: readonly (readonly [string, FieldSchema])[], hint: string): string | undefined {
  if (fields.length === 0) return undefined;
  const names = fields.map(([key]) => key).join(", ");
  const pronoun = fields.length === 1 ? "it" : "them";
  const form = fields.some(([, field]) => isSecretField(field)) ? ` ${hint}` : "";
  return `${what}: ${names}; add ${pronoun}${form}`;
}
