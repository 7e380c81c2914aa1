/**
 * Values as the configuration may hold them.
 *
 * Premise: a secret is never written, whether the service shows it in clear, masked or emptied; what a service made text of a
 * number gets its type back; the order of keys and of sets is the service's whim and must not show.
 * Algorithm: walk the value beside its schema. Whatever is a secret by schema, or stands below a key that is named like one,
 * becomes `${secret:NAME}`; a key that merely is not shown is left out and named in a comment.
 */
import { childSchema, isSecretField, type FieldSchema } from "../kinds/fields.ts";
import { isJsonObject, ExactNumber, type Json, type JsonObject, type Value, type ValueObject } from "../model/json.ts";
import type { KindName } from "../model/kind-name.ts";
import { isMasked, isSecretName } from "../model/sensitive.ts";
import { compareText } from "./names.ts";
import type { ExportSession } from "./session.ts";
import { requiredMaskedFields, maskedValueComment } from "./masked-values.ts";

/** Where a value stands. */
export interface At {
  readonly session: ExportSession;
  readonly kind: KindName;
  /** Name of the resource. */
  readonly name: string;
  readonly key: string;
  readonly schema: FieldSchema | undefined;
  /** Below a key that is named like a secret. */
  readonly hidden: boolean;
  /** The keys beside it are known, but not its own: a mask counts as one. */
  readonly stray: boolean;
}

/** The value as it is written; undefined where the service does not show it. */
export function exportValue(value: Json, at: At): Value | undefined {
  const { schema, session } = at;
  if (isSecretField(schema)) return value === null ? undefined : session.secret(at.name, at.key);
  const hidden = at.hidden || isSecretName(at.key);
  if (Array.isArray(value)) return exportItems(value, { ...at, hidden });
  if (isJsonObject(value)) return exportMembers(value, { ...at, hidden });
  // Flags such as `secret: true` say something about a secret; they hold none.
  if (value === null || typeof value === "boolean") return value;
  const isKnown = typeof value === "string" && session.isSecret(value);
  if (hidden || isKnown || (at.stray && isAllMask(value))) return session.secret(at.name, at.key);
  // What cannot be said exactly is not declared, and stays as it is on the service.
  if (value instanceof ExactNumber) return undefined;
  if (schema?.writeOnly === true && isMasked(value)) return undefined;
  return typeof value === "string" ? retyped(value, schema) : value;
}

function exportItems(items: readonly Json[], at: At): Value | undefined {
  if (!at.hidden && items.some(isNotExportable)) return undefined;
  const ordered = at.schema?.["x-unordered"] === true ? items.toSorted(compareItems) : items;
  return ordered.map((item) => exportValue(item, { ...at, schema: at.schema?.items, stray: false }) ?? null);
}

function exportMembers(object: JsonObject, at: At): Value {
  const { kind, schema, session } = at;
  const members = keysInOrder(object, schema).flatMap((key): [string, Value][] => {
    const child = schema === undefined ? undefined : childSchema(kind, schema, key, object);
    const stray = child === undefined && schema?.properties !== undefined;
    // A key that the schema forbids is the service's own.
    if (stray && schema.additionalProperties === false) return [];
    const value = exportValue(object[key] ?? null, { ...at, key, schema: child, stray });
    return value === undefined ? [] : [[key, value]];
  });
  const shown: ValueObject = Object.fromEntries(members);
  const held = session.form.isHeld ? requiredMaskedFields(schema, shown) : [];
  const written = { ...shown, ...Object.fromEntries(held.map((key) => [key, session.secret(at.name, key)])) };
  const comment = maskedValueComment(schema, written, session.form.hint);
  if (comment !== undefined) session.comments.set(written, comment);
  return written;
}

/** Whether an item of a list, which has to have all of its items, cannot be said exactly. */
function isNotExportable(item: Json): boolean {
  return item instanceof ExactNumber || (Array.isArray(item) && item.some(isNotExportable));
}

/** Known keys as the schema has them, then the others by name. */
function keysInOrder(object: JsonObject, schema: FieldSchema | undefined): readonly string[] {
  const known = Object.keys(schema?.properties ?? {}).filter((key) => Object.hasOwn(object, key));
  const others = Object.keys(object).filter((key) => !known.includes(key));
  return [...known, ...others.toSorted(compareText)];
}

function compareItems(left: Json, right: Json): number {
  if (typeof left === "number" && typeof right === "number") return left - right;
  return compareText(JSON.stringify(left), JSON.stringify(right));
}

function isAllMask(value: Json): boolean {
  return typeof value === "string" && /^[*•]{3,}$/.test(value);
}

/** `"7"` and `"True"` as the number and the boolean that they were before the service kept them as text. */
function retyped(text: string, schema: FieldSchema | undefined): Json {
  const types = typesOf(schema);
  if (types.includes("integer") && Number.isSafeInteger(Number(text)) && String(Number(text)) === text)
    return Number(text);
  if (types.includes("boolean") && /^([Tt]rue|[Ff]alse)$/.test(text)) return text.toLowerCase() === "true";
  return text;
}

/** The types that a schema admits. */
export function typesOf(schema: FieldSchema | undefined): readonly string[] {
  return [schema?.type ?? []].flat();
}
