/**
 * The program of this package's own Pulumi project, and of any project that names it as its `main`. It registers the
 * resources of the configuration that `driftline:config` names (default `driftline.yaml`, relative to the folder of the
 * project), with the classes that `driftline:provider` names: `dynamic` by default, or `packaged`.
 */
import { isWanted } from "../model/resource.ts";
import { withCommand } from "../model/command.ts";
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
import { createRedactor, registerRequestSecrets } from "../api/redact/redact.ts";
import {
  checkedDiagnostics,
  loadConfig,
  missingSecrets,
  registerConfigSecrets,
  type LoadedConfig,
} from "../config/index.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { cut, LONGEST_MESSAGE } from "../model/text/quote.ts";
import { engineText } from "./provider/errors.ts";
import { variableOf } from "./properties/settings.ts";
import { register } from "./register.ts";
import * as dynamicModule from "./index.ts";
import * as packagedModule from "./packaged.ts";
import { classesByKind } from "./resources/resource.ts";

/** The modules of the resource classes, by the setting `driftline:provider`. */
const MODULES = new Map<string, object>([
  ["dynamic", dynamicModule],
  ["packaged", packagedModule],
]);

const config = new Config("driftline");
const path = config.get("config") ?? "driftline.yaml";
const module = MODULES.get(config.get("provider") ?? "dynamic");
if (module === undefined) throw new RunError("driftline:provider must be dynamic or packaged");
const redactor = createRedactor();
const { env } = process;
registerRequestSecrets(env, redactor);
const loaded = await loadConfig({ paths: [path], cwd: projectFolder(), env, vars: [], varFiles: [], redactor });
registerConfigSecrets(loaded, env, redactor);
const limited = (text: string): string => cut(redactor.text(text), LONGEST_MESSAGE);
const messageOf = (diagnostic: Diagnostic): string => engineText(redactor.text(formatDiagnostic(diagnostic)));
const warn = (message: string): Promise<void> => log.warn(engineText(message));
const errors = loaded.diagnostics.filter(({ severity }) => severity === "error");
if (errors.length > 0) throw new RunError(errors.map(messageOf).join("\n"));
const isPreview = runtime.isDryRun();
for (const message of [...checkedDiagnostics(loaded).map(messageOf), ...unsupported(loaded)]) await warn(message);
if (isPreview)
  for (const { message } of missingSecrets(loaded, env))
    await warn(`${message}: the preview treats it as unchanged, pulumi up needs it`);
try {
  const inState = needsState(loaded) ? await readStateNames() : new Set<string>();
  for (const { address, lifecycle } of loaded.graph.resources)
    if (lifecycle.state === "absent" && !inState.has(address))
      await warn(
        `${address}: declared absent, but Pulumi only removes resources of its state, which does not have this one`,
      );
  register(loaded.graph, env, { inState, isPreview, classOf: classesByKind(module) });
} catch (error) {
  // An error of the configuration: a stack trace would not help a user.
  throw error instanceof Error && error.name === "Error" ? new RunError(engineText(error.message)) : error;
}

/** Warnings about the parts of a configuration that only the command line uses. */
function unsupported({ graph }: LoadedConfig): readonly string[] {
  const exclusive =
    graph.exclusive.length > 0
      ? ["exclusive is for the command line: Pulumi only removes resources of its own state"]
      : [];
  // The process that talks to the service sees the stack and the environment, but not the program.
  const settings = (["url", "self"] as const).flatMap((name) => {
    const variable = variableOf(name);
    const isSet = [config.get(name), env[variable]].some((value) => value !== undefined && value !== "");
    return graph.service[name] === undefined || isSet
      ? []
      : [`service.${name} is for the command line: run pulumi config set driftline:${name}, or set ${variable}`];
  });
  const renames = graph.resources
    .filter(({ lifecycle }) => lifecycle.renamed_from !== undefined)
    .map(
      ({ address }) =>
        `${address}: lifecycle.renamed_from is for the command line: Pulumi only renames resources of its own state`,
    );
  return [...exclusive, ...settings, ...renames];
}

/** Whether the registration depends on the resources in the state. */
function needsState({ graph }: LoadedConfig): boolean {
  return graph.resources.some(({ lifecycle }) => !isWanted(lifecycle));
}

function formatDiagnostic({ file, line, column, message, hint, command }: Diagnostic): string {
  const position = file === undefined ? "" : `${file}:${String(line ?? 1)}:${String(column ?? 1)} `;
  return `${position}${limited(message)}${hint === undefined ? "" : `. ${limited(withCommand(hint, command))}`}`;
}

/**
 * Returns the folder of the project. A program runs in the folder of its `main` instead. Older language hosts do not
 * report the project's folder: then it is the nearest one with a project file, seen from the working folder of the
 * command or of the program.
 */
function projectFolder(): string {
  const root = getRootDirectory();
  if (isAbsolute(root)) return root;
  return [env["PWD"] ?? "", process.cwd()].map(nearestProject).find((folder) => folder !== undefined) ?? process.cwd();
}

function nearestProject(folder: string): string | undefined {
  if (existsSync(join(folder, "Pulumi.yaml"))) return folder;
  return dirname(folder) === folder || folder === "" ? undefined : nearestProject(dirname(folder));
}

/**
 * Reads the names of all resources that the stack's state held before this run. The engine needs the full name of the
 * stack.
 */
async function readStateNames(): Promise<ReadonlySet<string>> {
  const stackName = `${getOrganization()}/${getProject()}/${getStack()}`;
  const { outputs } = (await runtime.invoke("pulumi:pulumi:readStackResourceOutputs", { stackName })) as {
    readonly outputs: Readonly<Record<string, unknown>>;
  };
  return new Set(Object.keys(outputs).map((urn) => urn.split("::").slice(3).join("::")));
}
