/**
 * A declared field that services show as another one (`shown_as` of the schema), as they show the filters of an insight as its query.
 *
 * Premise: where the other field has a value, it decides, and not the declared one. It was stored by an edit in the web interface, or
 * the service generates it from the declared field: nothing shows which of the two. Server facts 233 and 234. Today's service shows
 * no filters, also of an insight that has nothing else. Current service 207.
 */
import { kindSchema } from "../kinds/fields.ts";
import type { Kind } from "../kinds/kind.ts";
import { isJsonObject, isValueObject, type JsonObject, own, type ValueObject } from "../model/json/json.ts";
import { pointer } from "../model/pointer.ts";

/** A live field that the service reads in the place of a declared one. */
export interface Precedence {
  /** The live field that counts: `query`. */
  readonly of: string;
  /** The declared field that does not count beside it: `filters`. */
  readonly over: string;
}

/** The declared fields that are shown as another one, which is not declared. */
function shownAsOthers({ name }: Kind, declared: ValueObject): readonly Precedence[] {
  const { properties } = kindSchema(name);
  return Object.entries(declared).flatMap(([over, value]) => {
    const of = own(properties, over)?.["x-left"]?.shown_as;
    return of !== undefined && isValueObject(value) && (own(declared, of) ?? null) === null ? [{ of, over }] : [];
  });
}

/** The live field that the service reads in the place of a declared one; undefined if there is none. */
export function precedenceOf(kind: Kind, declared: ValueObject, live: JsonObject): Precedence | undefined {
  return shownAsOthers(kind, declared).find(({ of }) => isJsonObject(live[of]));
}

/** Like {@link precedenceOf}, if the declaration does not say what becomes of that live field. Then nothing is written over it. */
export function undeclaredPrecedence(kind: Kind, declared: ValueObject, live: JsonObject): Precedence | undefined {
  const found = precedenceOf(kind, declared, live);
  return found !== undefined && Object.hasOwn(declared, found.of) ? undefined : found;
}

/** JSON Pointers of the declared values that cannot be compared, because the service shows them neither as they are nor as others. */
export function unverifiablePaths(kind: Kind, declared: ValueObject, live: JsonObject): readonly string[] {
  return shownAsOthers(kind, declared).flatMap(({ of, over }) => {
    const isShown = isJsonObject(live[of]) || Object.hasOwn(live, over);
    return isShown || Object.keys(declared[over] ?? {}).length === 0 ? [] : [pointer(over)];
  });
}
