/** The fields of a schema, as `explain` shows them. */
import { isSecretField, type FieldSchema } from "../../../kinds/fields.ts";
import type { FieldExplanation } from "../../../model/explain.ts";

/**
 * The fields of a schema, each followed by those in it.
 *
 * @param around since when services have what the fields are in
 */
export function fieldsOf(
  schema: FieldSchema & { readonly required?: readonly string[] },
  prefix: string,
  around: string | undefined,
): readonly FieldExplanation[] {
  const { "x-since": since = around } = schema;
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const required = schema.required?.includes(name) === true;
    const own = fieldOf(field, { name: `${prefix}${name}`, required, since });
    return field.readOnly === true ? [own] : [own, ...fieldsOf(field, `${prefix}${name}.`, since)];
  });
}

export function fieldOf(
  field: FieldSchema,
  { name, required, since }: Pick<FieldExplanation, "name" | "required" | "since">,
): FieldExplanation {
  const types = field.type === undefined ? ["object"] : typeof field.type === "string" ? [field.type] : field.type;
  return {
    name,
    type: types.join(" or "),
    required,
    writable: field.readOnly !== true && field["x-undeclarable"] !== true,
    secret: isSecretField(field),
    immutable: field["x-immutable"] === true,
    unordered: field["x-unordered"] === true,
    deprecated: field.deprecated === true,
    since: field["x-since"] ?? since,
    left: field["x-left"]?.instead,
    default: field.default,
    values: field.enum ?? [],
    names: field["x-names"],
    ...splitSources(field),
  };
}

/** Splits a description from its sources, which stand at its end, and from what `since` and `left` say. */
function splitSources({
  description: text = "",
  "x-left": left,
}: FieldSchema): Pick<FieldExplanation, "description" | "sources"> {
  const sources = /\s*\b(Interface: [^.]+|Server facts|Current service)\./g;
  const since = /\s*\bSince \d{4}(-\d{2})?\./;
  const gone = left === undefined ? "" : /\s*\bOn today's service [^.]*\./;
  return {
    description: text.replaceAll(sources, "").replace(since, "").replace(gone, "").trim(),
    sources: [...text.matchAll(sources)].map(([, source = ""]) => source),
  };
}
