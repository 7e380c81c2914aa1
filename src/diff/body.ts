import { childSchema, isSecretField, kindSchema, type FieldSchema } from "../kinds/fields.ts";
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
  own,
  pointer,
  type Value,
  type ValueObject,
} from "../model/json.ts";
import { type Difference, type FieldPath, livePartners } from "./compare.ts";
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
    [...fields].map((field) => [field, overlayField({ kind, extent, lost: [] }, field, declared, own(live, field))]),
  );
}

/** The declared value of a field, with the live keys around it that others own. */
export function overlayField(
  context: Pick<OverlayContext, "kind" | "extent" | "lost">,
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
  /** Gets the paths of live values that are not sent, because no read shows them. */
  readonly lost: string[];
  readonly keys: FieldPath;
  readonly schema: FieldSchema | undefined;
}

function overlay(at: OverlayContext, declared: Value, live: Json | undefined): Value {
  const { kind, extent, lost, keys, schema } = at;
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
    if (kind.comparison?.isOtherNode?.(keys[0], declared, live) === true || Object.entries(declared).some(isOther))
      return declared;
    const kept = Object.entries(live).flatMap(([key, value]): [string, Json][] => {
      const path = [...keys, key];
      if (Object.hasOwn(declared, key) || extent.ofUndeclared(path, value) === "difference") return [];
      const shown = withoutHidden(kind, path, childOf(key), value, lost);
      return shown === undefined ? [] : [[key, shown]];
    });
    // What others manage and have removed is not added again.
    const isSent = ([key]: [string, Value]): boolean => Object.hasOwn(live, key) || !extent.isIgnored([...keys, key]);
    const declaredEntries = Object.entries(declared)
      .filter(isSent)
      .map(([key, value]): [string, Value] => [key, overlay(below(key, childOf(key)), value, own(live, key))]);
    return Object.fromEntries([...kept, ...declaredEntries]);
  }
  return Array.isArray(declared) && isJsonArray(live) ? overlayList(at, declared, live) : declared;
}

/** The declared list, with the live keys in its elements that others own. A new element gets none. */
function overlayList(at: OverlayContext, declared: readonly Value[], live: readonly Json[]): readonly Value[] {
  const { keys, schema } = at;
  const partners = livePartners({ ...at, unverifiable: new Set() }, keys, schema, declared, live);
  return declared.map((item: Value, index) => {
    const below = { ...at, keys: [...keys, String(index)] as const, schema: schema?.items };
    const partner = partners[index];
    return overlay(below, item, partner === undefined ? undefined : live[partner]);
  });
}

/** Returns a live value without what no read shows, whose paths are added to `lost`; undefined if nothing of it is shown. */
export function withoutHidden(
  kind: Kind,
  keys: readonly string[],
  schema: FieldSchema | undefined,
  live: Json,
  lost: string[],
): Json | undefined {
  if (isMaskedSecret(schema, live, keys) || (live === null && isSecretField(schema)))
    return void lost.push(pointer(...keys));
  if (isJsonArray(live)) {
    const items = live.map((item, index) => withoutHidden(kind, [...keys, String(index)], schema?.items, item, lost));
    return items.filter((item) => item !== undefined);
  }
  if (!isJsonObject(live)) return live;
  for (const [key, child] of Object.entries(schema?.properties ?? {}))
    if (child.writeOnly === true && !Object.hasOwn(live, key)) lost.push(pointer(...keys, key));
  const entries = Object.entries(live).flatMap(([key, value]): [string, Json][] => {
    const shown = withoutHidden(kind, [...keys, key], childSchema(kind.name, schema, key, live), value, lost);
    return shown === undefined ? [] : [[key, shown]];
  });
  return Object.fromEntries(entries);
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
 * @param keys the path of the value: everything below a key with the name of a secret is a secret
 */
function isMaskedSecret(schema: FieldSchema | undefined, value: Json, keys: readonly string[]): boolean {
  return isMasked(value) && (schema?.writeOnly === true || keys.some(isSecretName) || value.includes("***"));
}
