import { execFile } from "node:child_process";
import { mkdir, readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { build } from "../engine/build.ts";
import { cacheFolder } from "../engine/cache.ts";
import { oneAtATime } from "../engine/one-at-a-time.ts";
import { DOTNET_PART, JAVA_PART, type Part } from "../engine/parts.ts";
import { PACKAGE } from "./package.ts";

/** The schema that is published. */
export const SCHEMA = join(PACKAGE, "schemas/pulumi.schema.json");

/** Writes the SDK of a language into a folder. @param paths the folders with the generator and what it starts */
export async function generateSdk(
  language: "go" | "nodejs" | "python",
  folder: string,
  paths: readonly string[],
): Promise<void> {
  await generate("gen-sdk", [language, folder], paths);
}

/** Writes the SDK for .NET into a folder. Its generator is built first, once, which takes a minute. */
export async function generateDotnetSdk(folder: string): Promise<void> {
  await generateWith(DOTNET_PART, "dotnet", folder);
}

/** Writes the SDK for Java into a folder. Its generator is built first, once, which takes a minute. */
export async function generateJavaSdk(folder: string): Promise<void> {
  await generateWith(JAVA_PART, "java", folder);
}

async function generateWith(generator: Part, language: string, folder: string): Promise<void> {
  const cache = join(cacheFolder(), language);
  const say = (line: string): void => void process.stderr.write(`gen-${language}: ${line}\n`);
  await mkdir(cache, { recursive: true });
  await oneAtATime(join(cache, "lock"), `builds the generator for ${language}`, say, () =>
    build(generator, cache, say),
  );
  await generate(generator.name, [folder], [cache]);
}

/** Runs a generator, which reads the schema from stdin. */
async function generate(command: string, args: readonly string[], paths: readonly string[]): Promise<void> {
  const env = { ...process.env, PATH: [...paths, process.env["PATH"] ?? ""].join(delimiter) };
  const generating = promisify(execFile)(command, args, { env });
  generating.child.stdin?.end(await readFile(SCHEMA));
  await generating;
}
