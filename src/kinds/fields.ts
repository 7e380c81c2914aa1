import { schemas, type FieldSchema, type KindSchema } from "../generated/schemas.ts";
import {
  isValueObject,
  type Json,
  type JsonObject,
  mapSecrets,
  own,
  type Value,
  valueAt,
  type ValueObject,
} from "../model/json/json.ts";
import { filterKeys, mapValues } from "../model/json/object.ts";
import { SENSITIVE, isSecretName } from "../model/secret-values.ts";
import type { OnceField } from "../model/change.ts";
import type { KindName } from "../model/kind-name.ts";
import type { Kind } from "./kind.ts";

export type { FieldSchema };

export function kindSchema(kind: KindName): KindSchema {
  return schemas[kind];
}

/**
 * Returns the schema of one member of an object, or undefined if the object is free-form. `object` is the value around the
 * member: the type of a destination decides which fields its `config` has.
 */
export function childSchema(
  kind: KindName,
  parent: FieldSchema | undefined,
  key: string,
  object: Value | undefined,
): FieldSchema | undefined {
  return childOf(schemas[kind].definitions, parent, key, object);
}

/** Like {@link childSchema}, with the definitions of any schema. */
export function childOf(
  definitions: FieldSchema["definitions"],
  parent: FieldSchema | undefined,
  key: string,
  object: Value | undefined,
): FieldSchema | undefined {
  if (parent === undefined) return undefined;
  const branch = own(parent.allOf?.find((option) => holds(option.if, object))?.then?.properties, key);
  const { additionalProperties: others } = parent;
  const plain = own(parent.properties, key) ?? (typeof others === "object" ? others : undefined);
  const resolve = (schema: FieldSchema | undefined): FieldSchema | undefined => {
    const name = schema?.$ref?.split("/").at(-1);
    return name === undefined ? schema : own(definitions, name);
  };
  return branch === undefined ? resolve(plain) : { ...plain, ...resolve(branch) };
}

/** Whether today's service refuses a key of an object, because the schema does not have it. */
export function isRefusedKey(schema: FieldSchema | undefined, key: string): boolean {
  const taken = schema?.properties === undefined ? undefined : schema["x-closed"];
  return taken !== undefined && !taken.includes(key) && !Object.hasOwn(schema?.properties ?? {}, key);
}

/** The schema at a path of an object. The values around a key decide which one it has. */
export function schemaAt(kind: KindName, object: ValueObject, keys: readonly string[]): FieldSchema | undefined {
  let schema: FieldSchema | undefined = schemas[kind];
  let around: Value | undefined = object;
  for (const key of keys) {
    schema = Array.isArray(around) ? schema?.items : childSchema(kind, schema, key, around);
    around = around === undefined ? undefined : valueAt(around, [key]);
  }
  return schema;
}

/**
 * The schema of a value without the credentials that it lacks, if an integration beside it holds them. `around` is the object
 * with both.
 */
export function withoutHeldCredentials(
  schema: FieldSchema | undefined,
  value: Value,
  around: ValueObject,
): FieldSchema | undefined {
  if (schema?.properties === undefined || typeof own(around, "integration") !== "number") return schema;
  const { properties, required = [] } = schema;
  const isHeld = (key: string): boolean =>
    own(properties, key)?.["x-credential"] === true && !(isValueObject(value) && Object.hasOwn(value, key));
  return {
    ...schema,
    properties: filterKeys(properties, (key) => !isHeld(key)),
    required: required.filter((key) => !isHeld(key)),
  };
}

/** Whether the values of a field are secrets. Other write-only fields are just never returned. */
export function isSecretField(schema: FieldSchema | undefined): boolean {
  return schema?.writeOnly === true && schema.format === "password";
}

/** Whether a field may be declared in a configuration. */
export function isDeclarable(schema: FieldSchema | undefined): boolean {
  return schema !== undefined && schema.readOnly !== true && schema["x-undeclarable"] !== true;
}

export function declarableFields(kind: KindName): readonly string[] {
  return DECLARABLE[kind] ?? [];
}

/** Found once: each mistake in a file asks for them. */
const DECLARABLE = mapValues(schemas, ({ properties }) =>
  Object.entries(properties).flatMap(([field, schema]) => (isDeclarable(schema) ? [field] : [])),
);

/** What a create of a kind sends if it is not declared. */
export function sentByDefault(kind: KindName): JsonObject {
  const sent = Object.entries(schemas[kind].properties).filter(([, schema]) => schema["x-sent"] === true);
  return Object.fromEntries(sent.map(([field, schema]) => [field, schema.default ?? null]));
}

/** The declared field that only a create reads, so that an object which exists does without it. A replacement would be sent an immutable one. */
export function onceField(kind: KindName, values: ValueObject): OnceField | undefined {
  const { properties } = schemas[kind];
  const isOnce = (field: string): field is OnceField =>
    own(properties, field)?.["x-once"] === true && own(properties, field)?.["x-immutable"] !== true;
  return Object.keys(values).find(isOnce);
}

/** The field that says most about a resource: one that a new object needs, or one that identifies it. */
export function primaryField(kind: Pick<Kind, "name" | "identity">): string {
  return schemas[kind.name].required[0] ?? kind.identity.keyFields[0] ?? "id";
}

/** Returns the fields as people write them, with words for numbers that have names. */
export function withWords(kind: KindName, fields: ValueObject): ValueObject {
  const { properties } = kindSchema(kind);
  return mapValues(fields, (value, field) => wordFor(value, own(properties, field)));
}

function wordFor(value: Value, schema: FieldSchema | undefined): Value {
  const [word] = Object.entries(schema?.["x-names"] ?? {}).find(([, number]) => number === value) ?? [];
  return word ?? value;
}

/** Evaluates a condition of a schema. Schemas use only one form: constants of members. */
function holds(condition: FieldSchema | undefined, object: Value | undefined): boolean {
  if (condition === undefined || !isValueObject(object)) return false;
  return Object.entries(condition.properties ?? {}).every(([key, schema]) => own(object, key) === schema.const);
}

/** The value with its secrets concealed for output, including every value under a secret's name. */
export function conceal(kind: KindName, schema: FieldSchema | undefined, value: Value, key = ""): Json {
  if (value === null) return null;
  // A flag such as `secret: true` holds no secret, and a reviewer of the plan needs to see it.
  if (isSecretField(schema) || (isSecretName(key) && typeof value !== "boolean")) return SENSITIVE;
  if (Array.isArray(value)) return value.map((item: Value) => conceal(kind, schema?.items, item));
  if (!isValueObject(value)) return mapSecrets(value, () => SENSITIVE);
  return mapValues(value, (item, name) => conceal(kind, childSchema(kind, schema, name, value), item, name));
}

export function typesOf(schema: FieldSchema | undefined): readonly string[] {
  return [schema?.type ?? []].flat();
}
