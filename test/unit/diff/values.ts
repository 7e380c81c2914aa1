import * as fc from "fast-check";
import { kinds } from "../../../src/kinds/registry.ts";
import { mapSecrets, type Json, type JsonObject, type ValueObject } from "../../../src/model/json.ts";
import type { KindName } from "../../../src/model/kind-name.ts";
import { EMAILS, fieldsOf } from "../../support/organizations.ts";

const level = fieldsOf.person.map((person): JsonObject => ({ level: person.level }));

/** Values of every kind as somebody might declare them; a declared field may be missing. */
const declared: Readonly<Record<KindName, fc.Arbitrary<JsonObject>>> = {
  organization: fc.record({
    name: fc.string(),
    enforce_2fa: fc.constantFrom(null, true, false),
    is_member_join_email_enabled: fc.boolean(),
  }),
  domain: fieldsOf.domain,
  membership: level,
  member: level,
  invite: fc
    .tuple(fieldsOf.person, fc.constantFrom(...EMAILS))
    .map(([person, target_email]) => ({ ...person, target_email })),
  batch_export: fieldsOf.batch_export,
  pipeline_destination: fieldsOf.plugin,
  pipeline_frontend_app: fieldsOf.plugin,
  pipeline_import_app: fieldsOf.plugin,
  insight: fieldsOf.insight,
};

/** A kind, and two objects of it. */
export interface Pair {
  readonly name: KindName;
  readonly left: JsonObject;
  readonly right: JsonObject;
}

export const pairs: fc.Arbitrary<Pair> = fc.oneof(
  ...Object.values(kinds).map((kind) =>
    fc.record({ name: fc.constant(kind.name), left: some(declared[kind.name]), right: declared[kind.name] }),
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
