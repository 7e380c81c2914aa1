import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import type { EmulatorOptions } from "../../../src/emulator/index.ts";
import type { Json, JsonObject } from "../../../src/model/json/json.ts";
import { OWN } from "./provider-process.ts";
import { DATA, installPackages, layProject, openStack, writeData, type Program, type Stack } from "./stack.ts";

/** Where the engine finds the packaged provider without a network: beside the package. */
export const PLUGINS = { providers: [{ name: "driftline", path: "node_modules/.bin" }] };

/** A stack whose project is one file of Pulumi YAML. */
export function createYamlStack(bin: string, options: EmulatorOptions = {}): Promise<Stack> {
  return openStack({
    bin,
    options,
    toolchain: OWN,
    resources: "packaged",
    lay: async (project) => {
      await installPackages(project, OWN);
      await writeProgram(project, {});
    },
    declare: writeProgram,
    program: "Pulumi.yaml",
  });
}

/**
 * A stack of a Node program with the classes of the packaged provider.
 * @param main as for {@link createStack}
 */
export function createPackagedStack(bin: string, options: EmulatorOptions = {}, main = "index.js"): Promise<Stack> {
  return openStack({
    bin,
    options,
    toolchain: OWN,
    resources: "packaged",
    lay: async (project) => {
      await layProject(project, main, OWN);
      const program = join(project, "index.js");
      const text = await readFile(program, "utf8");
      // What moving over takes: one import line, and the place of the provider.
      await writeFile(program, text.replace("driftline/pulumi", "driftline/packaged"));
      await writeFile(join(project, "Pulumi.yaml"), stringify({ plugins: PLUGINS }), { flag: "a" });
    },
    declare: writeData,
    program: DATA,
  });
}

function writeProgram(project: string, program: Program): Promise<void> {
  return writeFile(join(project, "Pulumi.yaml"), yamlOf(program));
}

/** Takes the resources of a file that `pulumi import --out` has written into the program. */
export async function takeResources(project: string, file: string): Promise<void> {
  const [program, made] = await Promise.all(
    ["Pulumi.yaml", file].map(async (name) => parse(await readFile(join(project, name), "utf8")) as JsonObject),
  );
  await writeFile(join(project, "Pulumi.yaml"), stringify({ ...program, ...made }));
}

/** The program in Pulumi YAML. @param path the folder with the executable of the provider */
export function yamlOf(program: Program, path = "node_modules/.bin"): string {
  const resources = Object.entries(program).map(([name, { type, args, options: { id, ...options } = {} }]) => [
    name,
    {
      type: `driftline:${type}`,
      // The option `id` of a class: the resource is only looked up.
      ...(id === undefined ? { properties: withSecrets(args) } : { get: { id, state: withSecrets(args) } }),
      options,
    },
  ]);
  const plugins = { providers: [{ name: "driftline", path }] };
  return stringify({ name: "acme", runtime: "yaml", plugins, resources: Object.fromEntries(resources) as object });
}

/** Secrets as YAML writes them. */
function withSecrets(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => withSecrets(item));
  if (value === null || typeof value !== "object") return value;
  const { $secret: secret, ...rest } = value as JsonObject;
  if (secret !== undefined) return { "fn::secret": secret };
  return Object.fromEntries(Object.entries(rest).map(([key, item]) => [key, withSecrets(item)]));
}
