import { EXTRA_FIELDS } from "../model/extra-fields.ts";
import type { ValueObject } from "../model/json/json.ts";
import type { KindName } from "../model/kind-name.ts";
import { kindSchema } from "./fields.ts";
import type { Kind } from "./kind.ts";

const known = new Map<KindName, ReadonlySet<string>>();

/** The keys that driftline knows: the fields of a kind, and what else the service alone sets in its rows. */
function knownKeys(kind: KindName): ReadonlySet<string> {
  const { properties, "x-read-only": readOnly = [] } = kindSchema(kind);
  const keys = known.get(kind) ?? new Set([...Object.keys(properties), ...readOnly]);
  known.set(kind, keys);
  return keys;
}

/** Whether driftline has no name for a field: a service got it later. It may be declared under `extra_fields`. */
export function isUnknownField(kind: KindName, field: string): boolean {
  return !knownKeys(kind).has(field);
}

/** The fields of an object that driftline has no name for. They may be settings, so no replace may lose them. */
export function unknownFields(kind: KindName, values: ValueObject): readonly string[] {
  return Object.keys(values).filter((field) => isUnknownField(kind, field));
}

/** Whether the values hold a field that the cheapest form of the kind's list lacks, or may lack. */
export function needsFullList({ name, lists: { fullListFields } }: Kind, values: ValueObject): boolean {
  if (fullListFields === undefined) return false;
  return fullListFields.some((field) => field in values) || unknownFields(name, values).length > 0;
}

/** Where a configuration declares a field, for messages. */
export function declaredPlace(kind: KindName, field: string): string {
  return isUnknownField(kind, field) ? `${EXTRA_FIELDS}.${field}` : field;
}
