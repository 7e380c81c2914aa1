import type { Kind } from "../../kinds/kind.ts";
import type { LiveObject } from "../../model/live.ts";
import { withArticle } from "./errors.ts";
import { lookUpObject, type LiveLookup } from "./lookup.ts";
import { outs } from "../properties/outs.ts";
import {
  parseDeclared,
  toPulumiProperties,
  pickInputs,
  pickOutputs,
  type DeclaredResource,
  type Properties,
} from "../properties/properties.ts";
import type { FoundObject, ReadResult } from "./provider.ts";
import type { ProviderSession, ReadSession } from "./session.ts";
import { compare } from "../../diff/compare.ts";
import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";

/**
 * Reads a resource for a refresh. It counts as gone only if a list that was proven complete lacks it. Everything else
 * is an error, so a lost parent or a key with fewer scopes removes nothing from the state.
 */
export async function read(session: ReadSession, kind: Kind, id: string, props: Properties): Promise<ReadResult> {
  const declared = parseDeclared(kind, props);
  if (declared.scope === "" && !kind.scopes.includes("service"))
    throw new Error(
      `${withArticle(kind)} is looked up by its id and its ${kind.scopes.map((scope) => `${scope}Id`).join(" or ")}: give both`,
    );
  const live = await lookUpObject(session, kind, declared, id);
  const found = findObject(live, kind, declared, id, props);
  const inputs = pickInputs(kind, props);
  if (isLookup(kind, props, declared)) return found === undefined ? {} : readWhole(kind, found, id, inputs, live);
  if (found === undefined || found.deleted === true) return missingResult(kind, id, props, inputs);
  if (found.placeholder === true) return { id, props: { ...inputs, ...pickOutputs(kind, props) }, inputs };
  const shown = { ...inputs, ...toPulumiProperties(kind, projectLive(kind, declared.values, found.values)) };
  // A state holds nothing but JSON.
  const inputsShown = JSON.parse(JSON.stringify(shown)) as Properties;
  return { id, props: outs(kind, shown, live.row(found.id), props), inputs: inputsShown };
}

/** Reads an object that no state holds, by its id and its scope, or for a person by the e-mail. */
export async function find(
  session: ProviderSession,
  kind: Kind,
  id: string,
  scope: Properties,
): Promise<FoundObject | undefined> {
  const declared = parseDeclared(kind, scope);
  const lookup = await lookUpObject(session, kind, declared, id);
  const live = findObject(lookup, kind, declared, id, scope);
  if (live === undefined || live.deleted === true || live.placeholder === true) return undefined;
  return { live, row: lookup.row(live.id), isSecret: session.redactor.holds };
}

/** Whether the object of a state certainly does not exist any more. What cannot be read may exist. */
export async function isGone(session: () => ReadSession, kind: Kind, id: string, props: Properties): Promise<boolean> {
  const declared = parseDeclared(kind, props);
  try {
    const live = await lookUpObject(session(), kind, declared, id);
    return findObject(live, kind, declared, id, props) === undefined;
  } catch {
    return false;
  }
}

/**
 * Whether a program looks an object up with `get`. A resource in a state has declared or computed fields, or was
 * adopted.
 */
function isLookup(kind: Kind, props: Properties, { values, adopt }: DeclaredResource): boolean {
  return adopt === false && [...Object.keys(values), ...Object.keys(pickOutputs(kind, props))].length === 0;
}

/** Returns all fields that the service shows. A lookup declares none to compare them with. */
function readWhole(kind: Kind, found: LiveObject, id: string, inputs: Properties, live: LiveLookup): ReadResult {
  const email = kind.keyedBy === undefined ? {} : { email: found.keys[0] ?? id };
  const shown = { ...inputs, ...email, ...toPulumiProperties(kind, found.values) };
  return { id, props: outs(kind, shown, live.row(found.id)), inputs };
}

function findObject(
  live: LiveLookup,
  kind: Kind,
  { name, values }: DeclaredResource,
  id: string,
  props: Properties,
): LiveObject | undefined {
  if (kind.keyedBy !== undefined && props["email"] !== undefined)
    return live.objects.find((one) => one.keys.includes(name));
  if (kind.lists.derived === true) return live.objects.find((one) => one.keys.includes(id.trim().toLowerCase()));
  const keys = kind.identity.declaredKeys(values, name);
  return (
    live.byId.get(id.toLowerCase()) ??
    live.objects.find((one) => one.placeholder === true && one.keys.some((key) => keys.includes(key)))
  );
}

function missingResult(kind: Kind, id: string, props: Properties, inputs: Properties): ReadResult {
  // The state keeps the id, so that `up` can restore the object under it. Only a changed input shows as a change.
  if (kind.writes.restorable === true) {
    const deleted = { ...inputs, deleted: true };
    return { id, props: { ...deleted, ...pickOutputs(kind, props) }, inputs: deleted };
  }
  if (kind.writes.requiresExplicitCreate === true) {
    const hint = "If it was deleted, remove it from the state with `pulumi state delete`";
    throw new Error(`the key does not see the ${kind.name} ${id}, which may still exist. ${hint}`);
  }
  return {};
}

/**
 * Returns the declared values with the live value at each path that differs. Everything else stays as it was declared,
 * so an equivalent spelling is not a change, and fields that the service does not return are kept.
 */
export function projectLive(kind: Kind, declared: JsonObject, live: JsonObject): JsonObject {
  return compare(kind, declared, live).reduce<JsonObject>(
    (values, { keys, live: value }) => replaceAt(values, keys, value) as JsonObject,
    declared,
  );
}

function replaceAt(at: Json | undefined, keys: readonly string[], value: Json): Json {
  const [key, ...below] = keys;
  if (key === undefined) return value;
  if (Array.isArray(at))
    return at.map((item: Json, index) => (String(index) === key ? replaceAt(item, below, value) : item));
  const object = isJsonObject(at) ? at : {};
  return { ...object, [key]: replaceAt(object[key], below, value) };
}
