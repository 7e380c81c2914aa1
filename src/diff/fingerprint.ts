import { createHash } from "node:crypto";
import { declarableFields, kindSchema, childSchema } from "../kinds/fields.ts";
import type { Kind } from "../kinds/kind.ts";
import { own, writeCanonical, type Json, type JsonObject, type ValueObject } from "../model/json.ts";
import type { LiveObject } from "../model/live.ts";
import { normalize, normalizedItems, policiesAt } from "./equal.ts";

/** SHA-256 of a value's canonical JSON, in the form that documents use. */
export function sha256(value: ValueObject): string {
  const hash = createHash("sha256");
  writeCanonical(value, (text) => hash.update(text));
  return `sha256:${hash.digest("hex")}`;
}

/**
 * Hash of everything that a decision about a live object was based on: its identity and state, and the declared fields
 * in their normal form, with the whole value of a field that would be overlaid, and the fields that a service shows in
 * their place. Changes by others to other fields do not count. Without a resource (a prune) only identity and state count.
 */
export function fingerprint(kind: Kind, live: LiveObject, declared: ValueObject): string {
  return hashOf(kind, live, declared, {});
}

/**
 * The same for a replace, which carries over what is not declared: every field counts but those that the service sets itself.
 */
export function replaceFingerprint(kind: Kind, live: LiveObject, declared: ValueObject): string {
  const others = declarableFields(kind.name).filter((field) => kind.setByService?.includes(field) !== true);
  const all = { ...Object.fromEntries(others.map((field) => [field, null])), ...declared };
  return hashOf(kind, live, all, { carried: live.carried ?? null });
}

function hashOf(kind: Kind, live: LiveObject, declared: ValueObject, more: JsonObject): string {
  const values = kind.canonical?.(live.values) ?? live.values;
  const compared = new Set([...Object.keys(declared), ...fieldsOfNotation(kind, live.values, declared)]);
  const fields = [...compared].map((field) => [field, canonicalForm(kind, field, declared, values)] as const);
  // These names are part of the hash: `stand_in` must stay, although the property is called `placeholder`.
  const state = { deleted: live.deleted ?? false, expired: live.expired ?? false, stand_in: live.placeholder ?? false };
  return sha256({
    id: live.id,
    keys: live.keys.slice(0, 1),
    parts: partsOf(live),
    ...state,
    ...more,
    fields: Object.fromEntries(fields),
  });
}

/** The fields from which the declared ones are read, or that take precedence over them. */
function fieldsOfNotation(kind: Kind, live: JsonObject, declared: ValueObject): readonly string[] {
  const notation = kind.toDeclaredNotation?.(declared, live);
  if (notation === undefined) return [];
  const read = Object.entries(notation.values).filter(([field, value]) => own(live, field) !== value);
  return [...read.map(([field]) => field), ...(notation.cleared ?? [])];
}

function partsOf(live: LiveObject): JsonObject | null {
  return live.parts === undefined ? null : { member: live.parts.member ?? null, invites: live.parts.invites };
}

function canonicalForm(kind: Kind, field: string, declared: ValueObject, values: JsonObject): Json {
  const value = own(values, field) ?? null;
  const schema = childSchema(kind.name, kindSchema(kind.name), field, declared);
  if (Array.isArray(value) && schema?.["x-unordered"] === true)
    return [...normalizedItems(value, policiesAt(kind, [field]))].toSorted();
  return normalize(value, { schema, policies: policiesAt(kind, [field]), isTrimmed: true });
}
