/**
 * The arguments of a command that takes addresses as well as paths.
 *
 * Premise: a folder may have the name of an organization, and an address may end like a file.
 * Algorithm: an argument that looks like a path and is on disk is one. If only one of both holds, it is an address if the other paths,
 * or else the default file, declare it. Otherwise it is a path.
 */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { LoadedConfig } from "../../config/index.ts";
import { selectableAddresses } from "../../engine/addresses.ts";
import { loadConfiguration, readConfiguration, requireFilled } from "./config.ts";
import type { ConfigOptions } from "../program/options.ts";
import { reportDiagnostics } from "../terminal/output.ts";
import { DEFAULT_FILE, looksLikePath } from "../invocation.ts";
import type { Runtime } from "../runtime.ts";

/** The addresses and the paths among the arguments, and the configuration at the paths. */
export interface AddressedConfig {
  readonly addresses: readonly string[];
  readonly paths: readonly string[];
  readonly config: LoadedConfig;
}

/** Decides which arguments are addresses, and loads the configuration at the others. @throws Failure if the configuration has errors */
export async function loadAddressed(
  runtime: Runtime,
  given: readonly string[],
  options: ConfigOptions,
): Promise<AddressedConfig> {
  requireFilled(...given);
  const isOnDisk = (text: string): boolean => existsSync(resolve(runtime.cwd, text));
  const sure = given.filter((text) => looksLikePath(text) && isOnDisk(text));
  const unclear = given.filter((text) => looksLikePath(text) !== isOnDisk(text));
  const others = sure.length > 0 || existsSync(join(runtime.cwd, DEFAULT_FILE));
  const declared = others && unclear.length > 0 ? await declaredAt(runtime, sure, options) : new Set<string>();
  const paths = given.filter((text) => sure.includes(text) || (unclear.includes(text) && !declared.has(text)));
  runtime.invocation.setPaths(paths);
  const both = unclear.filter((text) => declared.has(text) && isOnDisk(text));
  reportDiagnostics(runtime, both.map(readAsAddress));
  const config = await loadConfiguration(runtime, paths, options);
  return { addresses: given.filter((text) => !paths.includes(text)), paths, config };
}

/** What the configuration at these paths declares; nothing if it has errors. */
async function declaredAt(
  runtime: Runtime,
  paths: readonly string[],
  options: ConfigOptions,
): Promise<ReadonlySet<string>> {
  const { graph, diagnostics } = await readConfiguration(runtime, paths, options);
  return diagnostics.some(({ severity }) => severity === "error") ? new Set() : selectableAddresses(graph);
}

function readAsAddress(text: string) {
  return {
    severity: "warning",
    code: "address_and_path",
    message: `${text} is taken as the address: it is declared, and a file or folder has the same name`,
    hint: `For the file or folder, write ./${text}.`,
  } as const;
}
