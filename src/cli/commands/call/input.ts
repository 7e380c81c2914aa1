import type { Hint } from "../../../model/command.ts";
import { parseText } from "../../../api/json/parse.ts";
import { parametersOf, type Parameter } from "../../../api/typed/parameters.ts";
import { FILES_HINT } from "../../../api/typed/validate-input.ts";
import type { Operation } from "../../../api/operations/index.ts";
import type { Json, JsonObject } from "../../../model/json/json.ts";
import { didYouMean, suggest } from "../../../model/text/suggest.ts";
import type { Runtime } from "../../runtime.ts";
import { stdin } from "node:process";
import { text as consume } from "node:stream/consumers";
import type { EngineError } from "../../../model/engine-error.ts";
import { invalidError } from "../../failure.ts";
import { readText } from "../../steps/read-text.ts";

/** The parameters of a call, by their place in the request. */
export type CallArguments = Readonly<Record<Parameter["in"], JsonObject>>;

/**
 * Parses the arguments of a call. The operation's table gives the type of `name=value`; `name:=json` is JSON, and
 * `name=@file` is the content of a file.
 *
 * @throws EngineError if an argument is not a valid parameter
 */
export function readArguments(runtime: Runtime, operation: Operation, given: readonly string[]): CallArguments {
  const parameters = parametersOf(operation);
  const read = { path: new Map<string, Json>(), query: new Map<string, Json>(), body: new Map<string, Json>() };
  for (const argument of given) {
    const parts = /^([^=:]+)(:?=)(.*)$/su.exec(argument);
    if (parts === null)
      throw wrongParameter(
        `${JSON.stringify(argument)} is not a parameter`,
        "Write parameters as name=value, or as name:=JSON.",
      );
    const [, name = "", sign, text = ""] = parts;
    const parameter = parameters.find((one) => one.name === name) ?? unknownParameter(operation, name, parameters);
    const into = read[parameter.in];
    if (into.has(name)) throw wrongParameter(`${name} is given twice`, "Give it once.");
    into.set(name, sign === ":=" ? parseJson(name, text) : parseValue(runtime, parameter, text));
  }
  return {
    path: Object.fromEntries(read.path),
    query: Object.fromEntries(read.query),
    body: Object.fromEntries(read.body),
  };
}

function unknownParameter(operation: Operation, name: string, parameters: readonly Parameter[]): never {
  if (operation.body?.type === "files")
    throw wrongParameter(`${operation.name} takes files, and no parameter ${JSON.stringify(name)}`, FILES_HINT);
  const names = parameters.map((one) => one.name);
  const close = suggest(name, names);
  const others = names.length === 0 ? "It takes no parameters." : `It takes: ${names.join(", ")}.`;
  const message = `${operation.name} has no parameter ${JSON.stringify(name)}`;
  throw invalidError("unknown_parameter", message, didYouMean(close) ?? others);
}

function parseValue(runtime: Runtime, { name, type, in: where }: Parameter, given: string): Json {
  const text = given.startsWith("@") ? readText(runtime, given.slice(1), FILE) : given;
  switch (type) {
    case "integer":
      // An id in a path stays text, because it may have more digits than a number holds.
      if (where === "path") return text;
      if (!/^-?\d{1,15}$/u.test(text))
        throw wrongParameter(`${name} must be an integer`, `It was ${JSON.stringify(text)}.`);
      return Number(text);
    case "number":
      if (text.trim() === "" || !Number.isFinite(Number(text)))
        throw wrongParameter(`${name} must be a number`, `It was ${JSON.stringify(text)}.`);
      return Number(text);
    case "boolean":
      if (text !== "true" && text !== "false")
        throw wrongParameter(`${name} must be true or false`, "Write the word in lower case.");
      return text === "true";
    case "array":
    case "object":
      return parseJson(name, text);
    case "breakdown":
      return text.startsWith("[") ? parseJson(name, text) : text;
    case "json": {
      const value = jsonIn(text);
      return value === undefined ? text : value;
    }
    default:
      return text;
  }
}

/** Undefined if the text is no JSON. */
function jsonIn(text: string): Json | undefined {
  const parsed = parseText(text);
  return "value" in parsed ? parsed.value : undefined;
}

function parseJson(name: string, text: string): Json {
  const value = jsonIn(text);
  if (value !== undefined) return value;
  // The message of the parser is left out, because it may quote a secret.
  throw wrongParameter(
    `${name} is not valid JSON`,
    `Write it like ${name}:='{"key": "value"}', or put it in a file: ${name}=@FILE.`,
  );
}

/** Reads the body of `--body`: a file, or stdin for `-`. */
export async function readBody(runtime: Runtime, file: string): Promise<Json> {
  const body = jsonIn(file === "-" ? await consume(stdin) : readText(runtime, file, FILE));
  if (body !== undefined) return body;
  throw wrongParameter(
    `the body in ${file === "-" ? "stdin" : file} is not valid JSON`,
    "The body must be a single JSON value.",
  );
}

/** Reads the files of `--file NAME=PATH`, by name. @throws EngineError if the operation takes no files */
export function readFiles(
  runtime: Runtime,
  operation: Operation,
  given: readonly string[],
): Readonly<Record<string, string>> {
  if (given.length > 0 && operation.body?.type !== "files") {
    const hint =
      "With the profile posthog, the update_source operations take files. A parameter is read from a file with name=@FILE.";
    throw invalidError("usage", `${operation.name} takes no files here`, hint);
  }
  const files = new Map<string, string>();
  for (const argument of given) {
    const [, name = "", file = ""] = /^([^=]+)=(.+)$/su.exec(argument) ?? [];
    if (name === "") throw wrongParameter(`--file ${JSON.stringify(argument)} is not NAME=PATH`, FILES_HINT);
    if (files.has(name)) throw wrongParameter(`the file ${JSON.stringify(name)} is given twice`, "Give it once.");
    files.set(name, readText(runtime, file, FILE));
  }
  return Object.fromEntries(files);
}

/** The limit is larger than any body of the interface. */
const FILE = {
  limit: 64 * 1024 * 1024,
  code: "invalid_parameter",
  hint: "File names are relative to the working directory.",
};

/** The failure for a mistake on the command line. Nothing is sent. */
export function wrongParameter(message: string, hint: Hint): EngineError {
  return invalidError("invalid_parameter", message, hint);
}
