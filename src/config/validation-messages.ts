import type { FieldSchema } from "../generated/schemas.ts";
import type { ValidationError } from "../generated/validators.ts";
import { isJsonObject, own } from "../model/json/json.ts";
import { nearWord, ruleOf } from "../model/text/pattern-words.ts";
import { suggestValue, didYouMean } from "../model/text/suggest.ts";
import { joinWords } from "../model/text/plural.ts";
import { asYaml, blankHint, mappingHint } from "./hints.ts";
import { type ProblemDetail, unexpected } from "./problems.ts";
import { type Node, shorten, scalarText, textOf, writtenText } from "./tree/tree.ts";

/** Turns an error of a validator into a message with the expected and the declared value, and a hint. */
export function validationMessage(error: ValidationError, node: Node, schema: FieldSchema | undefined): ProblemDetail {
  const { keyword, params } = error;
  if (keyword === "type") return wrongType(String(params["type"]).split(","), node, schema);
  if (keyword === "enum") return notOneOf(params["allowedValues"], node, schema);
  if (keyword === "format") return badFormat(String(params["format"]), node);
  if (keyword === "pattern") return badPattern(String(params["pattern"]), node);
  if (keyword === "required") return missingMessage(String(params["missingProperty"]));
  if (keyword === "minLength")
    return { code: "invalid_length", message: "the text is empty", hint: "Write a text, or remove the key." };
  if (keyword === "maxLength") {
    const { length } = Array.from(scalarText(node) ?? "");
    const message = `the text has ${length} characters, the limit is ${String(params["limit"])}`;
    return { code: "invalid_length", message, hint: "Shorten it." };
  }
  if (keyword === "uniqueItems") return { code: "duplicate_item", message: "the list contains the same value twice" };
  return { code: "invalid_value", message: error.message ?? keyword };
}

export function missingMessage(key: string, hint?: string): ProblemDetail {
  return { code: "missing_required", message: `missing key ${key}`, hint };
}

const TYPE_NAMES: Readonly<Record<string, string>> = { object: "a mapping", array: "a list" };

function wrongType(all: readonly string[], node: Node, schema: FieldSchema | undefined): ProblemDetail {
  const types = schema?.["x-names"] === undefined ? all : all.filter((type) => type !== "string");
  const names = types.map((type) => own(TYPE_NAMES, type) ?? type);
  const [field] = schema?.required ?? Object.keys(schema?.properties ?? {});
  const hint = types.includes("object")
    ? (jsonTextHint(node) ?? mappingHint(node, field) ?? exampleHint(schema))
    : typeHint(types, node, schema);
  return unexpected(node, joinWords(names, "or"), hint);
}

/** The hint for a mapping that was written as JSON text, or included from a file. */
function jsonTextHint(node: Node): string | undefined {
  if (node.type === "scalar" && node.expression?.includes("${file:") === true)
    return "A file is included as text. Write its content here: JSON is valid YAML.";
  const text = scalarText(node);
  if (text !== undefined && /^\s*\{[^]*\}\s*$/u.test(text))
    return "Write it without quotes, | or >: JSON is valid YAML.";
  return undefined;
}

/** The hint for what is no mapping at all: how one begins. */
function exampleHint(schema: FieldSchema | undefined): string | undefined {
  const [example] = schema?.examples ?? [];
  const [first] = isJsonObject(example) ? Object.entries(example) : [];
  return first === undefined
    ? undefined
    : `Write a mapping such as { ${first[0]}: ${typeof first[1] === "string" ? first[1] : JSON.stringify(first[1])}, ... }.`;
}

