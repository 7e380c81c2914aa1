/** The message for an error in a document. Parts of a file have messages of their own, and fields of a resource those of any value. */
import { keyIn } from "../model/resource.ts";
import { type FieldSchema, schemas } from "../generated/schemas.ts";
import type { ValidationError } from "../generated/validators.ts";
import { isSecretField, primaryField, typesOf } from "../kinds/fields.ts";
import type { Kind, ScopeType } from "../kinds/kind.ts";
import { isKeyedByEmail, collectionOf, collectionsOf, kindOfCollection } from "../kinds/registry.ts";
import { isEmail } from "../model/email.ts";
import { EXTRA_FIELDS } from "../model/extra-fields.ts";
import { START_HINT } from "../model/instead.ts";
import { own, Secret } from "../model/json/json.ts";
import { isName, NAME_HINT } from "../model/name.ts";
import { joinWords } from "../model/text/plural.ts";
import { isSecretName } from "../model/secret-values.ts";
import { blankHint, mappingHint } from "./hints.ts";
import type { Place } from "./place.ts";
import { type ProblemDetail, unexpected } from "./problems.ts";
import { settingProblem } from "./resources/scopes.ts";
import {
  isBroken,
  type Member,
  type Node,
  scalarText,
  shorten,
  shownKey,
  shownNode,
  textOf,
  writtenText,
} from "./tree/tree.ts";
import { nearestHint, unknownKeyAt } from "./unknown-keys.ts";
import { validationMessage } from "./validation-messages.ts";

/** A part of a document. */
interface DocumentPart {
  readonly node: Node;
  /** The member of the node that the error is about. */
  readonly member: Member | undefined;
  readonly schema: FieldSchema | undefined;
  readonly at: Place;
}

/** Returns undefined if the value is unknown, or right nevertheless. */
export function fileMessage(
  error: ValidationError,
  { node, member, schema, at }: DocumentPart,
): ProblemDetail | undefined {
  const { keyword } = error;
  const { scope, kind, keys } = at;
  const [field = ""] = keys;
  const isExclusive = scope !== undefined && kind === undefined && field === "exclusive";
  // What was reported already equals anything, and the same collection twice says nothing else than once.
  if (keyword === "uniqueItems" && (isExclusive || isBroken(node))) return undefined;
  if (member !== undefined && keyword === "additionalProperties") return unknownKeyAt(member, at, schema);
  if (member !== undefined && keyword === "propertyNames")
    return badName(member, scope && kindOfCollection(scope, field));
  if (isExclusive) return badExclusive(node, scope, keys);
  if (keyword === "const") return badConstant(field, node);
  const mapping = keyword === "type" && typesOf(schema).includes("object") ? badMapping(node, at) : undefined;
  if (mapping !== undefined) return mapping;
  if (node.type === "scalar" && node.value instanceof Secret) {
    // The value is unknown, but its type is known: a secret is always text, and no name of a number.
    if (keyword !== "type" && schema?.["x-names"] === undefined) return undefined;
    const message = "a secret is text, which is not allowed here";
    return { code: "secret_not_allowed", message, hint: "Write the value, or use ${var:...}." };
  }
  if (scope === undefined) return settingProblem(keys.at(-1) ?? "", node);
  if (scope === "project" && kind === undefined) return badProjectKey(node, schema);
  const isSecret = isSecretField(schema) || keys.some(isSecretName);
  // A length is that of the whole text, and quotes nothing.
  return validationMessage(error, keyword === "maxLength" ? node : shownNode(node, isSecret), schema);
}

function badConstant(key: string, node: Node): ProblemDetail {
  return key === "driftline"
    ? { ...unexpected(node, "driftline: 1", START_HINT), code: "unsupported_version" }
    : unexpected(node, "undeclared: report", "Write report, or leave it out.");
}

/** Why a key cannot be part of an address, or is not the e-mail address that the kind requires. */
function badName(member: Member, kind: Kind | undefined): ProblemDetail {
  const key = shownKey(member);
  if (key.trim() === "") return { code: "invalid_name", message: "the name is empty", hint: "Write a name." };
  const quotedKey = JSON.stringify(shorten(key));
  if (kind !== undefined && isKeyedByEmail(kind.name) && !(isEmail(key) && !isName(key))) {
    const hint = blankHint(key) ?? `Use the e-mail address as the key of ${collectionOf(kind.name)}.`;
    return { code: "invalid_format", message: `${quotedKey} is not an e-mail address`, hint };
  }
  const message = `${quotedKey} is not a valid name: it contains a slash, white space or a control character`;
  return { code: "invalid_name", message, hint: NAME_HINT };
}

function badExclusive(node: Node, scope: ScopeType, keys: readonly string[]): ProblemDetail {
  const collections = collectionsOf(scope);
  if (keys.length === 1) return unexpected(node, "a list of collections", `Write a list such as [${collections[0]}].`);
  const hint = nearestHint(textOf(node) ?? "", collections);
  return { ...unexpected(node, "the name of a collection", hint), code: "unknown_collection" };
}

function badProjectKey(node: Node, schema: FieldSchema | undefined): ProblemDetail {
  const types = typesOf(schema);
  const isText = node.type === "scalar" && typeof node.value === "number" && !types.includes("integer");
  const hint = isText ? `Put it in quotes: "${shorten(writtenText(shownNode(node)))}".` : undefined;
  return unexpected(node, joinWords(types, "or"), hint);
}

const SECTIONS: Readonly<Record<string, string>> = {
  service: "",
  organizations: "Write each one under a name of your choice, such as organizations: { acme: { name: Acme Inc } }.",
  projects: "",
  lifecycle: "Write a mapping such as lifecycle: { protect: true }.",
  [EXTRA_FIELDS]: `Write ${EXTRA_FIELDS}: { name: value }.`,
};

/** What stands in the place of a scope, a resource, or a section of them. Undefined in the place of a field. */
function badMapping(node: Node, { scope, kind, address = "", keys }: Place): ProblemDetail | undefined {
  const [section = ""] = keys;
  const mapping = (what: string, hint?: string): ProblemDetail => unexpected(node, `a mapping ${what}`, hint);
  if (kind !== undefined && keys.length === 0) return mapping("of fields", mappingHint(node, primaryField(kind)));
  if (scope !== undefined && keys.length === 0) {
    const isNumber = scope === "project" && /^\d+$/u.test(scalarText(node) ?? "");
    const name = keyIn(address);
    return mapping(`for ${scope} ${name}`, mappingHint(node, isNumber ? "id" : "name"));
  }
  if (keys.length > 1) return undefined;
  const collection = scope !== undefined && kind === undefined ? kindOfCollection(scope, section) : undefined;
  if (collection !== undefined) return mapping(`for ${section}`, entryHint(collection));
  const hint = own(SECTIONS, section);
  return hint === undefined ? undefined : mapping(`for ${section}`, hint === "" ? undefined : hint);
}

/** The hint for a collection that is not a mapping, such as a list of names. */
function entryHint(kind: Kind): string {
  const field = primaryField(kind);
  const { [field]: schema } = schemas[kind.name].properties;
  const [example = "..."] = [...Object.keys(schema?.["x-names"] ?? {}), ...(schema?.examples ?? [])];
  const fields = `{ ${field}: ${typeof example === "string" ? example : JSON.stringify(example)} }`;
  return isKeyedByEmail(kind.name)
    ? `Write each one under its e-mail address, such as ${collectionOf(kind.name)}: { ada@acme.com: ${fields} }.`
    : `Write each one under a name of your choice, such as ${collectionOf(kind.name)}: { first: ${fields} }.`;
}
