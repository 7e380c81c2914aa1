import { execFile } from "node:child_process";
import { mkdir, readFile, symlink } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { build, whyUnbuildable } from "../engine/build.ts";
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
  await generate("gen-code", [language, folder], paths);
}

/**
 * Lays the hosts that write programs, as those of Pulumi's own releases do. Those that are built here only run them.
 *
 * @param paths the folders of Python, with the generator first
 * @returns a PATH that finds them
 */
export async function generatingHosts(folder: string, paths: readonly string[], path: string): Promise<string> {
  const hosts = join(folder, "hosts");
  await mkdir(hosts);
  for (const language of ["nodejs", "python"])
    await symlink(join(paths[0] ?? "", "gen-code"), join(hosts, `pulumi-language-${language}`));
  return [hosts, path].join(delimiter);
}

const GENERATORS: Readonly<Record<"dotnet" | "java", Part>> = { dotnet: DOTNET_PART, java: JAVA_PART };

/**
 * Writes the SDK of a language whose generator is a module of its own. It is built first, once, which takes a minute.
 *
 * @returns why that is impossible here
 */
export async function generateApart(language: "dotnet" | "java", folder: string): Promise<string | undefined> {
  const generator = GENERATORS[language];
  const cache = join(cacheFolder(), language);
  const problem = await whyUnbuildable(generator, cache);
  if (problem !== undefined) return problem;
  const say = (line: string): void => void process.stderr.write(`gen-${language}: ${line}\n`);
  await mkdir(cache, { recursive: true });
  await oneAtATime(join(cache, "lock"), `builds the generator for ${language}`, say, () =>
    build(generator, cache, say),
  );
  await generate(generator.name, [folder], [cache]);
  return undefined;
}

/** Runs a generator, which reads the schema from stdin. */
async function generate(command: string, args: readonly string[], paths: readonly string[]): Promise<void> {
  const env = { ...process.env, PATH: [...paths, process.env["PATH"] ?? ""].join(delimiter) };
  const generating = promisify(execFile)(command, args, { env });
  generating.child.stdin?.end(await readFile(SCHEMA));
  await generating;
}
