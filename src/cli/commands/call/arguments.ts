import { parseText } from "../../../api/json/parse.ts";
import { parametersOf, type Parameter } from "../../../api/typed/parameters.ts";
import type { Operation } from "../../../api/operations/index.ts";
import type { Json } from "../../../model/json.ts";
import { suggest } from "../../../model/suggest.ts";
import type { Runtime } from "../../runtime.ts";
import { resolve } from "node:path";
import { stdin } from "node:process";
import { text as consume } from "node:stream/consumers";
import { EXIT } from "../../exit-codes.ts";
import { failure, type Failure } from "../../failure.ts";
import { readBounded } from "../../files.ts";

/** What `name=value` arguments say, by where it goes. */
export interface Arguments {
  readonly path: Readonly<Record<string, Json>>;
  readonly query: Readonly<Record<string, Json>>;
  readonly body: Readonly<Record<string, Json>>;
}

/**
 * Reads the arguments by the operation's table: `name=value` is typed by it, `name:=json` is JSON, `name=@file` the content of
 * a file. Ends the command where one is none.
 */
export async function readArguments(
  runtime: Runtime,
  operation: Operation,
  given: readonly string[],
): Promise<Arguments> {
  const parameters = parametersOf(operation);
  const read = { path: new Map<string, Json>(), query: new Map<string, Json>(), body: new Map<string, Json>() };
  for (const argument of given) {
    const found = /^([^=:]+)(:?=)(.*)$/su.exec(argument);
    if (found === null)
      throw invalid(
        `${JSON.stringify(argument)} is no parameter`,
        "Parameters are given as name=value, or as name:=JSON.",
      );
    const [, name = "", sign, text = ""] = found;
    const parameter = parameters.find((one) => one.name === name) ?? missing(operation, name, parameters);
    const into = read[parameter.in];
    if (into.has(name)) throw invalid(`${name} is given twice`, "Give it once.");
    into.set(name, sign === ":=" ? parseJson(name, text) : await typed(runtime, parameter, text));
  }
  return {
    path: Object.fromEntries(read.path),
    query: Object.fromEntries(read.query),
    body: Object.fromEntries(read.body),
  };
}

function missing(operation: Operation, name: string, parameters: readonly Parameter[]): never {
  const names = parameters.map((one) => one.name);
  const close = suggest(name, names);
  const others = names.length === 0 ? "It takes none." : `It takes: ${names.join(", ")}.`;
  throw invalid(
    `${operation.name} has no parameter ${JSON.stringify(name)}`,
    close === undefined ? others : `Did you mean ${close}?`,
    "unknown_parameter",
  );
}

async function typed(runtime: Runtime, { name, type, in: where }: Parameter, given: string): Promise<Json> {
  const text = given.startsWith("@") ? await readText(runtime, given.slice(1)) : given;
  switch (type) {
    case "integer":
      // Ids are text in a path, however many digits they have.
      if (where === "path") return text;
      if (!/^-?\d{1,15}$/u.test(text)) throw invalid(`${name} has to be an integer`, `Not ${JSON.stringify(text)}.`);
      return Number(text);
    case "number":
      if (text.trim() === "" || !Number.isFinite(Number(text)))
        throw invalid(`${name} has to be a number`, `Not ${JSON.stringify(text)}.`);
      return Number(text);
    case "boolean":
      if (text !== "true" && text !== "false") throw invalid(`${name} has to be true or false`, "Write it out.");
      return text === "true";
    case "array":
    case "object":
      return parseJson(name, text);
    case "breakdown":
      return text.startsWith("[") ? parseJson(name, text) : text;
    case "json":
      return looseJson(text);
    default:
      return text;
  }
}

/** JSON where it is, else the text itself. */
function looseJson(text: string): Json {
  const parsed = parseText(text);
  return "value" in parsed && parsed.value !== undefined ? parsed.value : text;
}

function parseJson(name: string, text: string): Json {
  const parsed = parseText(text);
  if ("value" in parsed && parsed.value !== undefined) return parsed.value;
  // What was typed may hold a secret, and parsers quote what they stumble over.
  throw invalid(`${name} is no JSON`, `Write it like ${name}:='{"key": "value"}', or put it in a file: ${name}=@FILE.`);
}

/** The body of `--body`: a file, or stdin for `-`. */
export async function readBody(runtime: Runtime, file: string): Promise<Json> {
  const text = file === "-" ? await consume(stdin) : await readText(runtime, file);
  const parsed = parseText(text);
  if ("value" in parsed && parsed.value !== undefined) return parsed.value;
  throw invalid(`the body in ${file === "-" ? "stdin" : file} is no JSON`, "It has to be one JSON value.");
}

/** More is no body of this interface. Bytes. */
const LARGEST = 64 * 1024 * 1024;

/** The content of a file that was named on the command line. */
async function readText(runtime: Runtime, file: string): Promise<string> {
  return readBounded(resolve(runtime.cwd, file), LARGEST).catch((error: NodeJS.ErrnoException) => {
    throw invalid(`${file} cannot be read (${error.code ?? "error"})`, "Name a file, from the working directory.");
  });
}

/** Ends the command for what was typed: nothing is sent. */
export function invalid(message: string, hint: string, code = "invalid_parameter"): Failure {
  return failure(EXIT.invalid, code, message, hint);
}
