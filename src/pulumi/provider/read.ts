import type { Kind } from "../../kinds/kind.ts";
import type { LiveObject } from "../../model/live.ts";
import { oneOf } from "./errors.ts";
import { lookUpObject, type LiveLookup } from "./lookup.ts";
import { outs } from "../properties/outs.ts";
import { declaredOf, inPulumi, inputsOf, outputsOf, type Declared, type Properties } from "../properties/properties.ts";
import type { ReadResult } from "./provider.ts";
import type { ReadSession } from "./session.ts";
import { compare } from "../../diff/compare.ts";
import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";

/**
 * What the service shows of a resource, for a refresh. It is missing only if a proven list lacks it; whatever else happens is
 * an error, so that a lost parent or a narrower key drops nothing from the state.
 */
export async function read(session: ReadSession, kind: Kind, id: string, props: Properties): Promise<ReadResult> {
  const declared = declaredOf(kind, props);
  if (declared.scope === "" && !kind.scopes.includes("service"))
    throw new Error(
      `${oneOf(kind)} is read by its ${kind.scopes.map((scope) => `${scope}Id`).join(" or ")} and its id: give both`,
    );
  const live = await lookUpObject(session, kind, declared, id);
  const found = objectOf(live, kind, declared, id, props);
  const inputs = inputsOf(kind, props);
  if (isGet(kind, props, declared)) return found === undefined ? {} : wholeOf(kind, found, id, inputs, live);
  if (found === undefined || found.deleted === true) return missing(kind, id, props, inputs);
  if (found.placeholder === true) return { id, props: { ...inputs, ...outputsOf(kind, props) }, inputs };
  const shown = { ...inputs, ...inPulumi(kind, projectLive(kind, declared.values, found.values)) };
  // Nothing but JSON may stand in a state.
  const inputsShown = JSON.parse(JSON.stringify(shown)) as Properties;
  return { id, props: outs(kind, shown, live.row(found.id), props), inputs: inputsShown };
}

/** Whether a program looks something up (`get`): what a state holds has declared or computed fields, or was adopted. */
function isGet(kind: Kind, props: Properties, { values, adopt }: Declared): boolean {
  return adopt === false && [...Object.keys(values), ...Object.keys(outputsOf(kind, props))].length === 0;
}

/** All that the service shows: who looks something up has declared nothing that it could be compared with. */
function wholeOf(kind: Kind, found: LiveObject, id: string, inputs: Properties, live: LiveLookup): ReadResult {
  const email = kind.keyedBy === undefined ? {} : { email: found.keys[0] ?? id };
  const shown = { ...inputs, ...email, ...inPulumi(kind, found.values) };
  return { id, props: outs(kind, shown, live.row(found.id)), inputs };
}

function objectOf(
  live: LiveLookup,
  kind: Kind,
  { name, values }: Declared,
  id: string,
  props: Properties,
): LiveObject | undefined {
  if (kind.keyedBy !== undefined && props["email"] !== undefined)
    return live.objects.find((one) => one.keys.includes(name));
  if (kind.derived === true) return live.objects.find((one) => one.keys.includes(id.trim().toLowerCase()));
  const keys = kind.declaredKeys(values, name);
  return (
    live.byId.get(id.toLowerCase()) ??
    live.objects.find((one) => one.placeholder === true && one.keys.some((key) => keys.includes(key)))
  );
}

function missing(kind: Kind, id: string, props: Properties, inputs: Properties): ReadResult {
  // It can be brought back under its id, which would be lost with the state: `up` restores it. Only inputs show as a change.
  if (kind.restorable === true) {
    const deleted = { ...inputs, deleted: true };
    return { id, props: { ...deleted, ...outputsOf(kind, props) }, inputs: deleted };
  }
  if (kind.requiresExplicitCreate === true) {
    const hint = "if it is gone for good, take it out of the state with `pulumi state delete`";
    throw new Error(`the key does not see the ${kind.name} ${id}, which does not say that it is gone: ${hint}`);
  }
  return {};
}

/**
 * What was declared, as the service shows it now: each place at which it differs has the live value, everything else is as it
 * was declared, so that an equivalent spelling is no change, and what the service does not give back is kept.
 */
export function projectLive(kind: Kind, declared: JsonObject, live: JsonObject): JsonObject {
  return compare(kind, declared, live).reduce<JsonObject>(
    (values, { keys, prior }) => replaced(values, keys, prior) as JsonObject,
    declared,
  );
}

function replaced(at: Json | undefined, keys: readonly string[], value: Json): Json {
  const [key, ...below] = keys;
  if (key === undefined) return value;
  if (Array.isArray(at))
    return at.map((item: Json, index) => (String(index) === key ? replaced(item, below, value) : item));
  const object = isJsonObject(at) ? at : {};
  return { ...object, [key]: replaced(object[key], below, value) };
}
