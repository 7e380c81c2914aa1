/**
 * The program of this package's own Pulumi project, and of any project whose `main` it is: it registers what the configuration
 * declares that `driftline:config` names (default `driftline.yaml`, relative to the project's folder).
 */
import { existsSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import {
  Config,
  getRootDirectory,
  log,
  RunError,
  runtime,
  getOrganization,
  getProject,
  getStack,
} from "@pulumi/pulumi";
import { loadConfig, missingSecrets } from "../config/index.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { register } from "./register.ts";

const config = new Config("driftline");
const path = config.get("config") ?? "driftline.yaml";
const loaded = await loadConfig({ paths: [path], cwd: projectFolder(), env: process.env, vars: [], varFiles: [] });
const errors = loaded.diagnostics.filter(({ severity }) => severity === "error");
if (errors.length > 0) throw new RunError(errors.map((error) => sentence(error)).join("\n"));
for (const diagnostic of loaded.diagnostics) await log.warn(sentence(diagnostic));
if (loaded.graph.exclusive.length > 0)
  await log.warn("exclusive is for the command line: Pulumi only removes what its state holds");
// The process that talks to the service has the stack and the environment, and not the program.
for (const [name, variable] of [
  ["url", "DRIFTLINE_URL"],
  ["self", "DRIFTLINE_SELF"],
] as const) {
  const isTold = [config.get(name), process.env[variable]].some((value) => value !== undefined && value !== "");
  if (loaded.graph.service[name] !== undefined && !isTold)
    await log.warn(
      `service.${name} is for the command line; here: pulumi config set driftline:${name}, or ${variable}`,
    );
}
for (const { address, lifecycle } of loaded.graph.resources)
  if (lifecycle.renamed_from !== undefined)
    await log.warn(
      `${address}: lifecycle.renamed_from is for the command line: Pulumi renames what it made, and nothing else`,
    );
const isPreview = runtime.isDryRun();
if (isPreview)
  for (const { message } of missingSecrets(loaded, process.env))
    await log.warn(`${message}: in a preview it counts as unchanged, up needs it`);
try {
  const needsState = loaded.graph.resources.some(
    ({ lifecycle }) => lifecycle.forget === true || lifecycle.state === "absent",
  );
  const held = needsState ? await stackResources() : new Set<string>();
  for (const { address, lifecycle } of loaded.graph.resources)
    if (lifecycle.state === "absent" && !held.has(address))
      await log.warn(
        `${address}: declared absent, but Pulumi only removes what its state holds, and it does not hold this`,
      );
  register(loaded.graph, process.env, { held, isPreview });
} catch (error) {
  // What the configuration lacks; where in our code that was noticed tells a user nothing.
  throw error instanceof Error && error.name === "Error" ? new RunError(error.message) : error;
}

function sentence({ file, line, column, message, hint }: Diagnostic): string {
  const place = file === undefined ? "" : `${file}:${String(line ?? 1)}:${String(column ?? 1)} `;
  return `${place}${message}${hint === undefined ? "" : `. ${hint}`}`;
}

/**
 * The folder of the project, which is not where a program runs: that is the folder of its `main`. Older language hosts do
 * not tell it; then it is the nearest one with a project file, from where the command was run, or from the program.
 */
function projectFolder(): string {
  const root = getRootDirectory();
  if (isAbsolute(root)) return root;
  return (
    [process.env["PWD"] ?? "", process.cwd()].map(withProject).find((folder) => folder !== undefined) ?? process.cwd()
  );
}

function withProject(folder: string): string | undefined {
  if (existsSync(join(folder, "Pulumi.yaml"))) return folder;
  return dirname(folder) === folder || folder === "" ? undefined : withProject(dirname(folder));
}

/** The names of everything that the stack's own state held before this run. The engine tells it of any stack by its name. */
async function stackResources(): Promise<ReadonlySet<string>> {
  const stackName = `${getOrganization()}/${getProject()}/${getStack()}`;
  const { outputs } = (await runtime.invoke("pulumi:pulumi:readStackResourceOutputs", { stackName })) as {
    readonly outputs: Readonly<Record<string, unknown>>;
  };
  return new Set(Object.keys(outputs).map((urn) => urn.split("::").slice(3).join("::")));
}
