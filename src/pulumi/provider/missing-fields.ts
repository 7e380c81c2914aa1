/**
 * Declared fields that a service does not have.
 *
 * Premise: the rows of a list show what a service has. A preview reads none for a resource that exists, and sees only
 * its state.
 * Algorithm: a plan leaves such fields out and warns. A call that has read a list notes them in the state, and a later
 * comparison with the state warns again. The check of a new resource reads the list of its place if it declares a field
 * that not every service has.
 */
import type { Kind } from "../../kinds/kind.ts";
import { missingFields, varyingFields, type VaryingField } from "../../kinds/varying-fields.ts";
import { valueAt, type JsonObject } from "../../model/json/json.ts";
import { listKey, type LiveWorld } from "../../model/live.ts";
import { filterKeys } from "../../model/json/object.ts";
import { pointer } from "../../model/pointer.ts";
import { UNKNOWN } from "../properties/check.ts";
import { MISSING, parseDeclared, type DeclaredResource, type Properties } from "../properties/properties.ts";
import { missingIn } from "./errors.ts";
import { readOwnList, scopesOf } from "./scope-read.ts";
import { planRequest } from "./plan-and-apply.ts";
import type { ReadSession } from "./session.ts";

/** The output that notes the declared fields which the service does not have. None if there are none. */
export function missingOutput(declared: DeclaredResource, world: LiveWorld): Properties {
  const fields = missingOf(declared, world).map(({ keys }) => pointer(...keys));
  return fields.length === 0 ? {} : { [MISSING]: fields };
}

/** The declared values without the fields that the service does not have, and does not show as others either. */
export function withoutMissing(declared: DeclaredResource, world: LiveWorld): JsonObject {
  const dropped = missingOf(declared, world).filter(
    ({ keys, schema }) => keys.length === 1 && schema["x-left"]?.shown_as === undefined,
  );
  const names = new Set(dropped.map(({ keys: [field] }) => field));
  return filterKeys(declared.values, (field) => !names.has(field));
}

function missingOf(declared: DeclaredResource, { lists }: LiveWorld): readonly VaryingField[] {
  const { kind, values, scope } = declared;
  const missing = missingFields(kind.name, values, lists.get(listKey(scope, kind.name)));
  return missing.filter((field) => isDeclaredField(declared, field));
}

/** The warnings about a resource whose state notes fields that its service does not have. */
export function warningsOfState(kind: Kind, olds: Properties, news: Properties): readonly string[] {
  const { [MISSING]: missing } = olds;
  if (!Array.isArray(missing)) return [];
  const declared = parseDeclared(kind, news);
  const taken = new Set(varyingFields(kind.name).map(({ keys }) => pointer(...keys)));
  for (const path of missing) taken.delete(String(path));
  const lists = new Map([[listKey(declared.scope, kind.name), { status: "known", objects: [], taken } as const]]);
  return missingIn(
    planRequest({ self: undefined }, { scopes: scopesOf(declared), lists }, { declared, lifecycle: {} }),
  );
}

/** The warnings about a new resource. Reads a list, but only if it declares what some service does not have and its place is known. */
export async function warningsOfNew(session: ReadSession, kind: Kind, inputs: Properties): Promise<readonly string[]> {
  const declared = parseDeclared(kind, inputs);
  const { world } = await readOwnList(session, declared);
  return missingIn(planRequest({ self: undefined }, world, { declared, lifecycle: {} }));
}

/** Whether a resource declares a field that not every service has, in a place that is known. */
export function mayMiss(kind: Kind, inputs: Properties): boolean {
  const declared = parseDeclared(kind, inputs);
  const { path } = declared;
  return (
    varyingFields(kind.name).some((field) => isDeclaredField(declared, field)) && !Object.values(path).includes(UNKNOWN)
  );
}

/** A null says nothing here. */
function isDeclaredField({ values }: DeclaredResource, { keys }: VaryingField): boolean {
  return (valueAt(values, keys) ?? null) !== null;
}
