import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { LoadedConfig } from "../../config/index.ts";
import { isMeantAsAddress } from "../../engine/addresses.ts";
import {
  checkedConfiguration,
  loadConfiguration,
  readConfiguration,
  requireFilled,
  requireNoDocuments,
} from "./config.ts";
import { commandLine, optionWords } from "../../model/command.ts";
import type { ConfigOptions } from "../program/options.ts";
import { reportDiagnostics } from "../terminal/output.ts";
import type { Runtime } from "../runtime.ts";

/** The configuration at the paths, and the addresses of `--only`. */
export interface AddressedConfig {
  readonly only: readonly string[];
  readonly paths: readonly string[];
  readonly config: LoadedConfig;
}

/**
 * Loads the configuration at the arguments. An argument that is an address and no existing path is taken as one of `--only`, with
 * a warning that names --only: many people write it there first.
 *
 * @throws EngineError if the configuration has errors
 */
export async function loadAddressed(
  runtime: Runtime,
  given: readonly string[],
  options: ConfigOptions & { readonly only?: readonly string[] },
): Promise<AddressedConfig> {
  requireFilled(...given);
  const missing = given.filter((text) => !existsSync(resolve(runtime.cwd, text)));
  const existing = given.filter((text) => !missing.includes(text));
  requireNoDocuments(runtime, existing);
  const read = missing.length === 0 ? undefined : await readConfiguration(runtime, existing, options);
  const addresses = missing.filter((text) => read !== undefined && isMeantAsAddress(read.graph, text));
  if (addresses.length > 0) {
    const message = `addresses are given with --only, so write ${commandLine(optionWords("only", addresses))}`;
    reportDiagnostics(runtime, [{ severity: "warning", code: "address_without_only", message }]);
  }
  const paths = given.filter((text) => !addresses.includes(text));
  // A program is not run twice.
  const config =
    read !== undefined && addresses.length === missing.length
      ? checkedConfiguration(runtime, paths, options, read)
      : await loadConfiguration(runtime, paths, options);
  return { only: [...(options.only ?? []), ...addresses], paths, config };
}
