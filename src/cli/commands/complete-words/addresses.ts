import type { Command } from "commander";
import { declaredAddresses, selectableAddresses } from "../../../engine/addresses.ts";
import { compareNaturally } from "../../../model/compare-text.ts";
import type { ConfigOptions } from "../../program/options.ts";
import type { Runtime } from "../../runtime.ts";
import { readConfiguration } from "../../steps/config.ts";

/** Where an address is typed: behind a flag, or as an argument of the command. */
export interface AddressPlace {
  readonly command: Command;
  readonly operands: readonly string[];
  readonly flag: string;
}

/** Options that take scopes and collections as well as resources. */
const SELECTS: ReadonlySet<string> = new Set(["--only", "--target"]);

/** The addresses of the configuration that the command line names. No program is run for a key press. */
export async function addressesAt(
  runtime: Runtime,
  { command, operands, flag }: AddressPlace,
): Promise<readonly string[]> {
  const paths = command.registeredArguments[0]?.name() === "path" ? operands : [];
  const options = { ...command.opts<ConfigOptions>(), programs: "skip" } as const;
  const { graph } = await readConfiguration(runtime, paths, options);
  const addresses = SELECTS.has(flag) ? selectableAddresses(graph) : declaredAddresses(graph);
  return [...addresses].toSorted(compareNaturally);
}
