import { existsSync } from "node:fs";
import { join } from "node:path";
import { loadConfig, type LoadedConfig } from "../config/index.ts";
import { suggest } from "../model/suggest.ts";
import { sanitize } from "../report/escape.ts";
import { EXIT } from "./exit-codes.ts";
import { Failure, failure } from "./failure.ts";
import { registerConfigSecrets, registerEnvironmentSecrets } from "../engine/secrets.ts";
import type { ConfigOptions } from "./options.ts";
import { reportDiagnostics } from "./output.ts";
import type { Runtime } from "./runtime.ts";

/** The configuration to read where no path is given. */
const DEFAULT_FILE = "driftline.yaml";

/** Loads the configuration, tells its warnings, and ends the command where it has errors. */
export async function loadConfiguration(
  runtime: Runtime,
  paths: readonly string[],
  options: ConfigOptions,
): Promise<LoadedConfig> {
  requireFilled(...paths);
  const given = paths.length > 0 ? paths : [existsSync(join(runtime.cwd, DEFAULT_FILE)) ? DEFAULT_FILE : "."];
  // Before anything is read: a program's configuration may put its whole environment into an error.
  registerEnvironmentSecrets(runtime);
  const loaded = await loadConfig({
    paths: given,
    cwd: runtime.cwd,
    env: runtime.env,
    vars: options.var ?? [],
    varFiles: options.vars ?? [],
  });
  registerConfigSecrets(runtime, loaded);
  if (options.verbose === true) {
    for (const file of loaded.files) runtime.err(`read ${sanitize(file)}\n`);
    for (const file of loaded.ignored) runtime.err(`left alone ${sanitize(file)}: no top-level driftline: key\n`);
  }
  if (loaded.diagnostics.some(({ severity }) => severity === "error"))
    throw new Failure(EXIT.invalid, loaded.diagnostics);
  reportDiagnostics(runtime, loaded.diagnostics);
  return loaded;
}

/** Ends the command where a path is empty: what a variable that is not set leaves behind would mean the current folder. */
export function requireFilled(...paths: readonly (string | undefined)[]): void {
  if (!paths.includes("")) return;
  throw failure(EXIT.invalid, "usage", "a path is empty", "Is a variable not set? The current folder is a dot.");
}

/** Ends the command where an address names nothing that is declared. */
export function requireAddresses(loaded: LoadedConfig, addresses: readonly string[], exact: boolean): void {
  const known = [
    ...loaded.graph.resources.map(({ address }) => address),
    ...(exact ? [] : loaded.graph.projects.map(({ address }) => address)),
  ];
  const prefixes = new Set(
    exact
      ? known
      : known.flatMap((address) =>
          address.split("/").map((_part, index, parts) => parts.slice(0, index + 1).join("/")),
        ),
  );
  for (const address of addresses) {
    // What would be pruned is declared nowhere; its collection is.
    if (prefixes.has(address) || (!exact && prefixes.has(address.replace(/\/id=[^/]+$/, "")))) continue;
    if (!exact && loaded.graph.exclusive.some(({ scope }) => address.startsWith(`${scope}/`))) continue;
    const close = suggest(address, known);
    throw failure(
      EXIT.invalid,
      "unknown_address",
      `nothing is declared at ${JSON.stringify(address)}`,
      close === undefined
        ? "Addresses look like acme/domains/corp; a path that follows them is written as ./path."
        : `Did you mean ${close}?`,
    );
  }
}
