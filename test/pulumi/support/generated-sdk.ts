import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { PACKAGE } from "./package.ts";

/** The schema that is published. */
export const SCHEMA = join(PACKAGE, "schemas/pulumi.schema.json");

/** Writes the SDK of a language into a folder. @param paths the folders with the generator and what it starts */
export async function generateSdk(
  language: "go" | "nodejs" | "python",
  folder: string,
  paths: readonly string[],
): Promise<void> {
  const env = { ...process.env, PATH: [...paths, process.env["PATH"] ?? ""].join(delimiter) };
  const generating = promisify(execFile)("gen-sdk", [language, folder], { env });
  generating.child.stdin?.end(await readFile(SCHEMA));
  await generating;
}
