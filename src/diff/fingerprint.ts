import { createHash } from "node:crypto";
import { kindSchema, childSchema } from "../kinds/fields.ts";
import type { Kind } from "../kinds/kind.ts";
import { canonicalJson, own, writeCanonical, type Json, type JsonObject, type ValueObject } from "../model/json.ts";
import type { LiveObject } from "../model/live.ts";
import { normalize, policiesAt } from "./equal.ts";

/** SHA-256 of a value's canonical JSON, as outputs show it. */
export function sha256(value: ValueObject): string {
  const hash = createHash("sha256");
  writeCanonical(value, (text) => hash.update(text));
  return `sha256:${hash.digest("hex")}`;
}

/**
 * What a decision about a live object was based on: the declared fields, each in its one spelling, and the whole value where
 * an overlay of it would be sent. What others do to other fields does not count. Without a resource (a prune) it is what
 * identifies the object.
 */
export function fingerprint(kind: Kind, live: LiveObject, declared: ValueObject): string {
  const fields = Object.keys(declared).map(
    (field) => [field, canonicalForm(kind, field, declared, live.values)] as const,
  );
  const state = { deleted: live.deleted ?? false, expired: live.expired ?? false, stand_in: live.placeholder ?? false };
  return sha256({
    id: live.id,
    keys: live.keys.slice(0, 1),
    parts: partsOf(live),
    ...state,
    fields: Object.fromEntries(fields),
  });
}

function partsOf(live: LiveObject): JsonObject | null {
  return live.parts === undefined ? null : { member: live.parts.member ?? null, invites: live.parts.invites };
}

function canonicalForm(kind: Kind, field: string, declared: ValueObject, values: JsonObject): Json {
  const value = own(values, field) ?? null;
  const schema = childSchema(kind.name, kindSchema(kind.name), field, declared);
  if (Array.isArray(value) && schema?.["x-unordered"] === true)
    return value.map((item: Json) => canonicalJson(item)).toSorted();
  return normalize(value, { schema, policies: policiesAt(kind, [field]), top: true });
}
