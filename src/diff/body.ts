import { isRefusedKey, isSecretField, kindSchema, withoutHeldCredentials } from "../kinds/fields.ts";
import type { Kind } from "../kinds/kind.ts";
import { canonicalJson } from "../model/json/canonical-json.ts";
import {
  isJsonArray,
  isJsonObject,
  isValueObject,
  type Json,
  type JsonObject,
  own,
  type Value,
  type ValueObject,
} from "../model/json/json.ts";
import { filterKeys } from "../model/json/object.ts";
import { pointer } from "../model/pointer.ts";
import { isMasked, isSecretName } from "../model/secret-values.ts";
import { type Difference, livePartners } from "./compare.ts";
import { type ComparisonRules, comparisonRules, type RuleOptions } from "./comparison-rules.ts";
import { isServiceVersion, policiesAt, withOthers } from "./equal.ts";
import { fieldPlace, itemPlace, memberPlace, type ValuePlace } from "./place.ts";

/**
 * The body of a PATCH: every field with a difference. A PATCH replaces a free-form value as a whole, so the body holds
 * the live value overlaid with the declared one. Keys that others own stay, unless the two values are of different types
 * (see `isOtherNode`).
 */
export function patchBody(
  kind: Kind,
  { values: declared, lifecycle = {} }: { readonly values: ValueObject; readonly lifecycle?: RuleOptions },
  live: JsonObject,
  differences: readonly Difference[],
): ValueObject {
  const fields = new Set(differences.map(({ keys }) => keys[0]));
  const rules = comparisonRules(kind, lifecycle);
  const declaredForm = liveAsDeclared(kind, declared, live);
  return Object.fromEntries(
    [...fields].map((field) => {
      const place = { ...fieldPlace(kind, field, declared), rules, lost: [] };
      return [field, overlay(place, own(declared, field) ?? null, own(declaredForm, field))];
    }),
  );
}

/** The body as it is sent: some services need more than what differs. @param live the values right before it is sent */
export function completedBody(
  kind: Kind,
  { values, lifecycle = {} }: { readonly values: ValueObject; readonly lifecycle?: RuleOptions },
  body: ValueObject,
  live: JsonObject,
): ValueObject {
  const rules = comparisonRules(kind, lifecycle);
  const managed = filterKeys(values, (field) => !rules.isIgnored([field]));
  return kind.writes.completed?.(body, { ...live, ...managed }, live) ?? body;
}

/** The live values in the notation of the declared ones. */
export function liveAsDeclared(kind: Kind, declared: ValueObject, live: JsonObject): JsonObject {
  return kind.comparison?.toDeclaredNotation?.(declared, live) ?? live;
}

interface OverlaidPlace extends ValuePlace {
  readonly rules: ComparisonRules;
  /** Gets the paths of live values that are not sent, because no read shows them. */
  readonly lost: string[];
}

/** The declared value at a place, with the live keys around it that others own. */
export function overlay(place: OverlaidPlace, declared: Value, live: Json | undefined): Value {
  if (live !== undefined && place.rules.isIgnored(place.keys) && !holdsMask(place, live)) return live;
  if (isValueObject(declared) && isJsonObject(live)) return overlayObject(place, declared, live);
  return Array.isArray(declared) && isJsonArray(live) ? overlayList(place, declared, live) : declared;
}

function overlayObject(place: OverlaidPlace, declared: ValueObject, live: JsonObject): ValueObject {
  const { kind, keys, rules, lost } = place;
  const isOther = ([key, value]: [string, Value]): boolean =>
    memberPlace(place, key, declared).schema?.["x-immutable"] === true &&
    canonicalJson(value) !== canonicalJson(own(live, key) ?? null);
  if (kind.comparison?.isOtherNode?.(keys[0], declared, live) === true || Object.entries(declared).some(isOther)) {
    lost.push(...unknownPaths(place, declared, live));
    return declared;
  }
  const kept = Object.entries(live).flatMap(([key, value]): [string, Json][] => {
    const member = memberPlace(place, key, declared);
    if (Object.hasOwn(declared, key) || rules.ofUndeclared(member.keys, value) === "difference") return [];
    if (isRefusedKey(place.schema, key)) {
      if (rules.ofUndeclared(member.keys, value) === "noted") lost.push(pointer(...member.keys));
      return [];
    }
    const visible = withoutHidden(member, value, lost);
    return visible === undefined ? [] : [[key, visible]];
  });
  const sent = Object.entries(declared).flatMap(([key, value]): [string, Value][] => {
    const member = memberPlace(place, key, declared);
    const present = own(live, key);
    // What others manage and have removed is not added again.
    if (present === undefined && rules.isIgnored(member.keys)) return [];
    // What is not compared is not shown as a change, so it stays as it is.
    if (isServiceVersion(policiesAt(kind, member.keys), member.keys))
      return present === undefined ? [] : [[key, present]];
    return [[key, overlay(member, value, present)]];
  });
  return Object.fromEntries([...kept, ...sent]);
}

