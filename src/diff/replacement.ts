/**
 * What a replacement of a live object is created with. Whether an object is replaced is decided in ../plan/decide.ts.
 *
 * Terms: a value is carried over if it is live and not declared. It is lost if the old object may have it, and no read shows it.
 * Premise: people declare only a part of an object, and nothing of the rest may be lost with the old object. Values that the
 * service sets by itself are not carried: the new object gets its own.
 * Algorithm: a declared field is sent as in a PATCH, with the live keys around it. Any other writable field gets its live value,
 * and so does one that driftline has no name for.
 */
import { declarableFields, type FieldSchema } from "../kinds/fields.ts";
import type { Kind } from "../kinds/kind.ts";
import { unknownFields } from "../kinds/unknown-fields.ts";
import { nodesOf } from "../kinds/nodes.ts";
import { canonicalJson } from "../model/json/canonical-json.ts";
import { mapSecrets, own, valueAt, type Json, type JsonObject, type ValueObject } from "../model/json/json.ts";
import { filterKeys } from "../model/json/object.ts";
import { SENSITIVE } from "../model/secret-values.ts";
import { pointer } from "../model/pointer.ts";
import { liveAsDeclared, overlay, withoutHidden } from "./body.ts";
import { inspect, type Difference } from "./compare.ts";
import { comparisonRules, type ComparisonRules, type RuleOptions } from "./comparison-rules.ts";
import { fieldPlace, type ValuePlace } from "./place.ts";

export interface Replacement {
  /** The values of the new object: the declared ones, and those that are carried over. */
  readonly values: ValueObject;
  /** Those that are carried over. */
  readonly carried: JsonObject;
  /** JSON Pointers of values that the new object will not have, although the old one may. */
  readonly lost: readonly string[];
}

/**
 * Leaves out the carried fields that driftline has no name for: they are lost. For an object that is removed before its replacement
 * is created: a service that refuses one of them would leave nothing.
 */
export function withoutUnknown(kind: Kind, { values, carried, lost }: Replacement): Replacement {
  const unknown = unknownFields(kind.name, carried);
  const known = <T extends ValueObject>(fields: T): T => filterKeys(fields, (field) => !unknown.includes(field)) as T;
  return { values: known(values), carried: known(carried), lost: [...lost, ...unknown.map((field) => pointer(field))] };
}

/** Returns what the replacement of an object with the values `live` is created with. */
export function replacementOf(
  kind: Kind,
  declared: ValueObject,
  live: JsonObject,
  options: RuleOptions = {},
): Replacement {
  const isOwn = (path: string): boolean => kind.comparison?.setByService?.includes(path) === true;
  const standard = comparisonRules(kind, options);
  const rules: ComparisonRules = {
    ...standard,
    ofUndeclared: (keys, value) => (isOwn(pointer(...keys)) ? "difference" : standard.ofUndeclared(keys, value)),
  };
  const lost: string[] = [];
  const declaredForm = liveAsDeclared(kind, declared, live);
  const sent = Object.entries(declared).map(([field, value]) => {
    return [
      field,
      overlay({ ...fieldPlace(kind, field, declared), rules, lost }, value, own(declaredForm, field)),
    ] as const;
  });
  const entries = carriableFields(kind, live).flatMap((field) => {
    if (isOwn(field) || Object.hasOwn(declared, field)) return [];
    const value = carry(fieldPlace(kind, field, live), own(live, field), lost);
    return value === undefined ? [] : [[field, value] as const];
  });
  const carried = Object.fromEntries(entries);
  return { values: { ...Object.fromEntries(sent), ...carried }, carried, lost };
}

/** The fields of a live object that its replacement may be created with. */
function carriableFields({ name }: Kind, live: JsonObject): readonly string[] {
  return [...declarableFields(name), ...unknownFields(name, live)];
}

/** Returns what is sent of a live field that is not declared; undefined if the new object has that value anyway. */
function carry(place: ValuePlace, live: Json | undefined, lost: string[]): Json | undefined {
  if (live === undefined) {
    if (place.schema?.writeOnly === true && place.schema["x-once"] !== true) lost.push(pointer(...place.keys));
    return undefined;
  }
  return isStandard(place.schema, live) ? undefined : withoutHidden(place, live, lost);
}

/** Whether an object has this value if none is sent. Nobody knows that of a field without a schema. */
function isStandard(schema: FieldSchema | undefined, live: Json): boolean {
  return schema !== undefined && canonicalJson(live) === canonicalJson(schema.default ?? null);
}

/** Every path at which a replacement differs from the object that it replaces, in both directions, and every secret that is sent. */
export function replacedLeaves(kind: Kind, planned: ValueObject, live: JsonObject): readonly Difference[] {
  const masked = mapSecrets(planned, () => SENSITIVE) as JsonObject;
  const before = Object.fromEntries(
    carriableFields(kind, live).flatMap((field) => {
      const value = own(live, field);
      const isKept =
        value !== undefined && (field in planned || !isStandard(fieldPlace(kind, field, live).schema, value));
      return isKept ? [[field, value] as const] : [];
    }),
  );
  // Seen from the old object, the schema is that of its own type, so its secrets are recognised.
  const { differences, unreadable } = inspect(kind, before, masked);
  const removed = [...differences, ...unreadable]
    .filter(({ keys }) => valueAt(planned, keys) === undefined)
    .map((leaf): Difference => ({ ...leaf, live: leaf.planned as Json, planned: null }));
  const sent = inspect(kind, planned, live, { partial: Object.keys(nodesOf(kind.name)) });
  // The new object is sent every secret, although the service never shows whether it differs.
  return [...sent.differences, ...sent.unreadable, ...removed];
}
