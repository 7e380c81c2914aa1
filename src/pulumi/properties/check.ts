/**
 * Checks the inputs of a program before anything is planned.
 *
 * Premise: in a preview any value, at any depth, may be unknown, and an unknown value is not an error. The engine runs
 * checks one at a time, so nothing here waits.
 */
import { asText } from "../../kinds/keys.ts";
import { isUuid } from "../../model/uuid.ts";
import { validators, type ValidationError } from "../../generated/validators.ts";
import { pulumiProperties } from "../../generated/pulumi.ts";
import { kindSchema, schemaAt, typesOf } from "../../kinds/fields.ts";
import type { Kind } from "../../kinds/kind.ts";
import { isUnknownField } from "../../kinds/unknown-fields.ts";
import { EXTRA_PROPERTY } from "../../model/extra-fields.ts";
import {
  someValue,
  type Value,
  isJsonObject,
  type Json,
  type JsonObject,
  own,
  valueAt,
} from "../../model/json/json.ts";
import { filterKeys, mapValues } from "../../model/json/object.ts";
import { pointerKeys } from "../../model/pointer.ts";
import { nearWord, ruleOf } from "../../model/text/pattern-words.ts";
import { didYouMean, suggest, suggestValue } from "../../model/text/suggest.ts";
import {
  toInterfaceFields,
  toPulumiProperties,
  inputNames,
  metaInputs,
  propertyName,
  propertyPath,
  namedNumbers,
  type Properties,
} from "./properties.ts";
import { scopesOfKind, isKeyedByEmail } from "../../kinds/registry.ts";

/** An error in an input, for the author of the program. */
export interface CheckFailure {
  readonly property: string;
  readonly reason: string;
  /** Where the error is in the value of the property, as a path in Pulumi's notation. */
  readonly path?: string;
}

/**
 * Stands in a preview for a value that is not known yet. Equals `pulumi.runtime.unknownValue`, without importing it.
 */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Looser than that of a configuration: a state may hold any address that a service has, such as one without a domain of its own. */
const ADDRESS = /^[^\s@]+@[^\s@]+$/;

interface CheckResult {
  readonly inputs: Properties;
  readonly failures: CheckFailure[];
  /** Words that driftline does not know, but a newer service may. */
  readonly warnings: readonly CheckFailure[];
}

/** Returns the inputs with names of levels as numbers, JSON texts as objects and with defaults, and all errors in them. */
export function check(kind: Kind, news: Properties): CheckResult {
  const { __provider: _text, ...given } = news;
  const declared = withTransitionDefault(kind, given, readTexts(kind, toInterfaceFields(kind, given)));
  const refused = refusedFields(kind, declared);
  const failures = [
    ...unknownInputs(kind, given),
    ...scopeFailures(kind, given),
    ...extraFailures(kind, given),
    ...refused.filter(({ mayBeNew }) => mayBeNew !== true),
    ...infiniteFields(kind, declared),
    ...missingFields(kind, given, declared),
    ...problemsIn(kind, declared),
  ];
  const meta = filterKeys(given, (name) => metaInputs(kind).includes(name));
  const extra = given[EXTRA_PROPERTY] === UNKNOWN ? { [EXTRA_PROPERTY]: UNKNOWN } : {};
  const inputs = failures.length > 0 ? given : { ...meta, ...toPulumiProperties(kind, declared), ...extra };
  return { inputs, failures, warnings: refused.filter(({ mayBeNew }) => mayBeNew === true) };
}

/** Replaces the names of levels by their numbers, as configurations do, and the JSON text of an object by the object. */
function readTexts(kind: Kind, values: JsonObject): JsonObject {
  return mapValues(values, (value, field) =>
    typeof value === "string"
      ? (own(namedNumbers(kind, field), value) ?? objectIn(kind, field, value) ?? value)
      : value,
  );
}

