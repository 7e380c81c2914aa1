import { CODES } from "../../model/diagnostic-codes.ts";
import { type Diagnostic } from "../../model/diagnostic.ts";
import { firstOf, MAX_FILES } from "../../model/text/plural.ts";
import { configurationsIn } from "./configurations-in.ts";
import { existsSync, statSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { publicUrlOf } from "../../api/http/service-url.ts";
import {
  checkedDiagnostics,
  literalSecrets,
  loadConfig,
  registerConfigSecrets,
  type LoadedConfig,
} from "../../config/index.ts";
import { readAtMost } from "../../config/source/files.ts";
import { MAX_BYTES, type Programs } from "../../config/source/read.ts";
import { command } from "../../model/command.ts";
import { isObject } from "../../model/json/json.ts";
import { registerRequestSecrets } from "../../api/redact/redact.ts";
import { secretVariables } from "../../engine/secret-variables.ts";
import type { PlanSource } from "../../model/plan.ts";
import { sanitize } from "../../model/text/quote.ts";
import { EngineError } from "../../model/engine-error.ts";
import { invalidError } from "../failure.ts";
import type { ConfigOptions, ServiceOptions } from "../program/options.ts";
import { DEFAULT_FILE, parseVariables } from "../invocation.ts";
import type { Runtime } from "../runtime.ts";
import { saidSecrets, typedSecrets } from "./taken-secrets.ts";

/** The paths to read: those given, else the default file, else the current folder. */
export function configurationPaths(cwd: string, paths: readonly string[]): readonly string[] {
  if (paths.length > 0) return paths;
  return [existsSync(join(cwd, DEFAULT_FILE)) ? DEFAULT_FILE : "."];
}

/** Loads the configuration. Its warnings are reported with those of the plan. @throws EngineError if it has errors */
export async function loadConfiguration(
  runtime: Runtime,
  paths: readonly string[],
  options: ConfigOptions,
): Promise<LoadedConfig> {
  requireFilled(...paths);
  requireNoDocuments(runtime, paths);
  return checkedConfiguration(runtime, paths, options, await readConfiguration(runtime, paths, options));
}

/** Returns a configuration that was read, with warnings about files beside it. @throws EngineError if it has errors */
export function checkedConfiguration(
  runtime: Runtime,
  paths: readonly string[],
  options: ConfigOptions,
  config: LoadedConfig,
): LoadedConfig {
  if (options.verbose === true) {
    for (const file of config.files) runtime.err(`read ${sanitize(file)}\n`);
    for (const file of config.skippedFiles) runtime.err(`skipped ${sanitize(file)}: no top-level driftline: key\n`);
  }
  if (config.diagnostics.some(({ severity }) => severity === "error"))
    throw new EngineError("invalid", checkedDiagnostics(config, options));
  return paths.length > 0
    ? config
    : { ...config, diagnostics: [...config.diagnostics, ...unreadFileWarnings(runtime, config)] };
}

/** The same for a command that needs no configuration: undefined if no path is given, and nothing is where plan would read. */
export async function loadConfigurationIfAny(
  runtime: Runtime,
  paths: readonly string[],
  options: ConfigOptions,
): Promise<LoadedConfig | undefined> {
  return loadConfiguration(runtime, paths, options).catch((error: unknown) => {
    if (error instanceof EngineError && isWithoutConfiguration(paths, error.diagnostics)) return undefined;
    throw error;
  });
}

/** Whether the only error is that no configuration was found, and no path was given. */
export function isWithoutConfiguration(paths: readonly string[], diagnostics: readonly Diagnostic[]): boolean {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return paths.length === 0 && errors.length > 0 && errors.every(({ code }) => code === CODES.noDocuments);
}

/** Warns about files beside the default one. People who know Terraform expect that all files of a folder are read. */
function unreadFileWarnings({ cwd }: Runtime, { files }: LoadedConfig): readonly Diagnostic[] {
  const unread = configurationsIn(cwd).filter((name) => !files.includes(name));
  if (unread.length === 0) return [];
  const message = `${firstOf(unread, MAX_FILES)} ${unread.length === 1 ? "is" : "are"} in the same folder and not read`;
  const way = { hint: "To read all files of the folder:", command: command("plan", {}, ".") };
  return [{ severity: "warning", code: "file_not_read", message, ...way }];
}

/** Reads the configuration and registers its secrets with the redactor. Its errors are in its diagnostics. */
export async function readConfiguration(
  { cwd, env, redactor, invocation }: Runtime,
  paths: readonly string[],
  options: ConfigOptions,
): Promise<LoadedConfig> {
  registerRequestSecrets(env, redactor);
  const variables = parseVariables(options.var);
  for (const secret of typedSecrets(env, variables)) redactor.add(secret);
  const config = await loadConfig({
    paths: configurationPaths(cwd, paths),
    cwd,
    env,
    vars: options.var ?? [],
    varFiles: options.vars ?? [],
    programs: programsOf(options, env),
    redactor,
  });
  registerConfigSecrets(config, env, redactor);
  for (const secret of saidSecrets(config, env)) redactor.add(secret);
  // A configuration with errors does not show which variables feed secrets. Then all of them stay concealed.
  if (!config.diagnostics.some(({ severity }) => severity === "error"))
    invocation.hideVariables(secretVariables(variables, literalSecrets(config.graph.resources), redactor));
  return config;
}

function programsOf({ programs }: ConfigOptions, env: Runtime["env"]): Programs {
  if (programs === "skip") return programs;
  const isRefused = programs === false || !["", "0", "false"].includes(env["DRIFTLINE_NO_PROGRAMS"] ?? "");
  return isRefused ? "refuse" : "run";
}

/** Refuses empty paths. A shell variable that is not set leaves one, and reading it as the current folder would hide that. */
export function requireFilled(...paths: readonly (string | undefined)[]): void {
  if (!paths.includes("")) return;
  throw invalidError(
    "usage",
    "a path is empty",
    "Check that every shell variable in the command is set. Use . for the current folder.",
  );
}

/** The type of a document that driftline has printed or saved, whatever has sorted its keys since then. */
function documentType(text: string): string | undefined {
  if (!/^\s*\{[^]*"type":\s*"driftline\./u.test(text)) return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    const type = isObject(parsed) ? parsed["type"] : undefined;
    return typeof type === "string" ? /^driftline\.(\w+)$/u.exec(type)?.[1] : undefined;
  } catch {
    return undefined;
  }
}

/** The text of a file. Empty if it cannot be read, for example because its name is too long: the loader says why. */
function textAt(file: string): string {
  try {
    return statSync(file).isFile() ? new TextDecoder().decode(readAtMost(file, MAX_BYTES)) : "";
  } catch {
    return "";
  }
}

/** @throws EngineError if a path is such a document, which is no configuration */
export function requireNoDocuments({ cwd }: Runtime, paths: readonly string[]): void {
  for (const path of paths) requireNoDocument(cwd, path);
}

function requireNoDocument(cwd: string, path: string): void {
  const type = documentType(textAt(resolve(cwd, path)));
  if (type === undefined) return;
  if (type !== "plan")
    throw invalidError("saved_plan", `${path} is a report, not a configuration`, "Give the files that it is about.");
  const way = { hint: "To apply exactly this plan:", command: command("apply", { plan: path }) };
  throw invalidError("saved_plan", `${path} is a saved plan, not a configuration`, way);
}

/** The options that a plan remembers. */
export type SourceOptions = ConfigOptions & Pick<ServiceOptions, "url" | "profile">;

/** How a command was given, with paths that mean the same in another checkout. */
export function planSource(cwd: string, paths: readonly string[], options: SourceOptions): PlanSource {
  const portable = (path: string): string => relative(cwd, resolve(cwd, path)).split(sep).join("/") || ".";
  return {
    paths: configurationPaths(cwd, paths).map(portable),
    variable_files: (options.vars ?? []).map(portable),
    variables: parseVariables(options.var),
    profile: options.profile,
    url: options.url === undefined || !URL.canParse(options.url) ? null : publicUrlOf(options.url),
  };
}

/** The options of a source, as commands take them. */
export function optionsOf({ variables, variable_files, profile, url }: PlanSource): SourceOptions {
  return {
    var: variables.map(({ name, value }) => `${name}=${value ?? ""}`),
    vars: variable_files,
    profile,
    ...(url === null ? {} : { url }),
  };
}
