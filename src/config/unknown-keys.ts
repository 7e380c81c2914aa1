/** Reports keys that are not known, with what was probably meant. */
import { type FieldSchema, lifecycleSchema, schemas } from "../generated/schemas.ts";
import { declarableFields, isDeclarable } from "../kinds/fields.ts";
import { scopesOfKind, isScope, collectionOf, allKinds, collectionsOf, kinds } from "../kinds/registry.ts";
import { EXTRA_FIELDS } from "../model/extra-fields.ts";
import { insteadOfKey } from "../model/instead.ts";
import { own } from "../model/json/json.ts";
import { joinWords } from "../model/text/plural.ts";
import { suggest, didYouMean } from "../model/text/suggest.ts";
import { gluedKeyHint } from "./hints.ts";
import type { Place } from "./place.ts";
import type { ProblemDetail } from "./problems.ts";
import { looksLikeProject, misplacedProject } from "./resources/scopes.ts";
import { type Member, shorten, shownKey, shownNode, writtenText } from "./tree/tree.ts";

/** What else a document may have at its top, for a hint. */
const ANCHORS = "a key for anchors that begins with x-";

/** Says of a key that the schema does not have at a place where it belongs, or what was meant. */
export function unknownKeyAt(
  member: Member,
  { scope, kind, keys }: Place,
  schema: FieldSchema | undefined,
): ProblemDetail {
  const { key, value } = member;
  const known = Object.keys(schema?.properties ?? {});
  const instead = insteadOfKey(key);
  if (scope === undefined)
    return keys.length > 0
      ? unknownKey(shownKey(member), known, instead)
      : (misplacedKey(key, "at the top of a document") ?? unknownKey(shownKey(member), [...known, ANCHORS], instead));
  if (keys.length > 0) return unknownKey(shownKey(member), known, keys[0] === "lifecycle" ? instead : undefined);
  const elsewhere = kind === undefined ? misplacedKey(key, `under ${WITH_ARTICLE[scope]}`) : undefined;
  if (elsewhere !== undefined) return elsewhere;
  if (kind === undefined && scope === "project") return unknownScopeKey(member, known, collectionsOf(scope));
  const { name } = kind ?? kinds.organization;
  const field = own(schemas[name].properties, key);
  const computed = field === undefined ? undefined : undeclarable(key, field);
  if (computed !== undefined) return computed;
  if (own(lifecycleSchema.properties, key) !== undefined) {
    const written = shorten(writtenText(shownNode(value)));
    const hint = `Write it as lifecycle: { ${key}: ${written ?? "..."} }.`;
    return { code: "unknown_key", message: `unknown key ${key}`, hint };
  }
  if (kind === undefined && looksLikeProject(value)) return misplacedProject(key);
  const fields = declarableFields(name);
  const others = known.filter((one) => !fields.includes(one) && one !== EXTRA_FIELDS);
  const problem =
    kind === undefined
      ? unknownScopeKey(member, [...fields, ...others], collectionsOf(scope))
      : unknownKey(shownKey(member), [...fields, ...others], instead);
  const hint = `If the service has such a field, declare it under ${EXTRA_FIELDS}.`;
  return { ...problem, hint: problem.hint ?? hint };
}

const WITH_ARTICLE = { organization: "an organization", project: "a project" } as const;

/** A collection in another scope than its own. For one that both types of scopes hold, the organization is named. */
function misplacedKey(key: string, where: string): ProblemDetail | undefined {
  const kind = allKinds.find((one) => collectionOf(one.name) === key && !isScope(one));
  const isProjects = key === "projects";
  if (kind === undefined && !isProjects) return undefined;
  const scope = kind !== undefined && scopesOfKind(kind.name)[0] === "project" ? "project" : "organization";
  const hint = `Put it under ${WITH_ARTICLE[scope]}.`;
  return { code: "unknown_key", message: `${key} does not belong ${where}`, hint };
}

/**
 * Why a known field cannot be declared; undefined if it can.
 *
 * @param schema absent for a key that is no field, and that the service alone sets
 */
export function undeclarable(field: string, schema: FieldSchema | undefined): ProblemDetail | undefined {
  if (isDeclarable(schema)) return undefined;
  if (schema?.["x-undeclarable"] === true) {
    const hint = "Write lifecycle: { state: absent } to remove the object.";
    return { code: "undeclarable", message: `${field} cannot be declared`, hint };
  }
  const message = `${field} cannot be declared, because the service computes the value`;
  return { code: "computed_field", message, hint: "Remove it." };
}

/**
 * Reports a key that is not one of the known keys.
 *
 * @param instead what to write instead, if no known key is near
 */
function unknownKey(key: string, known: readonly string[], instead?: string): ProblemDetail {
  const hint = /[^\P{Zs} ]/u.test(key)
    ? "Indent with plain spaces: this key has a no-break space."
    : isForAnchors(key)
      ? `For anchors, write it at the top of the document as x-${shorten(key.slice(2))}.`
      : (gluedKeyHint(key) ?? nearestHint(key, known, instead));
  return { code: "unknown_key", message: `unknown key ${shorten(key)}`, hint };
}

/**
 * Reports a key of an organization or a project that is neither a field nor a collection. With a mapping or a list as its value,
 * it was probably meant as a kind.
 *
 * @param collections the collections that this scope has
 */
function unknownScopeKey(member: Member, known: readonly string[], collections: readonly string[]): ProblemDetail {
  const { value } = member;
  const key = shownKey(member);
  if (value.type === "scalar" || isForAnchors(key) || suggest(key, known) !== undefined)
    return unknownKey(key, known, insteadOfKey(key));
  const hint = `The kinds here are ${joinWords(collections, "and")}. Remove the key.`;
  return { code: "unknown_key", message: `${shorten(key)} is not a kind of this interface`, hint };
}

/** Whether a key looks like one that holds anchors, as Docker Compose has them at the top of a document. */
function isForAnchors(key: string): boolean {
  return /^x[-_]/iu.test(key);
}

/** A hint with the most similar known word, or else what to do instead, or else all known words if there are few. */
export function nearestHint(word: string, known: readonly string[], instead?: string): string | undefined {
  const few = known.length > 0 && known.length <= 12 ? `Use ${joinWords(known, "or")}.` : undefined;
  return didYouMean(suggestKey(word, known)) ?? instead ?? few;
}

/** The most similar known key, or the only one that begins with the word, as `bucket_name` does with `bucket`. */
export function suggestKey(word: string, known: readonly string[]): string | undefined {
  const longer = known.filter((key) => key.startsWith(`${word}_`));
  return suggest(word, known) ?? (longer.length === 1 ? longer[0] : undefined);
}
