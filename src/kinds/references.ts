/**
 * Where the values of an object have the ids of others.
 *
 * Terms: a reference is a value that its schema marks with `x-reference`. It is an id, or the name of an object in the same scope: the
 * key of a declared one, or a natural key. If the object is yet to be created, a plan has its address in the place of the id.
 */
import { schemas, type FieldSchema } from "../generated/schemas.ts";
import type { KindName } from "../model/kind-name.ts";
import { isValueObject, own, type Value, type ValueObject } from "../model/json/json.ts";
import { mapValues } from "../model/json/object.ts";
import { isUuid } from "../model/uuid.ts";

/** What a reference is to. Projects are declared, and are no kind. */
export type Referred = NonNullable<FieldSchema["x-reference"]>;

/** One reference in the values of an object. */
export interface Reference {
  readonly to: Referred;
  readonly text: string;
  /** Whether the text has the form of an id. */
  readonly isId: boolean;
  /** The path to it. */
  readonly keys: readonly string[];
}

type ChangeText = (reference: Reference) => string | undefined;

const referred = new Map<KindName, readonly Referred[]>();

/** What objects of a kind may refer to. */
export function referredBy(kind: KindName): readonly Referred[] {
  const found = referred.get(kind) ?? referredIn(schemaOf(kind));
  referred.set(kind, found);
  return found;
}

function schemaOf(kind: KindName): FieldSchema {
  return { properties: schemas[kind].properties };
}

function referredIn({ "x-reference": to, items, properties = {} }: FieldSchema): readonly Referred[] {
  const below = [items ?? [], Object.values(properties)].flat().flatMap(referredIn);
  return to === undefined ? below : [to, ...below];
}

/** Whether objects of a kind may refer to others. */
export function refers(kind: KindName): boolean {
  return referredBy(kind).length > 0;
}

/** Those of kinds that may refer to others come last. */
export function referringLast<T extends { readonly kind: KindName }>(all: readonly T[]): readonly T[] {
  return [...all.filter(({ kind }) => !refers(kind)), ...all.filter(({ kind }) => refers(kind))];
}

/**
 * Returns the values of an object with other references. A number stays one.
 *
 * @param change returns the new text; undefined to leave the reference as it is
 */
export function mapReferences<V extends ValueObject>(kind: KindName, values: V, change: ChangeText): V {
  return mapReferencesAt(kind, [], values, change);
}

/** The same for the value at one path. */
export function mapReferencesAt<V extends Value>(
  kind: KindName,
  keys: readonly string[],
  value: V,
  change: ChangeText,
): V {
  if (!refers(kind)) return value;
  const below = (schema: FieldSchema | undefined, key: string): FieldSchema | undefined =>
    own(schema?.properties, key) ?? schema?.items;
  return mapAt(keys.reduce(below, schemaOf(kind)), keys, value, change) as V;
}

function mapAt(schema: FieldSchema | undefined, keys: readonly string[], value: Value, change: ChangeText): Value {
  if (Array.isArray(value))
    return value.map((item: Value, index) => mapAt(schema?.items, [...keys, String(index)], item, change));
  if (isValueObject(value))
    return mapValues(value, (item, key) => mapAt(own(schema?.properties, key), [...keys, key], item, change));
  const to = schema?.["x-reference"];
  if (to === undefined || (typeof value !== "string" && typeof value !== "number")) return value;
  const text = String(value).trim();
  const changed = change({ to, text, isId: isIdOf(to, text), keys });
  if (changed === undefined) return value;
  return schema?.type === "integer" && isIdOf(to, changed) ? Number(changed) : changed;
}

/** Whether a text has the form of the ids of what is referred to. */
export function isIdOf(to: Referred, text: string): boolean {
  return to === "project" ? /^\d{1,15}$/.test(text) : isUuid(text);
}

/** The references in the values of an object. */
export function referencesIn(kind: KindName, values: ValueObject): readonly Reference[] {
  const found: Reference[] = [];
  mapReferences(kind, values, (reference) => void found.push(reference));
  return found;
}

/** Whether an object with these values refers to the one with an id. */
export function refersTo(kind: KindName, values: ValueObject, id: string): boolean {
  return referencesIn(kind, values).some(({ text }) => text.toLowerCase() === id.toLowerCase());
}
