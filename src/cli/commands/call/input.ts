import { resolve } from "node:path";
import { stdin } from "node:process";
import { text as consume } from "node:stream/consumers";
import { parseText } from "../../../api/json/parse.ts";
import type { Json } from "../../../model/json.ts";
import { EXIT } from "../../exit-codes.ts";
import { failure, type Failure } from "../../failure.ts";
import { readBounded } from "../../files.ts";
import type { Runtime } from "../../runtime.ts";

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
export async function readText(runtime: Runtime, file: string): Promise<string> {
  return readBounded(resolve(runtime.cwd, file), LARGEST).catch((error: NodeJS.ErrnoException) => {
    throw invalid(`${file} cannot be read (${error.code ?? "error"})`, "Name a file, from the working directory.");
  });
}

/** Ends the command for what was typed: nothing is sent. */
export function invalid(message: string, hint: string, code = "invalid_parameter"): Failure {
  return failure(EXIT.invalid, code, message, hint);
}
