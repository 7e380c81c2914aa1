import { withArticle } from "../../model/text/plural.ts";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../model/json/json.ts";
import { filterKeys } from "../../model/json/object.ts";
import { didYouMean, suggest } from "../../model/text/suggest.ts";
import type { Body, Field, Fields, Operation, ParameterType, DocumentResource } from "../operations/index.ts";
import { bodyFields } from "./parameters.ts";
import { parameterHint, parameterProblem } from "../http/request-path.ts";

export interface Input {
  readonly path: Readonly<Record<string, Json>>;
  readonly query: Readonly<Record<string, Json>>;
  readonly body: Json | undefined;
}

/** A problem with an input. Input with an error must not be sent. */
export interface InputProblem {
  readonly severity: "error" | "warning";
  readonly code: "unknown_parameter" | "missing_parameter" | "invalid_parameter" | "deprecated_parameter";
  readonly message: string;
  readonly hint: string;
}

/** Checks an input against the operation tables: names, types, accepted values and required parameters. */
export function checkInput(operation: Operation, { path, query, body }: Input): readonly InputProblem[] {
  return [
    ...Object.entries(operation.params).flatMap(([name, type]) => checkPath(name, type, path[name])),
    ...unknownNames(path, Object.keys(operation.params), "error"),
    ...unknownNames(query, Object.keys(operation.query), "error"),
    ...checkFields(query, operation.query),
    ...checkBody(operation.body, body),
  ];
}

function checkPath(name: string, type: ParameterType, value: Json | undefined): readonly InputProblem[] {
  if (value === undefined) return missingInput(`${name} is missing`, `Add ${name}=VALUE: it is a part of the path.`);
  const problem = parameterProblem(pathParameterText(value), type);
  return problem === undefined ? [] : invalidInput(`${name} ${problem}`, parameterHint(type));
}

/** A path parameter as text. Empty if the value cannot be a path parameter. */
export function pathParameterText(value: Json): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function checkBody(body: Body | null, value: Json | undefined): readonly InputProblem[] {
  if (body === null) return value === undefined ? [] : invalidInput("this operation takes no body", "Remove the body.");
  if (body.type === "files") return checkFiles(body.resource, value);
  if (body.type === "parameters")
    return value === undefined || isJsonObject(value) ? checkParameters(body, value ?? {}) : notAnObject();
  if (value === undefined) return [];
  const fields = bodyFields(body);
  if (body.list !== true) return isJsonObject(value) ? checkResource(value, fields) : notAnObject();
  const items = isJsonArray(value) ? value : [value];
  return items.flatMap((item) =>
    isJsonObject(item) ? checkResource(item, fields) : notAnObject(", or a list of them"),
  );
}

function notAnObject(alternative = ""): readonly InputProblem[] {
  return invalidInput("the body is not an object", `Use one JSON object as the body${alternative}.`);
}

/** An unknown field is only a warning, because the service may have undocumented ones. It ignores unknown ones silently. */
function checkResource(item: JsonObject, fields: Fields): readonly InputProblem[] {
  // Null is not checked: it clears most fields, and the service rejects it for the others.
  const nonNull = filterKeys(item, (_name, given) => given !== null);
  return [
    ...unknownNames(item, Object.keys(fields), "warning"),
    ...checkFields(nonNull, fields),
    ...deprecations(item, fields),
  ];
}

/** What an operation takes that takes files, as a hint. */
export const FILES_HINT =
  "Give each file as --file NAME=PATH, or all of them as --body FILE with an object of file names and texts.";

function checkFiles(resource: DocumentResource, value: Json | undefined): readonly InputProblem[] {
  if (value === undefined || (isJsonObject(value) && Object.keys(value).length === 0))
    return missingInput("no file is given", FILES_HINT);
  if (!isJsonObject(value)) return invalidInput("the body is not an object of files", FILES_HINT);
  const fields = Object.keys(bodyFields({ type: "resource", resource }));
  return Object.entries(value).flatMap(([name, text]) => {
    const quotedName = JSON.stringify(name);
    if (fields.includes(name))
      return invalidInput(`${quotedName} is a field of ${withArticle(resource)}, not the name of a file`, FILES_HINT);
    return typeof text === "string" || text === null
      ? []
      : invalidInput(`the file ${quotedName} is not a text`, FILES_HINT);
  });
}

function checkParameters(
  { fields, oneOf }: Body & { readonly type: "parameters" },
  value: JsonObject,
): readonly InputProblem[] {
  const given = oneOf.length === 0 || oneOf.some((name) => isJsonArray(value[name]) && value[name].length > 0);
  const hint = `Add at least one element, such as ${oneOf[0] ?? ""}:='[{"id": "..."}]'.`;
  return [
    ...unknownNames(value, Object.keys(fields), "error"),
    ...checkFields(value, fields),
    ...(given ? [] : missingInput(`${oneOf.join(" or ")} is required`, hint)),
    ...deprecations(value, fields),
  ];
}

