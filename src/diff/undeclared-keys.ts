import { isDeclarable, sentByDefault } from "../kinds/fields.ts";
import type { Kind } from "../kinds/kind.ts";
import {
  isJsonObject,
  isValueObject,
  type Json,
  type JsonObject,
  own,
  type Value,
  type ValueObject,
} from "../model/json/json.ts";
import { isSecretName } from "../model/secret-values.ts";
import { liveAsDeclared } from "./body.ts";
import { equalScalars, isServiceVersion, policiesAt, scalarAt } from "./equal.ts";
import { fieldPlace, itemPlace, lastKey, memberPlace, type ValuePlace } from "./place.ts";

/**
 * Whether a live object has a value that is not declared, at any depth. Not counted are defaults, null, blank and empty values,
 * secrets, the natural key, what the service sets by itself, and what driftline sends to create an object.
 *
 * @param live an object without a difference from the declared values
 */
export function hasUndeclared(kind: Kind, declared: ValueObject, live: JsonObject): boolean {
  const declaredForm = liveAsDeclared(kind, declared, live);
  const values = kind.comparison?.canonical?.(declaredForm) ?? declaredForm;
  const sent = Object.keys(sentByDefault(kind.name));
  const uncounted = new Set([...kind.identity.keyFields, ...sent, ...(kind.comparison?.setByService ?? [])]);
  return Object.entries(values).some(([field, value]) => {
    const place = fieldPlace(kind, field, values);
    if (uncounted.has(field) || !isDeclarable(place.schema)) return false;
    return holdsMore(place, own(declared, field), value);
  });
}

function holdsMore(place: ValuePlace, declared: Value | undefined, live: Json): boolean {
  const { kind, keys, schema } = place;
  if (schema?.writeOnly === true || isSecretName(lastKey(keys))) return false;
  const policies = policiesAt(kind, keys);
  if (isServiceVersion(policies, keys)) return false;
  if (Array.isArray(live)) return holdsMoreItems(place, declared, live);
  if (!isJsonObject(live)) {
    const isUnset = live === null || live === "" || equalsDefault(place, live);
    return declared === undefined && !isUnset;
  }
  return Object.entries(live).some(([key, value]) => {
    const wanted = isValueObject(declared) ? own(declared, key) : undefined;
    return holdsMore(memberPlace(place, key, live), wanted, value);
  });
}

function equalsDefault(place: ValuePlace, live: Json): boolean {
  return equalScalars(place.schema?.default ?? null, live, scalarAt(place.kind, place));
}

/** A declared list has as many elements as the live one, and a declared set the same ones. */
function holdsMoreItems(place: ValuePlace, declared: Value | undefined, live: readonly Json[]): boolean {
  if (!Array.isArray(declared)) return live.length > 0;
  if (place.schema?.["x-unordered"] === true) return false;
  return live.some((item, index) => holdsMore(itemPlace(place, index), (declared as readonly Value[])[index], item));
}
