import { afterConversion } from "../../diff/conversion.ts";
import { compare, isImmutable, type Difference } from "../../diff/compare.ts";
import type { Kind } from "../../kinds/kind.ts";
import { asText } from "../../kinds/keys.ts";
import { replacementOf } from "../../diff/replacement.ts";
import { canonicalJson } from "../../model/json/canonical-json.ts";
import { type Json, type JsonObject, valueAt } from "../../model/json/json.ts";
import { pointerKeys } from "../../model/pointer.ts";
import { UNKNOWN_SECRET } from "../../model/secret-values.ts";
import { isFixedIn, toInterfaceFields, propertyKeys, propertyName, type Properties } from "../properties/properties.ts";
import { missingSecretsIn } from "./missing-secrets.ts";
import type { ChangedPart, DiffResult } from "./calls.ts";
import { isKeyedByEmail } from "../../kinds/registry.ts";

/**
 * Compares a program with a state, as a plan compares a configuration with a live object. Pure, because the engine asks
 * for one resource at a time. Without `changes` the engine of dynamic resources works out the details from the inputs.
 *
 * @throws Error if a write would need a secret that the program does not have
 */
export function diff(kind: Kind, olds: Properties, news: Properties): DiffResult {
  const differences = differencesOf(kind, olds, news);
  const immutable = differences.filter((difference) => isImmutable(difference, isFixedIn(olds)));
  const replaces = [
    ...changedIdentity(kind, olds, news),
    ...immutable.map(({ keys }) => propertyName(kind, keys[0] ?? "")),
  ];
  const missing = missingSecretsIn(toInterfaceFields(kind, news), replaces.length > 0 ? undefined : differences);
  if (missing !== undefined) throw new Error(missing);
  const changed = [
    ...changedIdentity(kind, olds, news).map((name) => changedPart(olds, news, [name])),
    ...differences.map((difference) => differingPart(kind, olds, difference)),
    // Nothing is sent for a field that is no longer declared, but the state has to forget it.
    ...undeclaredFields(kind, olds, news).map((keys) => changedPart(olds, news, keys)),
    ...(olds["confirmDelete"] === news["confirmDelete"] ? [] : [changedPart(olds, news, ["confirmDelete"])]),
    // Somebody else has soft-deleted it: the update restores it under its id.
    ...(olds["deleted"] === true ? [changedPart(olds, news, ["deleted"])] : []),
  ];
  // The new object may need the natural key of the old one.
  if (replaces.length > 0) {
    const lost = immutable.length > 0 ? lostByReplace(kind, olds, news) : [];
    const replaced = { replaces: [...new Set(replaces)], deleteBeforeReplace: true, changed };
    return lost.length === 0 ? replaced : { ...replaced, lost };
  }
  return changed.length > 0 ? { changed } : { changes: false };
}

function differingPart(kind: Kind, olds: Properties, { keys, isUndeclared }: Difference): ChangedPart {
  const path = propertyKeys(kind, keys);
  return { keys: path, action: isUndeclared === true ? "delete" : hasPath(olds, path) ? "update" : "add" };
}

function changedPart(olds: Properties, news: Properties, keys: ChangedPart["keys"]): ChangedPart {
  return { keys, action: !hasPath(news, keys) ? "delete" : hasPath(olds, keys) ? "update" : "add" };
}

/**
 * A replace carries over what the service shows of the old object. The rest has to be declared: a state does not show whether the
 * old object has it.
 */
function lostByReplace(kind: Kind, olds: Properties, news: Properties): readonly string[] {
  const { lost } = replacementOf(kind, toInterfaceFields(kind, news), toInterfaceFields(kind, olds));
  return [...new Set(lost.map((path) => propertyKeys(kind, [pointerKeys(path)[0] ?? ""]).join(".")))];
}

/** Why an object must not be replaced. */
export function lossRefusal(lost: readonly string[]): string {
  const names = lost.join(", ");
  return `replacing it would lose any value of ${names}, because the service never shows such values. Declare ${names}, with "" if the value may be lost`;
}

/**
 * Returns all differences between the state and the declared values. The state holds the values that were sent, so
 * fields that the service does not return are compared as well.
 */
export function differencesOf(kind: Kind, olds: Properties, news: Properties): readonly Difference[] {
  const state = toInterfaceFields(kind, olds);
  const declared = afterConversion(kind, toInterfaceFields(kind, news), state);
  return compare(kind, declared, state, { rotate: true }).filter(
    ({ live, planned, keys }) =>
      planned !== UNKNOWN_SECRET && (!hasPath(state, keys) || canonicalJson(live) !== canonicalJson(planned)),
  );
}

/**
 * The changed inputs that identify the object: its scope, and the e-mail of a person. A new value means another object.
 */
function changedIdentity(kind: Kind, olds: Properties, news: Properties): readonly string[] {
  const normalize = (value: Json | undefined): string => (asText(value) ?? "").trim().toLowerCase();
  const names = ["organizationId", "projectId", ...(isKeyedByEmail(kind.name) ? ["email"] : [])];
  return names.filter((name) => name in { ...olds, ...news } && normalize(olds[name]) !== normalize(news[name]));
}

/** The paths of the properties that are no longer declared. */
function undeclaredFields(kind: Kind, olds: Properties, news: Properties): readonly ChangedPart["keys"][] {
  const declared = toInterfaceFields(kind, news);
  return Object.keys(toInterfaceFields(kind, olds))
    .filter((field) => !(field in declared))
    .map((field) => propertyKeys(kind, [field]));
}

function hasPath(values: JsonObject, keys: readonly string[]): boolean {
  return valueAt(values, keys) !== undefined;
}
