/**
 * Checking what a program declares, before anything is planned.
 *
 * Premise: in a preview anything, at any depth, may not be known yet, and what is not known is not wrong. Checks run one at a
 * time in the engine: nothing here waits for anything.
 */
import { validators, type ValidationError } from "../../generated/validators.ts";
import { kindSchema } from "../../kinds/fields.ts";
import type { Kind } from "../../kinds/kind.ts";
import { isJsonObject, pointerKeys, type Json, type JsonObject } from "../../model/json.ts";
import { suggest } from "../../model/suggest.ts";
import { fieldsOf, inPulumi, inputNames, ownInputs, propertyOf, wordsOf, type Properties } from "./properties.ts";

/** What is wrong with an input, for whoever wrote the program. */
export interface CheckFailure {
  readonly property: string;
  readonly reason: string;
}

/** Stands in a preview for a value that is not known yet. Equals `pulumi.runtime.unknownValue`, without importing it. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** The inputs with what is implied spelled out, and everything that is wrong with them. */
export function check(kind: Kind, news: Properties): { inputs: Properties; failures: CheckFailure[] } {
  const { __provider: _text, ...given } = news;
  const declared = withDefaults(kind, given, withNumbers(kind, fieldsOf(kind, given)));
  const failures = [
    ...unknownNames(kind, given),
    ...placeFailures(kind, given),
    ...invalidFields(kind, declared),
    ...infiniteFields(kind, declared),
    ...missingFields(kind, given, declared),
  ];
  const own = Object.fromEntries(Object.entries(given).filter(([name]) => ownInputs(kind).includes(name)));
  const inputs = failures.length > 0 ? given : { ...own, ...inPulumi(kind, declared) };
  return { inputs: { ...inputs }, failures };
}

/** Names of levels become numbers, as in configurations. */
function withNumbers(kind: Kind, values: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(values).map(([field, value]) => {
      const number = typeof value === "string" ? wordsOf(kind, field)[value] : undefined;
      return [field, number ?? value];
    }),
  );
}

/** A field that is moved by calls of its own is always compared, so that a crash between two of them heals. */
function withDefaults(kind: Kind, given: Properties, values: JsonObject): JsonObject {
  const scope = given["projectId"] === undefined ? "organization" : "project";
  const field = kind.target(scope, { id: "" }).transition?.field;
  const standard = field === undefined ? undefined : kindSchema(kind.name).properties[field]?.default;
  return field === undefined || standard === undefined ? values : { [field]: standard, ...values };
}

function unknownNames(kind: Kind, given: Properties): readonly CheckFailure[] {
  const known = inputNames(kind);
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((property) => {
      const close = suggest(property, known);
      return { property, reason: `there is no such input${close === undefined ? "" : `; did you mean ${close}?`}` };
    });
}

function placeFailures(kind: Kind, given: Properties): readonly CheckFailure[] {
  const failures: CheckFailure[] = [];
  const fail = (property: string, reason: string): void => void failures.push({ property, reason });
  const { organizationId, projectId, email, adopt } = given;
  const places = kind.scopes.filter((scope) => scope !== "service").map((scope) => `${scope}Id`);
  const named = places.filter((name) => given[name] !== undefined && given[name] !== null);
  const [place] = places;
  if (place !== undefined && named.length !== 1)
    fail(
      named[1] ?? place,
      named.length === 0 ? `${places.join(" or ")} is required` : `either ${places.join(" or ")}, not both`,
    );
  if (organizationId !== undefined && organizationId !== UNKNOWN && !isText(organizationId, UUID))
    fail("organizationId", "expected the id of an organization, a UUID");
  if (projectId !== undefined && projectId !== UNKNOWN && !/^\d+$/.test(JSON.stringify(projectId).replaceAll('"', "")))
    fail("projectId", "expected the number of a project");
  if (kind.keyedBy !== undefined && email !== UNKNOWN && !isText(email, EMAIL))
    fail("email", "expected an e-mail address");
  if (adopt !== undefined && adopt !== UNKNOWN && !["boolean", "string", "number"].includes(typeof adopt))
    fail("adopt", "expected true, or the id of the object to take over");
  return failures;
}

