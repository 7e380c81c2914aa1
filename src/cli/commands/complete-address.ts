import { compareNaturally } from "../../model/compare-text.ts";
import type { Command } from "commander";
import { declaredAddresses, selectableAddresses } from "../../engine/addresses.ts";
import { readConfiguration } from "../steps/config.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { commandNamed } from "../program/commands.ts";
import type { ConfigOptions } from "../program/options.ts";
import type { Runtime } from "../runtime.ts";

/** Options that take scopes and collections as well as resources. */
const SELECTS: ReadonlySet<string> = new Set(["--only", "--target"]);

/**
 * Lists the addresses that can follow a command line, one per line, for the scripts of `driftline completion`. It reads the
 * configuration that the command line names. Nothing is sent, and an error is an empty list: it would disturb the prompt.
 *
 * @param words the command line without its program, up to the word that is completed
 */
export async function completeAddressCommand(
  runtime: Runtime,
  words: readonly string[],
  program: Command,
): Promise<ExitCode> {
  const [name, ...rest] = words;
  const last = rest.at(-1) ?? "";
  const command = commandNamed(program, name);
  if (command === undefined) return EXIT.ok;
  try {
    command.configureOutput({ writeErr: () => undefined });
    // An option at the end has no value yet.
    const { operands } = command.parseOptions(last.startsWith("-") ? rest.slice(0, -1) : rest);
    const takesPaths = command.registeredArguments[0]?.name() === "path";
    const { graph } = await readConfiguration(runtime, takesPaths ? operands : [], command.opts<ConfigOptions>());
    const addresses = SELECTS.has(last) ? selectableAddresses(graph) : declaredAddresses(graph);
    runtime.out(
      [...addresses]
        .toSorted(compareNaturally)
        .map((address) => `${address}\n`)
        .join(""),
    );
  } catch {
    // The command itself reports what is wrong.
  }
  return EXIT.ok;
}