function unknownNames(
  given: Readonly<Record<string, Json>>,
  known: readonly string[],
  severity: InputProblem["severity"],
): readonly InputProblem[] {
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const close = suggest(name, known);
      const others = known.length === 0 ? "This operation has none." : `Known parameters: ${known.join(", ")}.`;
      const hint = didYouMean(close) ?? others;
      const message =
        severity === "error"
          ? `there is no parameter ${JSON.stringify(name)}`
          : `the interface has no parameter ${JSON.stringify(name)}, so the service may ignore it`;
      return { severity, code: "unknown_parameter", message, hint };
    });
}

function checkFields(given: Readonly<Record<string, Json>>, fields: Fields): readonly InputProblem[] {
  return Object.entries(given).flatMap(([name, value]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const problem = field === undefined ? undefined : valueProblem(field, value, given);
    return problem === undefined ? [] : invalidInput(`${name} ${problem.problem}`, problem.hint);
  });
}

function deprecations(given: JsonObject, fields: Fields): readonly InputProblem[] {
  return Object.keys(given).flatMap((name) => {
    const instead = Object.hasOwn(fields, name) ? fields[name]?.deprecated : undefined;
    if (instead === undefined) return [];
    const hint = instead === "" ? "Stop using it: its removal is announced." : `Use ${instead}.`;
    return [{ severity: "warning", code: "deprecated_parameter", message: `${name} is deprecated`, hint }];
  });
}

function invalidInput(message: string, hint: string): readonly InputProblem[] {
  return [{ severity: "error", code: "invalid_parameter", message, hint }];
}

function missingInput(message: string, hint: string): readonly InputProblem[] {
  return [{ severity: "error", code: "missing_parameter", message, hint }];
}

/** Why a value is not accepted, and which values are. */
interface ValueProblem {
  readonly problem: string;
  readonly hint: string;
}

/** Checks a value against its field. `all` are the values of all fields of the input. */
function valueProblem(field: Field, value: Json, all: Readonly<Record<string, Json>>): ValueProblem | undefined {
  if (field.type === "date") return isDate(value) ? undefined : DATE_PROBLEM;
  if (field.type === "breakdown") return breakdownProblem(value, all["breakdown_type"]);
  const { name, accepts } = TYPES[field.type];
  if (!accepts(value)) return { problem: `is not ${name}`, hint: `It takes ${name}.` };
  const { values } = field;
  if (values === undefined || (typeof value === "string" && values.includes(value))) return undefined;
  const close = suggest(typeof value === "string" ? value : "", values);
  const hint = didYouMean(close) ?? `It takes one of: ${values.join(", ")}.`;
  return { problem: `does not accept ${JSON.stringify(value)}`, hint };
}

interface ValueType {
  readonly name: string;
  readonly accepts: (value: Json) => boolean;
}

const TYPES: Readonly<Record<Exclude<Field["type"], "date" | "breakdown">, ValueType>> = {
  string: { name: "a text", accepts: (value) => typeof value === "string" },
  integer: { name: "an integer", accepts: (value) => Number.isSafeInteger(value) },
  number: { name: "a number", accepts: (value) => typeof value === "number" },
  boolean: { name: "true or false", accepts: (value) => typeof value === "boolean" },
  array: { name: "a list", accepts: isJsonArray },
  object: { name: "an object", accepts: isJsonObject },
  json: { name: "JSON", accepts: () => true },
};

const DATE_PROBLEM: ValueProblem = {
  problem: "is not a date",
  hint: "It takes a date (2024-05-31), a number of days or months ago (-7d, -1m), mStart or yStart.",
};

/** Interface: Funnel request parameters, date_from. */
function isDate(value: Json): boolean {
  if (typeof value !== "string") return false;
  if (/^(-[1-9]\d{0,4}[dm]|mStart|yStart)$/u.test(value)) return true;
  // Date.parse moves days that a month does not have into the next month.
  const time = /^\d{4}-\d{2}-\d{2}$/u.test(value) ? Date.parse(`${value}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}

function breakdownProblem(value: Json, type: Json | undefined): ValueProblem | undefined {
  if (typeof value === "string") return undefined;
  const cohorts = isJsonArray(value) && value.every((id) => Number.isSafeInteger(id));
  if (cohorts && type === "cohort") return undefined;
  return {
    problem: "is neither a text nor, with breakdown_type=cohort, a list of ids",
    hint: "It takes the key of a property, or breakdown_type=cohort and a list of cohort ids.",
  };
}