function isText(value: Json | undefined, pattern: RegExp): boolean {
  return typeof value === "string" && pattern.test(value.trim());
}

function invalidFields(kind: Kind, values: JsonObject): readonly CheckFailure[] {
  const validator = validators[kind.name];
  if (validator(values)) return [];
  const found = new Map<string, CheckFailure>();
  for (const error of validator.errors ?? []) {
    const keys = pointerKeys(error.instancePath);
    if (error.keyword === "if" || keys.length === 0 || isPending(values, keys, error)) continue;
    const [field = "", ...below] = keys;
    const at = below.length === 0 ? "" : `${below.join(".")}: `;
    if (!found.has(error.instancePath))
      found.set(error.instancePath, {
        property: propertyOf(kind, field),
        reason: `${at}${below.length === 0 ? (wordsFor(kind, field) ?? wording(error)) : wording(error)}`,
      });
  }
  return [...found.values()];
}

/** What a field takes whose numbers have names. */
function wordsFor(kind: Kind, field: string): string | undefined {
  const words = Object.entries(wordsOf(kind, field)).map(([word, number]) => `${word} (${String(number)})`);
  return words.length === 0 ? undefined : `expected one of ${words.join(", ")}`;
}

/** Numbers that JSON does not have: it would say null in their place. */
function infiniteFields(kind: Kind, values: JsonObject): readonly CheckFailure[] {
  return Object.entries(values)
    .filter(([, value]) => holdsInfinite(value))
    .map(([field]) => ({
      property: propertyOf(kind, field),
      reason: "holds NaN or Infinity, which JSON does not have",
    }));
}

function holdsInfinite(value: Json): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  if (Array.isArray(value)) return value.some((item: Json) => holdsInfinite(item));
  return isJsonObject(value) && Object.values(value).some(holdsInfinite);
}

/** Whether the error is about something that is not known yet. */
function isPending(values: JsonObject, keys: readonly string[], error: ValidationError): boolean {
  let at: Json | undefined = values;
  for (const key of keys) {
    if (at === UNKNOWN) return true;
    at = Array.isArray(at) ? (at as readonly Json[])[Number(key)] : isJsonObject(at) ? at[key] : undefined;
  }
  return at === UNKNOWN || (error.keyword === "uniqueItems" && hasUnknown(at));
}

/** Whether a value, or anything in it, is not known yet. */
function hasUnknown(value: Json | undefined): boolean {
  if (value === UNKNOWN) return true;
  if (Array.isArray(value)) return value.some((item: Json) => hasUnknown(item));
  return isJsonObject(value) && Object.values(value).some((item) => hasUnknown(item));
}

/** Says what is expected and never what is there: it may be a secret. */
function wording({ keyword, params, message }: ValidationError): string {
  const allowed = params["allowedValues"];
  if (keyword === "enum" && Array.isArray(allowed)) return `expected one of ${allowed.map(String).join(", ")}`;
  if (keyword === "type") return `expected ${String(params["type"]).replaceAll(",", " or ")}`;
  if (keyword === "required") return `${String(params["missingProperty"])} is required`;
  if (keyword === "additionalProperties") return `there is no ${String(params["additionalProperty"])}`;
  return message ?? keyword;
}

function missingFields(kind: Kind, given: Properties, values: JsonObject): readonly CheckFailure[] {
  const isPinned = typeof given["adopt"] === "string" || typeof given["adopt"] === "number";
  const required = kindSchema(kind.name).required.filter((field) => values[field] === undefined);
  const failures = required.map((field) => ({ property: propertyOf(kind, field), reason: "is required" }));
  const isFound =
    kind.keyFields.some((field) => hasUnknown(values[field])) || kind.declaredKeys(values, "pulumi").length > 0;
  const [keyField] = kind.keyFields;
  if (isPinned || isFound || keyField === undefined || required.some((field) => kind.keyFields.includes(field)))
    return failures;
  const names = kind.keyFields.map((field) => propertyOf(kind, field));
  return [
    ...failures,
    { property: names[0] ?? "", reason: `${names.join(" or ")} is required: it tells which object is meant` },
  ];
}
