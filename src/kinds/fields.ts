import { schemas, type FieldSchema, type KindSchema } from "../generated/schemas.ts";
import { isValueObject, own, type Value, type ValueObject } from "../model/json.ts";
import type { KindName } from "../model/kind-name.ts";

export type { FieldSchema };

/** The schema of a kind: what its fields are. */
export function kindSchema(kind: KindName): KindSchema {
  return schemas[kind];
}

/**
 * The schema of one member of an object, undefined where the object is free-form. `object` is the value it belongs to: the
 * type of a destination decides what its `config` holds.
 */
export function childSchema(
  kind: KindName,
  parent: FieldSchema | undefined,
  key: string,
  object: Value | undefined,
): FieldSchema | undefined {
  if (parent === undefined) return undefined;
  const branch = own(parent.allOf?.find((option) => holds(option.if, object))?.then?.properties, key);
  const plain = own(parent.properties, key);
  return branch === undefined ? resolve(kind, plain) : { ...plain, ...resolve(kind, branch) };
}

/** Whether a field's values are secrets, as opposed to merely never given back. */
export function isSecretField(schema: FieldSchema | undefined): boolean {
  return schema?.writeOnly === true && schema.format === "password";
}

/** Whether a field may stand in a configuration. */
export function isDeclarable(schema: FieldSchema | undefined): boolean {
  return schema !== undefined && schema.readOnly !== true && schema["x-undeclarable"] !== true;
}

/** The declarable fields of a kind. */
export function declarableFields(kind: KindName): readonly string[] {
  return Object.entries(schemas[kind].properties).flatMap(([field, schema]) => (isDeclarable(schema) ? [field] : []));
}

/** The fields as people write them: a level is a word. */
export function withWords(kind: KindName, fields: ValueObject): ValueObject {
  const { properties } = kindSchema(kind);
  return Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, wordFor(value, properties[field])]));
}

function wordFor(value: Value, schema: FieldSchema | undefined): Value {
  const [word] = Object.entries(schema?.["x-names"] ?? {}).find(([, number]) => number === value) ?? [];
  return word ?? value;
}

function resolve(kind: KindName, schema: FieldSchema | undefined): FieldSchema | undefined {
  const name = schema?.$ref?.split("/").at(-1);
  return name === undefined ? schema : schemas[kind].definitions?.[name];
}

/** Only the form of condition that schemas/ use: constants of members. */
function holds(condition: FieldSchema | undefined, object: Value | undefined): boolean {
  if (condition === undefined || !isValueObject(object)) return false;
  return Object.entries(condition.properties ?? {}).every(([key, schema]) => own(object, key) === schema.const);
}
