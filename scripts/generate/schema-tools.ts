import type { FieldSchema, JsonType, KindSchema } from "./field-schema.ts";

export type Schemas = Readonly<Record<string, FieldSchema>>;

/** Changes every part of a schema, inner parts first. `if` and `then` stay: they only select a definition. */
export function mapSchema(schema: FieldSchema, change: (part: FieldSchema) => FieldSchema): FieldSchema {
  const inner = (part: FieldSchema): FieldSchema => mapSchema(part, change);
  const { properties, items, additionalProperties, allOf, anyOf } = schema;
  return change({
    ...schema,
    ...(properties && { properties: mapValues(properties, inner) }),
    ...(items && { items: inner(items) }),
    ...(typeof additionalProperties === "object" && { additionalProperties: inner(additionalProperties) }),
    ...(allOf && { allOf: allOf.map(inner) }),
    ...(anyOf && { anyOf: anyOf.map(inner) }),
  });
}

export function mapValues<From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From, key: string) => To,
): Readonly<Record<string, To>> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));
}

/** The object without some of its members. */
export function omit<T extends object>(value: T, isUnwanted: (key: string) => boolean): T {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !isUnwanted(key))) as T;
}

export function typesOf(schema: FieldSchema): readonly JsonType[] {
  const { type } = schema;
  if (type === undefined) return [];
  return typeof type === "string" ? [type] : type;
}

/** A description without the sources of its facts, which stand at its end. They are nothing for users. */
export function withoutSources(description: string): string {
  return description.replace(/ (?:Interface: .*|Server facts\.|Current service\.).*$/, "");
}

export function ref(definition: string): FieldSchema {
  return { $ref: `#/definitions/${definition}` };
}

/** The fields that may be declared: those that can be written, and those by which an object can be pinned. */
export function declarable(kind: KindSchema): Schemas {
  const writable = omit(kind.properties, (key) => {
    const field = kind.properties[key];
    return field?.readOnly === true || field?.["x-undeclarable"] === true;
  });
  const pins = kind["x-pins"].map((key): [string, FieldSchema] => [key, pin(kind.properties[key] ?? {})]);
  return { ...Object.fromEntries(pins), ...writable };
}

/** A pin may come from a variable, which is text. So a number is accepted as text, too. */
function pin(field: FieldSchema): FieldSchema {
  const { readOnly: _, description = "", ...rest } = field;
  const pinned = { ...rest, description: `Pins the resource to this object. ${description}` };
  return field.type === "integer" ? { ...pinned, type: ["integer", "string"], pattern: "^[0-9]+$" } : pinned;
}
