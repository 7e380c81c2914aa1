import type { FieldSchema } from "../generated/schemas.ts";
import { isValueObject, valueAt, type JsonObject, type ValueObject } from "../model/json/json.ts";
import { pointer } from "../model/pointer.ts";
import { listKey, type LiveList, type LiveObject, type LiveWorld } from "../model/live.ts";
import type { KindName } from "../model/kind-name.ts";
import { isDeclarable, kindSchema } from "./fields.ts";

/** A field that not every service has: it came after the interface document, or it left since. */
export interface VaryingField {
  readonly keys: readonly [string, ...string[]];
  readonly schema: FieldSchema;
}

const found = new Map<KindName, readonly VaryingField[]>();

/** The fields of a kind that not every service has. Write-only fields are left out: no row can show whether a service has them. */
export function varyingFields(kind: KindName): readonly VaryingField[] {
  const known = found.get(kind) ?? varyingFieldsOf(kindSchema(kind), []);
  found.set(kind, known);
  return known;
}

function varyingFieldsOf({ properties = {} }: FieldSchema, parents: readonly string[]): readonly VaryingField[] {
  return Object.entries(properties).flatMap(([name, schema]): readonly VaryingField[] => {
    if (!isDeclarable(schema)) return [];
    const keys = [...parents, name] as unknown as VaryingField["keys"];
    const varies = schema["x-since"] !== undefined || schema["x-left"] !== undefined;
    if (varies && schema.writeOnly !== true) return [{ keys, schema }];
    return varyingFieldsOf(schema, keys);
  });
}

/** Whether a kind came after the service of an organization, which shows no field that is as new. */
export function isNewer(kind: KindName, organization: JsonObject): boolean {
  const { "x-since": since } = kindSchema(kind);
  if (since === undefined) return false;
  return !varyingFields("organization").some(
    ({ keys: [field], schema }) => (schema["x-since"] ?? "") >= since && Object.hasOwn(organization, field),
  );
}

/** JSON Pointers of the varying fields that a service takes, according to objects of one of its lists. */
export function takenFields(kind: KindName, objects: readonly Pick<LiveObject, "values">[]): readonly string[] {
  return varyingFields(kind).flatMap(({ keys, schema }) => {
    const isTaken = ({ values }: Pick<LiveObject, "values">): boolean =>
      hasKey(values, keys) && !isReadOnly(schema, values);
    return objects.some(isTaken) ? [pointer(...keys)] : [];
  });
}

/**
 * JSON Pointers of the varying fields that a service takes, as its list shows. Undefined if the list was not read or is empty, which
 * shows nothing: then a change is sent, and the answer decides.
 */
export function takenAt({ lists }: LiveWorld, scope: string, kind: KindName): ReadonlySet<string> | undefined {
  return takenIn(lists.get(listKey(scope, kind)));
}

function takenIn(list: LiveList | undefined): ReadonlySet<string> | undefined {
  return list?.status === "known" ? list.taken : undefined;
}

/** The fields among declared values that a service does not take, as its list shows. None if the list shows nothing. */
export function missingFields(
  kind: KindName,
  values: ValueObject,
  list: LiveList | undefined,
): readonly VaryingField[] {
  const taken = takenIn(list);
  if (taken === undefined) return [];
  return varyingFields(kind).filter(({ keys }) => valueAt(values, keys) !== undefined && !taken.has(pointer(...keys)));
}

/** The fields of an object that its service shows and does not take. */
export function readOnlyFields({ kind, values }: Pick<LiveObject, "kind" | "values">): readonly string[] {
  return varyingFields(kind).flatMap(({ keys: [field], schema }) => (isReadOnly(schema, values) ? [field] : []));
}

function isReadOnly({ "x-left": left }: FieldSchema, values: JsonObject): boolean {
  return left?.read_only_beside !== undefined && Object.hasOwn(values, left.read_only_beside);
}

/** Whether an object has a key, even if its value is null. */
function hasKey(values: JsonObject, keys: VaryingField["keys"]): boolean {
  const around = valueAt(values, keys.slice(0, -1));
  return isValueObject(around) && Object.hasOwn(around, keys.at(-1) ?? "");
}
