/** Whether a live object is still the one that a decision was based on. */
import { type Action } from "../model/change.ts";
import { childSchema, declarableFields, kindSchema } from "../kinds/fields.ts";
import type { Kind } from "../kinds/kind.ts";
import { sha256 } from "../model/hash.ts";
import { type Json, type JsonObject, own, type ValueObject } from "../model/json/json.ts";
import type { Attached, LiveObject } from "../model/live.ts";
import { filterKeys } from "../model/json/object.ts";
import { liveAsDeclared } from "./body.ts";
import { normalize, normalizedItems, policiesAt } from "./equal.ts";
import { precedenceOf } from "./shown-as.ts";

/**
 * Hash of everything that a decision about a live object was based on: its identity and state, and the declared fields
 * in their normal form, with the whole value of a field that would be overlaid, and the fields that a service shows in
 * their place. Changes by others to other fields do not count.
 */
export function fingerprint(kind: Kind, live: LiveObject, declared: ValueObject): string {
  return stateHash(kind, live, declared, {});
}

/**
 * The same for a replace, which carries over what is not declared: every field counts but those that the service sets itself.
 */
function replaceFingerprint(kind: Kind, live: LiveObject, declared: ValueObject): string {
  return stateHash(kind, live, allFields(kind, declared), { carried: live.carried ?? null });
}

/** The same for a removal, which takes all fields away. A list may or may not show some of them. */
function deleteFingerprint(kind: Kind, live: LiveObject, declared: ValueObject): string {
  const isCertain = (field: string): boolean => kind.lists.fullListFields?.includes(field) !== true;
  return stateHash(kind, live, filterKeys(allFields(kind, declared), isCertain), {});
}

function allFields(kind: Kind, declared: ValueObject): ValueObject {
  const others = declarableFields(kind.name).filter((field) => kind.comparison?.setByService?.includes(field) !== true);
  return { ...Object.fromEntries(others.map((field) => [field, null])), ...declared };
}

/** The fingerprint of a change: of the plan when it decides, and of apply before it writes. */
export function fingerprintFor(action: Action): typeof fingerprint {
  if (action === "delete") return deleteFingerprint;
  return action === "replace" ? replaceFingerprint : fingerprint;
}

/** The fingerprint of a change that may destroy what is attached to its object. */
export function withAttached(of: string, { destroyed, left }: Attached): string {
  return sha256({ fingerprint: of, destroyed, left });
}

function stateHash(kind: Kind, live: LiveObject, declared: ValueObject, more: JsonObject): string {
  const values = kind.comparison?.canonical?.(live.values) ?? live.values;
  const compared = new Set([...Object.keys(declared), ...fieldsOfNotation(kind, live.values, declared)]);
  const fields = [...compared].map((field) => [field, canonicalForm(kind, field, declared, values)] as const);
  // These names are part of the hash: `stand_in` must stay, although the state is called `placeholder`.
  const state = {
    deleted: live.state === "deleted",
    expired: live.state === "expired",
    stand_in: live.state === "placeholder",
    ...(live.state === "leaving" ? { leaving: true } : {}),
  };
  return sha256({
    id: live.id,
    keys: live.keys.slice(0, 1),
    parts: idsOfParts(live),
    ...state,
    ...more,
    fields: Object.fromEntries(fields),
  });
}

/** The fields from which the declared ones are read, or that decide over them. */
function fieldsOfNotation(kind: Kind, live: JsonObject, declared: ValueObject): readonly string[] {
  const declaredForm = liveAsDeclared(kind, declared, live);
  const read = Object.keys(declaredForm).filter((field) => own(live, field) !== declaredForm[field]);
  return [...read, ...[precedenceOf(kind, declared, live)?.of ?? []].flat()];
}

function idsOfParts(live: LiveObject): JsonObject | null {
  return live.parts === undefined ? null : { member: live.parts.member ?? null, invites: live.parts.invites };
}

function canonicalForm(kind: Kind, field: string, declared: ValueObject, values: JsonObject): Json {
  const value = own(values, field) ?? null;
  const schema = childSchema(kind.name, kindSchema(kind.name), field, declared);
  if (Array.isArray(value) && schema?.["x-unordered"] === true)
    return [...normalizedItems(value, policiesAt(kind, [field]))].toSorted();
  return normalize(value, { schema, policies: policiesAt(kind, [field]), isTrimmed: true });
}
