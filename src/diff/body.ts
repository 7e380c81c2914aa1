import { childSchema, kindSchema, type FieldSchema } from "../kinds/fields.ts";
import type { Kind } from "../kinds/kind.ts";
import type { KindName } from "../model/kind-name.ts";
import {
  canonicalJson,
  isJsonArray,
  isJsonObject,
  isMasked,
  isSecretName,
  isValueObject,
  type Json,
  type JsonObject,
  mapSecrets,
  own,
  SENSITIVE,
  type Value,
  type ValueObject,
} from "../model/json.ts";
import { pairElements } from "./align.ts";
import type { Difference, FieldPath } from "./compare.ts";
import { type Extent, extentOf, type ExtentOptions } from "./equal.ts";

/**
 * The body of a PATCH: every field with a difference. A PATCH replaces a free-form value as a whole, so the body holds
 * the live value overlaid with the declared one. Keys that others own stay, unless the two values are of different types
 * (see `isOtherNode`).
 */
export function patchBody(
  kind: Kind,
  declared: ValueObject,
  live: JsonObject,
  differences: readonly Difference[],
  options: ExtentOptions = {},
): ValueObject {
  const fields = new Set(differences.map(({ keys }) => keys[0]));
  const extent = extentOf(kind, options);
  return Object.fromEntries(
    [...fields].map((field) => [field, overlayField({ kind, extent }, field, declared, own(live, field))]),
  );
}

/** The declared value of a field, with the live keys around it that others own. */
export function overlayField(
  context: Pick<OverlayContext, "kind" | "extent">,
  field: string,
  declared: ValueObject,
  live: Json | undefined,
): Value {
  const { name } = context.kind;
  const schema = childSchema(name, kindSchema(name), field, declared);
  return overlay({ ...context, keys: [field], schema }, own(declared, field) ?? null, live);
}

interface OverlayContext {
  readonly kind: Kind;
  readonly extent: Extent;
  readonly keys: FieldPath;
  readonly schema: FieldSchema | undefined;
}

function overlay(at: OverlayContext, declared: Value, live: Json | undefined): Value {
  const { kind, extent, keys, schema } = at;
  if (live !== undefined && extent.isIgnored(keys) && !holdsMask(kind.name, schema, live, keys)) return live;
  const below = (key: string, child: FieldSchema | undefined): OverlayContext => ({
    ...at,
    keys: [...keys, key],
    schema: child,
  });
  if (isValueObject(declared) && isJsonObject(live)) {
    const childOf = (key: string): FieldSchema | undefined => childSchema(kind.name, schema, key, declared);
    const isOther = ([key, value]: [string, Value]): boolean =>
      childOf(key)?.["x-immutable"] === true && canonicalJson(value) !== canonicalJson(own(live, key) ?? null);
    if (kind.isOtherNode?.(keys[0], declared, live) === true || Object.entries(declared).some(isOther)) return declared;
    const isKept = ([key, value]: [string, Json]): boolean =>
      !Object.hasOwn(declared, key) &&
      extent.ofUndeclared([...keys, key], value) !== "difference" &&
      !isMaskedSecret(childOf(key), value, [...keys, key]);
    // What others manage and have removed is not added again.
    const isSent = ([key]: [string, Value]): boolean => Object.hasOwn(live, key) || !extent.isIgnored([...keys, key]);
    const declaredEntries = Object.entries(declared)
      .filter(isSent)
      .map(([key, value]): [string, Value] => [key, overlay(below(key, childOf(key)), value, own(live, key))]);
    return Object.fromEntries([...Object.entries(live).filter(isKept), ...declaredEntries]);
  }
  return Array.isArray(declared) && isJsonArray(live) ? overlayList(at, declared, live) : declared;
}

/**
 * The declared list, with the live keys in its elements that others own. Lists of equal lengths are overlaid by element, as
 * they are compared. Otherwise an element gets the keys of the live one that it belongs to (see `pairElements`).
 * The elements of a set are scalars, which have no keys.
 */
export function overlayList(at: OverlayContext, declared: readonly Value[], live: readonly Json[]): readonly Value[] {
  const partners = declared.length === live.length ? live : partnersOf(declared, live);
  return declared.map((item: Value, index) => {
    const below = { ...at, keys: [...at.keys, String(index)] as const, schema: at.schema?.items };
    return overlay(below, item, partners[index]);
  });
}

/** The live elements that belong to the declared ones, in the same order. */
function partnersOf(declared: readonly Value[], live: readonly Json[]): readonly (Json | undefined)[] {
  const shown = declared.map((item) => mapSecrets(item, () => SENSITIVE));
  return pairElements(live, shown).flatMap(({ from, to }) =>
    to === undefined ? [] : [from === undefined ? undefined : live[from]],
  );
}

/** Whether a value holds the mask of a secret, at any depth. A mask is never written back. */
function holdsMask(kind: KindName, schema: FieldSchema | undefined, value: Json, keys: readonly string[]): boolean {
  if (isJsonArray(value)) return value.some((item) => holdsMask(kind, schema?.items, item, keys));
  if (!isJsonObject(value)) return isMaskedSecret(schema, value, keys);
  return Object.entries(value).some(([key, item]) =>
    holdsMask(kind, childSchema(kind, schema, key, value), item, [...keys, key]),
  );
}

/**
 * Whether a live value is the mask of a secret, and not a user's text that looks like a mask.
 *
 * @param keys the path of the value: everything below the name of a secret is one
 */
export function isMaskedSecret(schema: FieldSchema | undefined, value: Json, keys: readonly string[]): boolean {
  return isMasked(value) && (schema?.writeOnly === true || keys.some(isSecretName) || value.includes("***"));
}
