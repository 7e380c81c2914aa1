import { compare } from "../../diff/compare.ts";
import type { Kind } from "../../kinds/kind.ts";
import { withValueAt, type JsonObject } from "../../model/json/json.ts";
import { scopesOfKind, isKeyedByEmail, isRestorable, isScope, isDerived } from "../../kinds/registry.ts";
import { withArticle } from "../../model/text/plural.ts";
import { isUnknownField } from "../../kinds/unknown-fields.ts";
import { isPresent, type LiveObject } from "../../model/live.ts";
import { filterKeys } from "../../model/json/object.ts";
import { readScopeWith, type ScopeRead, requireWholeList } from "./scope-read.ts";
import { missingOutput, withoutMissing } from "./missing-fields.ts";
import { outputs } from "../properties/outputs.ts";
import {
  parseDeclared,
  toPulumiProperties,
  pickInputs,
  pickOutputs,
  type DeclaredResource,
  type Properties,
} from "../properties/properties.ts";
import type { FoundObject, ReadResult, StoredObject } from "./calls.ts";
import type { ProviderSession, ReadSession } from "./session.ts";

/**
 * Reads a resource for a refresh. It counts as gone only if a list that was proven complete lacks it. Everything else
 * is an error, so a lost parent or a key with fewer permissions removes nothing from the state.
 */
export async function read(session: ReadSession, stored: StoredObject): Promise<ReadResult> {
  const { kind, id, props } = stored;
  const declared = parseDeclared(kind, props);
  if (declared.scope === "" && !scopesOfKind(kind.name).includes("service"))
    throw new Error(
      `${withArticle(kind.name)} is looked up by its id and its ${scopesOfKind(kind.name)
        .map((scope) => `${scope}Id`)
        .join(" or ")}: give both`,
    );
  const live = await readScopeWith(session, declared, id);
  const object = findObject(live, stored, declared);
  const inputs = pickInputs(kind, props);
  if (isLookup(props, declared)) return object === undefined ? {} : readWhole(stored, object, live);
  if (object === undefined) await requireWholeList(session, declared, live);
  if (object === undefined || object.state === "deleted") return missingResult(stored);
  if (object.state === "placeholder") return { id, props: { ...inputs, ...pickOutputs(kind, props) }, inputs };
  const compared = withoutMissing(declared, live.world);
  const shown = { ...inputs, ...toPulumiProperties(kind, projectLive(kind, compared, object.values)) };
  // A state holds nothing but JSON.
  const inputsShown = JSON.parse(JSON.stringify(shown)) as Properties;
  const state = outputs(kind, shown, live.row(object.id), props);
  return { id, props: { ...state, ...missingOutput(declared, live.world) }, inputs: inputsShown };
}

/** Reads an object that no state holds, by its id and its scope, or for a person by the e-mail. */
export async function readUnrecorded(session: ProviderSession, named: StoredObject): Promise<FoundObject | undefined> {
  const { kind, id, props } = named;
  const declared = parseDeclared(kind, props);
  const shown = await readScopeWith(session, declared, id);
  const live = findObject(shown, named, declared);
  if (live === undefined || !isPresent(live)) return undefined;
  return { live, row: shown.row(live.id), isSecret: session.redactor.holds };
}

/** Whether the object of a state certainly does not exist any more. What cannot be read may exist. */
export async function isGone(session: () => ReadSession, stored: StoredObject): Promise<boolean> {
  const { kind, id, props } = stored;
  const declared = parseDeclared(kind, props);
  try {
    const live = await readScopeWith(session(), declared, id);
    if (findObject(live, stored, declared) !== undefined) return false;
    await requireWholeList(session(), declared, live);
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether a program looks an object up with `get`. A resource in a state has declared or computed fields, or was
 * adopted.
 */
function isLookup(props: Properties, { kind, values, adopt }: DeclaredResource): boolean {
  return adopt === false && [...Object.keys(values), ...Object.keys(pickOutputs(kind, props))].length === 0;
}

/** A lookup declares nothing to compare the fields with. */
function readWhole({ kind, id, props }: StoredObject, object: LiveObject, live: ScopeRead): ReadResult {
  const inputs = pickInputs(kind, props);
  return { id, props: shownFields(kind, inputs, object, live), inputs };
}

/** All fields that the service shows. One that driftline has no name for may be a secret, so it is left out. */
export function shownFields(kind: Kind, props: Properties, object: LiveObject, { row }: ScopeRead): Properties {
  const email = isKeyedByEmail(kind.name) ? { email: object.keys[0] ?? object.id } : {};
  const known = filterKeys(object.values, (field) => !isUnknownField(kind.name, field));
  return outputs(kind, { ...props, ...email, ...toPulumiProperties(kind, known) }, row(object.id));
}

function findObject(
  live: ScopeRead,
  { kind, id, props }: StoredObject,
  { name, values }: DeclaredResource,
): LiveObject | undefined {
  if (isKeyedByEmail(kind.name) && props["email"] !== undefined)
    return live.objects.find((one) => one.keys.includes(name));
  if (isDerived(kind)) return live.objects.find((one) => one.keys.includes(id.trim().toLowerCase()));
  const keys = kind.identity.declaredKeys(values, name);
  return (
    live.byId.get(id.toLowerCase()) ??
    live.objects.find((one) => one.state === "placeholder" && one.keys.some((key) => keys.includes(key)))
  );
}

function missingResult({ kind, id, props }: StoredObject): ReadResult {
  // The state keeps the id, so that `up` can restore the object under it. Only a changed input shows as a change.
  if (isRestorable(kind)) {
    const deleted = { ...pickInputs(kind, props), deleted: true };
    return { id, props: { ...deleted, ...pickOutputs(kind, props) }, inputs: deleted };
  }
  if (isScope(kind)) {
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
    (values, { keys, live: value }) => withValueAt(values, keys, value) as JsonObject,
    declared,
  );
}
