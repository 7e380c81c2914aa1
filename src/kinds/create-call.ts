import { sha256 } from "../model/hash.ts";
import { type ValueObject, own } from "../model/json/json.ts";
import { filterKeys } from "../model/json/object.ts";
import { kindSchema, sentByDefault } from "./fields.ts";
import type { Kind } from "./kind.ts";
import type { Call } from "./kind-parts.ts";
import { createOf, scopeType } from "./registry.ts";

/**
 * The call that creates an object with the declared values. A field that has its own operations starts in the
 * state in which a duplicate does no harm.
 *
 * @param scope address of the scope
 * @returns undefined if the kind cannot be created
 */
export function createCall(kind: Kind, scope: string, values: ValueObject, key: string): Call | undefined {
  const type = scopeType(scope);
  const { transition } = kind.writes.target(type, { id: "" });
  const start = transition === undefined ? {} : { [transition.field]: true };
  const body = { ...sentByDefault(kind.name), ...withoutUnset(kind, values), ...start };
  return createOf(kind)?.(type, body, key);
}

/** A null in a field that no read shows means that there is no value. A new object has none anyway, and not every service takes a null. */
function withoutUnset(kind: Kind, values: ValueObject): ValueObject {
  const { properties } = kindSchema(kind.name);
  return filterKeys(values, (field, value) => value !== null || own(properties, field)?.writeOnly !== true);
}

/** The hash of a create's body, as the journal records it. Secrets count as their expressions. */
export function createPayload({ body }: Pick<Call, "body">): string {
  return sha256(body ?? {});
}
