import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as pulumi from "@pulumi/pulumi";
import ts from "typescript";
import type { Json, JsonObject } from "../../src/model/json.ts";

/** An entry of a file for `pulumi import`. */
export interface ImportedResource {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly inputs: JsonObject;
  readonly outputs: JsonObject;
}

/** The files of an exported project, by name. */
export async function filesIn(folder: string): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile());
  const entries = names.map(async ({ name }) => [name, await readFile(join(folder, name), "utf8")] as const);
  return Object.fromEntries(await Promise.all(entries));
}

export async function importFileIn(folder: string): Promise<readonly ImportedResource[]> {
  const text = await readFile(join(folder, "import.json"), "utf8");
  return (JSON.parse(text) as { readonly resources: readonly ImportedResource[] }).resources;
}

/**
 * Compiles a project by its own tsconfig.json, as its `npm run build` does.
 *
 * @param more projects in folders of it, which cost nothing more to compile at the same time
 * @returns what the compiler says is wrong
 */
export function compile(folder: string, more: readonly string[] = []): readonly string[] {
  const config = ts.getParsedCommandLineOfConfigFile(
    join(folder, "tsconfig.json"),
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined },
  );
  if (config === undefined) return ["tsconfig.json cannot be read"];
  const inner = more.map((name) => join(folder, name, "index.ts"));
  const program = ts.createProgram(
    [...config.fileNames.filter((file) => ts.sys.fileExists(file)), ...inner],
    config.options,
  );
  const { diagnostics } = program.emit();
  return [...config.errors, ...ts.getPreEmitDiagnostics(program), ...diagnostics].map(
    ({ file, start, messageText }) => {
      const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start ?? 0).line + 1;
      return `${file?.fileName ?? ""}:${String(line)} ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
    },
  );
}

/** A resource as a program registers it, with what it depends on resolved. */
export interface Registered {
  readonly type: string;
  readonly name: string;
  readonly inputs: JsonObject;
}

/** Runs a compiled program against an engine that only takes notes; ids are those of the import file. */
export async function register(file: string, ids: ReadonlyMap<string, string>): Promise<readonly Registered[]> {
  const made: Registered[] = [];
  await pulumi.runtime.setMocks({
    call: () => ({}),
    newResource: ({ type, name, inputs }) => {
      made.push({ type, name, inputs: plain(inputs as Json) as JsonObject });
      return { id: ids.get(name) ?? "", state: inputs as JsonObject };
    },
  });
  await pulumi.runtime.runInPulumiStack(async () => {
    await import(pathToFileURL(file).href);
    return {};
  });
  await pulumi.runtime.disconnect();
  return made.filter(({ type }) => type.startsWith("pulumi-nodejs:"));
}

const SIGNATURE = "4dabf18193072939515e22adb298388d";

/** Removes the secret markers from a value. */
function plain(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => plain(item));
  if (typeof value !== "object" || value === null) return value;
  const object = value as JsonObject;
  if (object[SIGNATURE] !== undefined) return plain(object["value"] ?? null);
  return Object.fromEntries(Object.entries(object).map(([key, item]) => [key, plain(item)]));
}
