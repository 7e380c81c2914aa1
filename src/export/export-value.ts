/**
 * Converts live values to values of a configuration.
 *
 * Premise: a secret is never exported, even if the service returns it in clear, masked or empty. A number that the service
 * returns as text becomes a number again. The order of keys and sets on the service must not affect the result.
 * Algorithm: walk the value along its schema. A value that is a secret by schema, or is below a key named like a secret, becomes
 * `${secret:NAME}`. A write-only key that the service does not return is left out and named in a comment.
 */
import { compareItems } from "../model/json/canonical-json.ts";
import { compareText } from "../model/compare-text.ts";
import {
  childSchema,
  isRefusedKey,
  isSecretField,
  typesOf,
  withoutHeldCredentials,
  type FieldSchema,
} from "../kinds/fields.ts";
import type { NodeTable } from "../kinds/kind-parts.ts";
import {
  ExactNumber,
  holdsExactNumber,
  isJsonObject,
  type Json,
  type JsonObject,
  own,
  type Value,
  type ValueObject,
} from "../model/json/json.ts";
import { isMasked, isSecretName, isSecretUrl } from "../model/secret-values.ts";
import type { KindName } from "../model/kind-name.ts";
import type { ExportSession } from "./session.ts";
import { requiredMaskedFields, maskedValueComment } from "./masked-values.ts";

/** The position of a value, and what is known about it. */
export interface ValueContext {
  readonly session: ExportSession;
  readonly kind: KindName;
  /** The name of the resource. */
  readonly name: string;
  readonly key: string;
  readonly schema: FieldSchema | undefined;
  /** What is known of the nodes in the field, if it holds nodes. */
  readonly nodes: NodeTable | undefined;
  /** True below a key that is named like a secret. */
  readonly isBelowSecretKey: boolean;
  /** True if the schema lists keys but not this one. A masked value then counts as a secret. */
  readonly isUnknownKey: boolean;
}

/** The exported value; undefined if the service does not return it. */
export function exportValue(value: Json, context: ValueContext): Value | undefined {
  const { schema, session } = context;
  if (isSecretField(schema)) return value === null ? undefined : session.newSecret(context.name, context.key);
  const isBelowSecretKey = context.isBelowSecretKey || isSecretName(context.key);
  if (Array.isArray(value)) return exportItems(value, { ...context, isBelowSecretKey });
  if (isJsonObject(value)) return exportMembers(value, { ...context, isBelowSecretKey });
  // Flags such as `secret: true` describe a secret but do not contain it.
  if (value === null || typeof value === "boolean") return value;
  // A node is what people ask for: a page there may have a key in its address that is none.
  const isAddress = context.nodes === undefined && typeof value === "string" && isSecretUrl(value);
  if (isBelowSecretKey || isAddress || (context.isUnknownKey && isAllMask(value)))
    return session.newSecret(context.name, context.key);
  // A number that JSON cannot represent exactly is not declared, so the service keeps it.
  if (value instanceof ExactNumber) return undefined;
  if (schema?.writeOnly === true && isMasked(value)) return undefined;
  return typeof value === "string" ? toSchemaType(value, schema) : value;
}

function exportItems(items: readonly Json[], context: ValueContext): Value | undefined {
  // An element is compared as a whole if the list differs, so the whole list is left out.
  if (!context.isBelowSecretKey && items.some(holdsExactNumber)) return undefined;
  const ordered = context.schema?.["x-unordered"] === true ? items.toSorted(compareItems) : items;
  return ordered.map(
    (item) => exportValue(item, { ...context, schema: context.schema?.items, isUnknownKey: false }) ?? null,
  );
}

function exportMembers(object: JsonObject, context: ValueContext): Value | undefined {
  const { kind, schema, session } = context;
  const members = keysInOrder(object, context).flatMap((key): [string, Value][] => {
    const child = withoutHeldCredentials(childSchema(kind, schema, key, object), own(object, key) ?? null, object);
    const isUnknownKey = child === undefined && schema?.properties !== undefined;
    // A key that the schema forbids belongs to the service.
    if ((isUnknownKey && schema.additionalProperties === false) || isRefusedKey(schema, key)) return [];
    const value = exportValue(own(object, key) ?? null, { ...context, key, schema: child, isUnknownKey });
    return value === undefined ? [] : [[key, value]];
  });
  // An empty mapping would say that there is nothing.
  if (members.length === 0 && holdsExactNumber(object)) return undefined;
  const exported: ValueObject = Object.fromEntries(members);
  const added = session.secretNotation.addsRequired ? requiredMaskedFields(schema, exported) : [];
  const written = {
    ...exported,
    ...Object.fromEntries(added.map((key) => [key, session.newSecret(context.name, key)])),
  };
  const comment = maskedValueComment(schema, written, session.secretNotation.hint);
  if (comment !== undefined) {
    session.comments.set(written, comment);
    session.incomplete.push(kind);
  }
  return written;
}

/** Known keys in the order of the schema or of the node, then the others by name. */
function keysInOrder(object: JsonObject, { schema, nodes, key: name }: ValueContext): readonly string[] {
  const known = nodes === undefined ? Object.keys(schema?.properties ?? {}) : nodeKeys(object, name, nodes);
  const others = Object.keys(object).filter((key) => !known.includes(key));
  return [...known.filter((key) => Object.hasOwn(object, key)), ...others.toSorted(compareText)];
}

/** The keys of a node, its kind first, or of the settings under a key of a node. */
function nodeKeys(object: JsonObject, name: string, nodes: NodeTable): readonly string[] {
  const kind = own(object, "kind");
  if (typeof kind !== "string") return own(nodes.settings, name) ?? [];
  return ["kind", ...(own(nodes.keys, kind) ?? []).filter((key) => key !== "kind")];
}

function isAllMask(value: Json): boolean {
  return typeof value === "string" && /^[*•]{3,}$/.test(value);
}

/** Converts `"7"` and `"True"` to a number and a boolean if the schema declares these types. */
export function toSchemaType(text: string, schema: FieldSchema | undefined): Json {
  const types = typesOf(schema);
  if (types.includes("integer") && Number.isSafeInteger(Number(text)) && String(Number(text)) === text)
    return Number(text);
  if (types.includes("boolean") && /^([Tt]rue|[Ff]alse)$/.test(text)) return text.toLowerCase() === "true";
  return text;
}
