import * as fc from "fast-check";
import { precedenceOf, unverifiablePaths } from "../../../src/diff/shown-as.ts";
import { kinds } from "../../../src/kinds/registry.ts";
import { mapSecrets, type Json, type JsonObject, type ValueObject } from "../../../src/model/json/json.ts";
import type { KindName } from "../../../src/model/kind-name.ts";
import { allSpecimens } from "../../support/interface/index.ts";

/** A kind, and two objects of it. */
export interface Pair {
  readonly name: KindName;
  readonly left: JsonObject;
  readonly right: JsonObject;
}

export const pairs: fc.Arbitrary<Pair> = fc.oneof(
  ...allSpecimens.map(([name, { arbitrary }]) =>
    fc.record({ name: fc.constant(name), left: some(arbitrary), right: arbitrary }),
  ),
);

function some(fields: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> {
  return fc
    .tuple(fields, fc.array(fc.boolean(), { minLength: 16, maxLength: 16 }))
    .map(([values, keep]) =>
      Object.fromEntries(Object.entries(values).filter((_entry, index) => keep[index] === true)),
    );
}

/** What a service holds after it was sent this. */
export function taken(live: JsonObject, body: ValueObject): JsonObject {
  return { ...live, ...(mapSecrets(body, (secret): Json => secret.expression) as JsonObject) };
}

/** Whether a service shows live values in the notation of these declared ones, and each field as itself. */
export function isSameNotation(name: KindName, declared: ValueObject, live: JsonObject): boolean {
  const kind = kinds[name];
  const isRestated = kind.comparison?.toDeclaredNotation?.(declared, live) !== undefined;
  const isOther =
    precedenceOf(kind, declared, live) !== undefined || unverifiablePaths(kind, declared, live).length > 0;
  return !isRestated && !isOther;
}
