import { isSecretField, type FieldSchema } from "../kinds/fields.ts";
import type { ValueObject } from "../model/json.ts";

/** A remark that names the settings which the service takes and never shows, as far as they are not written; or nothing. */
export function unreadableComment(schema: FieldSchema | undefined, written: ValueObject): string | undefined {
  const hidden = Object.entries(schema?.properties ?? {}).filter(
    ([key, field]) => field.writeOnly === true && !Object.hasOwn(written, key),
  );
  const needed = hidden.filter(([key]) => schema?.required?.includes(key) === true);
  const lines = [
    line("not readable", needed),
    line(
      "not readable, if set",
      hidden.filter((entry) => !needed.includes(entry)),
    ),
  ];
  const text = lines.filter((one) => one !== undefined).join("\n");
  return text === "" ? undefined : text;
}

function line(what: string, fields: readonly (readonly [string, FieldSchema])[]): string | undefined {
  if (fields.length === 0) return undefined;
  const names = fields.map(([key]) => key).join(", ");
  const pronoun = fields.length === 1 ? "it" : "them";
  const form = fields.some(([, field]) => isSecretField(field)) ? " as ${secret:...}" : "";
  return `${what}: ${names}; add ${pronoun}${form}`;
}
