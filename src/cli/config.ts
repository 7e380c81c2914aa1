import { existsSync } from "node:fs";
import { join } from "node:path";
import { loadConfig, type LoadedConfig } from "../config/index.ts";
import { registerEnvironmentSecrets } from "../api/redact/environment.ts";
import { registerConfigSecrets } from "../engine/secrets.ts";
import { sanitize } from "../report/escape.ts";
import { EXIT } from "./exit-codes.ts";
import { Failure, failure } from "./failure.ts";
import type { ConfigOptions } from "./options.ts";
import { reportDiagnostics } from "./output.ts";
import type { Runtime } from "./runtime.ts";

/** The file that is read if no path is given. */
const DEFAULT_FILE = "driftline.yaml";

/** The paths to read: those given, else the default file, else the current folder. */
export function configurationPaths(cwd: string, paths: readonly string[]): readonly string[] {
  if (paths.length > 0) return paths;
  return [existsSync(join(cwd, DEFAULT_FILE)) ? DEFAULT_FILE : "."];
}

/** Loads the configuration and reports its warnings. @throws Failure if it has errors */
export async function loadConfiguration(
  runtime: Runtime,
  paths: readonly string[],
  options: ConfigOptions,
): Promise<LoadedConfig> {
  requireFilled(...paths);
  const { cwd, env, redactor } = runtime;
  // Before anything is read: a configuration that is a program may put its whole environment into an error.
  registerEnvironmentSecrets(env, redactor);
  const config = await loadConfig({
    paths: configurationPaths(cwd, paths),
    cwd,
    env,
    vars: options.var ?? [],
    varFiles: options.vars ?? [],
  });
  registerConfigSecrets(config, env, redactor);
  if (options.verbose === true) {
    for (const file of config.files) runtime.err(`read ${sanitize(file)}\n`);
    for (const file of config.ignored) runtime.err(`skipped ${sanitize(file)}: no top-level driftline: key\n`);
  }
  if (config.diagnostics.some(({ severity }) => severity === "error"))
    throw new Failure(EXIT.invalid, config.diagnostics);
  reportDiagnostics(runtime, config.diagnostics);
  return config;
}

/** An empty path is what an unset variable leaves behind. Read as the current folder, it would hide the mistake. */
export function requireFilled(...paths: readonly (string | undefined)[]): void {
  if (!paths.includes("")) return;
  throw failure(EXIT.invalid, "usage", "a path is empty", "Is a variable not set? The current folder is a dot.");
}