/**
 * The paths of live values that would be replaced, and whose keys the schema does not have. They may or may not belong to the node that is
 * replaced. In a free-form value no key is in a schema, so none of them counts.
 */
function unknownPaths(place: OverlaidPlace, declared: Value | undefined, live: Json): readonly string[] {
  const { schema, rules } = place;
  if (!isJsonObject(live) || schema?.properties === undefined) return [];
  return Object.entries(live).flatMap(([key, value]) => {
    const member = memberPlace(place, key, live);
    const wanted = isValueObject(declared) ? own(declared, key) : undefined;
    if (member.schema !== undefined) return unknownPaths(member, wanted, value);
    return wanted === undefined && rules.ofUndeclared(member.keys, value) === "noted" ? [pointer(...member.keys)] : [];
  });
}

/** The declared list, with the live keys in its elements that others own. A new element gets none. */
function overlayList(place: OverlaidPlace, declared: readonly Value[], live: readonly Json[]): readonly Value[] {
  const { kind, keys, schema, rules } = place;
  if (schema?.["x-unordered"] === true && rules.isPartial(keys))
    return withOthers(declared, live, policiesAt(kind, keys));
  const partners = livePartners(place, declared, live);
  return declared.map((item, index) => {
    const partner = partners[index];
    return overlay(itemPlace(place, index), item, partner === undefined ? undefined : live[partner]);
  });
}

/** Returns a live value without what no read shows, whose paths are added to `lost`; undefined if nothing of it is shown. */
export function withoutHidden(place: ValuePlace, live: Json, lost: string[]): Json | undefined {
  const { keys, schema } = place;
  if (isMaskedSecret(place, live) || (live === null && isSecretField(schema))) return void lost.push(pointer(...keys));
  if (isJsonArray(live))
    return live.flatMap((item, index) => {
      const visible = withoutHidden(itemPlace(place, index), item, lost);
      return visible === undefined ? [] : [visible];
    });
  if (!isJsonObject(live)) return live;
  for (const [key, child] of Object.entries(schema?.properties ?? {}))
    if (child.writeOnly === true && !Object.hasOwn(live, key)) lost.push(pointer(...keys, key));
  const entries = Object.entries(live).flatMap(([key, value]): [string, Json][] => {
    const member = memberPlace(place, key, live);
    const settings = withoutHeldCredentials(member.schema, value, live);
    const visible = withoutHidden({ ...member, schema: settings }, value, lost);
    return visible === undefined ? [] : [[key, visible]];
  });
  return Object.fromEntries(entries);
}

/** Whether a value holds the mask of a secret, at any depth. A mask is never written back. */
function holdsMask(place: ValuePlace, value: Json): boolean {
  if (isJsonArray(value)) return value.some((item, index) => holdsMask(itemPlace(place, index), item));
  if (!isJsonObject(value)) return isMaskedSecret(place, value);
  return Object.entries(value).some(([key, item]) => holdsMask(memberPlace(place, key, value), item));
}

/**
 * Whether a live value is the mask of a secret, and not a user's text that looks like a mask: only what may be a secret has a mask.
 * Everything below a key with the name of a secret is a secret. What driftline has no name for may be one if it is nothing but stars.
 */
function isMaskedSecret(place: ValuePlace, value: Json): boolean {
  if (!isMasked(value)) return false;
  return (
    place.schema?.writeOnly === true || place.keys.some(isSecretName) || (/^[*•]+$/u.test(value) && isUnnamed(place))
  );
}

/** Whether a value stands where the schema has names, and has none for it. A field that is free-form as a whole, as a query, has none. */
function isUnnamed({ kind, keys: [field], schema }: ValuePlace): boolean {
  if (schema !== undefined) return false;
  const around = own(kindSchema(kind.name).properties, field);
  return around === undefined || around.properties !== undefined;
}