function typeHint(types: readonly string[], node: Node, schema: FieldSchema | undefined): string | undefined {
  if (node.type !== "scalar") return undefined;
  const { value } = node;
  const isText = typeof value === "string";
  if (node.variable !== undefined) {
    const wanted = types.includes("boolean")
      ? "the value true or false"
      : types.includes("integer")
        ? "a number"
        : undefined;
    return `Give the variable ${node.variable} ${wanted === undefined ? "a value of this type" : `${wanted}, without quotes`}.`;
  }
  if (node.expression !== undefined) return "Use ${var:NAME} alone: every other expression makes a text.";
  if (types.includes("boolean") && isText && /^(true|false)$/i.test(value)) return "Write it without quotes.";
  if (types.includes("boolean")) return "Write true or false.";
  if (types.includes("integer") && isText && /^-?\d+$/.test(value)) return "Write it without quotes.";
  if (types.includes("integer") && typeof value === "number") return "Write a whole number.";
  if (types.includes("integer") && isText) {
    const [example] = schema?.examples ?? [];
    return typeof example === "number" ? `Write a number, such as ${example}.` : "Write a number.";
  }
  const date = schema?.format === "date-time" && typeof value === "number" ? dateHint(value) : undefined;
  if (date !== undefined) return date;
  if (types.includes("string") && (typeof value === "number" || typeof value === "boolean"))
    return `Put it in quotes: "${shorten(writtenText(node))}".`;
  if (types.includes("array") && value !== null) return `Write [${shorten(itemText(node, schema?.items))}].`;
  if (value === null) return "Remove the key if driftline should not manage the field.";
  return undefined;
}

/** The hint for seconds or milliseconds since 1970 in the place of a date. */
function dateHint(time: number): string | undefined {
  const date = new Date(time < 1e11 ? time * 1000 : time);
  return Number.isNaN(date.getTime()) ? undefined : `Write ${date.toISOString().replace(".000", "")}.`;
}

/** A value as an element of a list of such elements. */
function itemText(node: Node, items: FieldSchema | undefined): string | undefined {
  const text = writtenText(node);
  if (text === undefined || node.type !== "scalar") return text;
  if (typeof node.value === "string" && items?.type === "integer" && /^-?\d+(?:\s*,\s*-?\d+)*$/u.test(text))
    return text;
  if (typeof node.value === "string") return text.split(/,\s*/u).filter(Boolean).map(asYaml).join(", ");
  return items?.type === "string" ? JSON.stringify(text) : text;
}

function notOneOf(allowed: unknown, node: Node, schema: FieldSchema | undefined): ProblemDetail {
  const names = Object.entries(schema?.["x-names"] ?? {});
  const text = textOf(node);
  const all = names.length > 0 ? names.map(([name]) => name) : Array.isArray(allowed) ? allowed : [];
  const values = all.filter((value) => value !== "").map(String);
  const words = names.length === 0 || text !== undefined ? values : names.map(([name, value]) => `${name} (${value})`);
  const near = text === undefined ? undefined : suggestValue(text, values);
  const [only] = values.length === 1 ? values : [];
  const hint = only === undefined ? didYouMean(near) : `Write ${only}, or remove the key.`;
  return { ...unexpected(node, joinWords(words, "or"), hint), code: "invalid_enum" };
}

const FORMATS: Readonly<Record<string, readonly [string, string]>> = {
  uuid: ["a UUID", "Use a value such as 0190aa11-2b3c-4d5e-8f60-718293a4b5c6."],
  email: ["an e-mail address", "Use a value such as ada@acme.com."],
  "date-time": ["a date and time", "Use a value such as 2026-02-01T00:00:00Z."],
};

function badFormat(format: string, node: Node): ProblemDetail {
  const [expected, example] = own(FORMATS, format) ?? [format, undefined];
  const hint = format === "email" ? (blankHint(scalarText(node) ?? "") ?? example) : example;
  return { ...unexpected(node, expected, hint), code: "invalid_format" };
}

function badPattern(pattern: string, node: Node): ProblemDetail {
  const text = scalarText(node) ?? "";
  if (text.trim() === "")
    return { code: "invalid_length", message: "the text is empty", hint: "Write a text, or remove the key." };
  const lower = text.toLowerCase();
  if (lower !== text && new RegExp(pattern, "u").test(lower)) {
    return {
      code: "invalid_format",
      message: `${JSON.stringify(shorten(text))} is not in lower case`,
      hint: `Write ${shorten(lower)}.`,
    };
  }
  const expected = ruleOf(pattern) ?? "another format";
  return { ...unexpected(node, expected, didYouMean(nearWord(text, pattern))), code: "invalid_format" };
}