/** The object of a JSON text in a field that takes objects and no texts. Programs that come from Terraform have such texts. */
function objectIn(kind: Kind, field: string, json: string): JsonObject | undefined {
  const types = typesOf(own(kindSchema(kind.name).properties, field));
  if (!types.includes("object") || types.includes("string")) return undefined;
  try {
    const value = JSON.parse(json) as Json;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Adds the default of a field that has its own operations. It is always compared, so a crash between two calls is repaired.
 */
function withTransitionDefault(kind: Kind, given: Properties, values: JsonObject): JsonObject {
  const scope = given["projectId"] === undefined ? "organization" : "project";
  const field = kind.writes.target(scope, { id: "" }).transition?.field;
  const standard = field === undefined ? undefined : own(kindSchema(kind.name).properties, field)?.default;
  return field === undefined || standard === undefined ? values : { [field]: standard, ...values };
}

function unknownInputs(kind: Kind, given: Properties): readonly CheckFailure[] {
  const known = inputNames(kind);
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((property) => {
      const close = suggest(property, known);
      const instead = close === undefined ? `take one of ${known.toSorted().join(", ")}` : `did you mean ${close}?`;
      return { property, reason: `there is no input of this name; ${instead}` };
    });
}

/** Reports extra fields that driftline knows: they are inputs of their own, or set by the service alone. */
function extraFailures(kind: Kind, given: Properties): readonly CheckFailure[] {
  const extra = given[EXTRA_PROPERTY] ?? null;
  if (extra === null || extra === UNKNOWN) return [];
  if (!isJsonObject(extra)) return [{ property: EXTRA_PROPERTY, reason: "expected an object" }];
  const inputs = Object.entries(pulumiProperties[kind.name].inputs);
  return Object.keys(extra).flatMap((field) => {
    if (isUnknownField(kind.name, field)) return [];
    const [property] = inputs.find(([, name]) => name === field) ?? [];
    const instead = property === undefined ? "the service computes its value: remove it" : `give it as ${property}`;
    return [{ property: EXTRA_PROPERTY, reason: `${field} is a field that driftline knows, and ${instead}` }];
  });
}

function scopeFailures(kind: Kind, given: Properties): readonly CheckFailure[] {
  const failures: CheckFailure[] = [];
  const fail = (property: string, reason: string): void => void failures.push({ property, reason });
  const { organizationId, projectId, email, adopt } = given;
  const scopeInputs = scopesOfKind(kind.name)
    .filter((scope) => scope !== "service")
    .map((scope) => `${scope}Id`);
  const named = scopeInputs.filter((name) => given[name] !== undefined && given[name] !== null);
  const [firstInput] = scopeInputs;
  if (firstInput !== undefined && named.length !== 1)
    fail(
      named[1] ?? firstInput,
      named.length === 0 ? `${scopeInputs.join(" or ")} is required` : `give ${scopeInputs.join(" or ")}, not both`,
    );
  const isGiven = (value: Json | undefined): value is Json => value !== undefined && value !== UNKNOWN;
  if (isGiven(organizationId) && !(typeof organizationId === "string" && isUuid(organizationId.trim())))
    fail("organizationId", "expected the id of an organization, which is a UUID");
  if (isGiven(projectId) && !/^\d+$/.test(asText(projectId) ?? ""))
    fail("projectId", "expected the number of a project");
  if (isKeyedByEmail(kind.name) && email !== UNKNOWN && !(typeof email === "string" && ADDRESS.test(email.trim())))
    fail("email", "expected an e-mail address");
  if (isGiven(adopt) && !["boolean", "string", "number"].includes(typeof adopt))
    fail("adopt", "expected true, or the id of the object to adopt");
  return failures;
}

interface RefusedField extends CheckFailure {
  /** The word is near to none that driftline knows, and a newer service may know it. */
  readonly mayBeNew?: true;
}

function refusedFields(kind: Kind, values: JsonObject): readonly RefusedField[] {
  const validator = validators[kind.name];
  if (validator(filterKeys(values, (field) => !isUnknownField(kind.name, field)))) return [];
  const refused = new Map<string, RefusedField>();
  for (const error of validator.errors ?? []) {
    const keys = pointerKeys(error.instancePath);
    if (error.keyword === "if" || keys.length === 0 || isPending(values, keys, error)) continue;
    if (!refused.has(error.instancePath)) refused.set(error.instancePath, failureAt(kind, values, keys, error));
  }
  return [...refused.values()];
}

function failureAt(
  kind: Kind,
  values: JsonObject,
  [field = "", ...below]: readonly string[],
  error: ValidationError,
): RefusedField {
  const property = propertyName(kind, field);
  // The error of an object is about a key that it lacks, or has.
  const key = error.params["missingProperty"] ?? error.params["additionalProperty"];
  const inside = typeof key === "string" ? [...below, key] : below;
  const words = below.length === 0 ? expectedWords(kind, field) : undefined;
  const near = nearestWord(error, valueAt(values, [field, ...below]));
  const reason = words ?? [describeError(error), didYouMean(near) ?? []].flat().join(". ");
  const isOpen = error.keyword !== "type" && schemaAt(kind.name, values, [field, ...below])?.["x-open"] === true;
  const failure = { property, reason, ...(isOpen && near === undefined && ({ mayBeNew: true } as const)) };
  return inside.length === 0
    ? failure
    : { ...failure, path: propertyPath([property, ...inside], { [property]: values[field] ?? null }) };
}

/** What no schema can express. An unknown value may be any. */
function problemsIn(kind: Kind, values: JsonObject): readonly CheckFailure[] {
  if (hasUnknown(values)) return [];
  return (kind.problems?.(values) ?? []).map(({ keys: [field = ""], message, hint }) => ({
    property: propertyName(kind, field),
    reason: `${message}. ${hint}`,
  }));
}

/** The allowed values of a field whose numbers have names. Undefined for other fields. */
function expectedWords(kind: Kind, field: string): string | undefined {
  const allowed = Object.entries(namedNumbers(kind, field)).map(([word, number]) => `${word} (${String(number)})`);
  return allowed.length === 0 ? undefined : `expected one of ${allowed.join(", ")}`;
}

/** Reports numbers that JSON cannot hold. It would write null instead. */
function infiniteFields(kind: Kind, values: JsonObject): readonly CheckFailure[] {
  return Object.entries(values)
    .filter(([, value]) => someValue(value, isInfinite))
    .map(([field]) => ({
      property: propertyName(kind, field),
      reason: "contains NaN or Infinity, which JSON cannot hold",
    }));
}

/** Whether the error is about a value that is not known yet. */
function isPending(values: JsonObject, keys: readonly string[], error: ValidationError): boolean {
  const onTheWay = keys.map((_, index) => valueAt(values, keys.slice(0, index + 1)));
  return onTheWay.includes(UNKNOWN) || (error.keyword === "uniqueItems" && hasUnknown(onTheWay.at(-1)));
}

/** The word that was probably meant. */
function nearestWord({ keyword, params }: ValidationError, value: Value | undefined): string | undefined {
  if (typeof value !== "string") return undefined;
  if (keyword === "pattern") return nearWord(value, String(params["pattern"]));
  return keyword === "enum" ? suggestValue(value, wordsIn(params["allowedValues"])) : undefined;
}

function wordsIn(allowed: unknown): readonly string[] {
  return Array.isArray(allowed) ? allowed.filter((one) => typeof one === "string" && one !== "") : [];
}

/** Describes the expected value, and never the given one, which may be a secret. */
function describeError({ keyword, params, message }: ValidationError): string {
  const allowed = params["allowedValues"];
  if (keyword === "enum" && Array.isArray(allowed)) return `expected one of ${allowed.map(String).join(", ")}`;
  if (keyword === "type") return `expected ${String(params["type"]).replaceAll(",", " or ")}`;
  if (keyword === "required") return "is required";
  if (keyword === "additionalProperties") return "there is no field of this name: remove it";
  if (keyword === "pattern") return `expected ${ruleOf(String(params["pattern"])) ?? "another format"}`;
  return message ?? keyword;
}

function missingFields(kind: Kind, given: Properties, values: JsonObject): readonly CheckFailure[] {
  const isPinned = typeof given["adopt"] === "string" || typeof given["adopt"] === "number";
  const required = kindSchema(kind.name).required.filter((field) => values[field] === undefined);
  const failures = required.map((field) => ({ property: propertyName(kind, field), reason: "is required" }));
  const canBeFound =
    kind.identity.keyFields.some((field) => hasUnknown(values[field])) ||
    kind.identity.declaredKeys(values, "pulumi").length > 0;
  const [keyField] = kind.identity.keyFields;
  if (
    isPinned ||
    canBeFound ||
    keyField === undefined ||
    required.some((field) => kind.identity.keyFields.includes(field))
  )
    return failures;
  const names = kind.identity.keyFields.map((field) => propertyName(kind, field));
  return [
    ...failures,
    { property: names[0] ?? "", reason: `${names.join(" or ")} is required to identify the object` },
  ];
}

/** Whether a value, or anything in it, is not known yet. */
export function hasUnknown(value: Value | undefined): boolean {
  return value !== undefined && someValue(value, (one) => one === UNKNOWN);
}

function isInfinite(value: Value): boolean {
  return typeof value === "number" && !Number.isFinite(value);
}
