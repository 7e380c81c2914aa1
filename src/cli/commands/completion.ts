import { TOPICS } from "./explain/topics.ts";
import { type Command, Option } from "commander";
import { operations } from "../../api/operations/index.ts";
import { allKinds } from "../../kinds/registry.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import type { Runtime } from "../runtime.ts";
import { completionScript, type CommandWords, type OptionWords } from "./completion/scripts.ts";
import { shells, type Shell } from "../program/options.ts";

/** `driftline completion SHELL`: writes a completion script for the commands and options that `program` defines. */
export function completionCommand(runtime: Runtime, shell: Shell, program: Command): Promise<ExitCode> {
  const common = program.options.filter(({ long }) => long !== "--version").map(optionWords);
  const commands = program
    .createHelp()
    .visibleCommands(program)
    .filter((command) => command.name() !== "help");
  runtime.out(
    completionScript(
      shell,
      commands.flatMap((command) => commandWords(command, common)),
    ),
  );
  return Promise.resolve(EXIT.ok);
}

/** The possible first arguments of the commands that take one from a list. */
const FIRST_ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  explain: [...allKinds.map(({ name }) => name), ...TOPICS],
  call: Object.keys(operations),
  completion: shells,
};

/** Commander adds this option to each command, but does not list it. */
const HELP = optionWords(new Option("-h, --help", "display help for command"));

/** The words of a command under each of its names. */
function commandWords(command: Command, common: readonly OptionWords[]): readonly CommandWords[] {
  return [command.name(), ...command.aliases()].map((name) => ({
    name,
    description: command.description(),
    options: [...command.options.map(optionWords), ...common, HELP],
    takesAddress: command.registeredArguments[0]?.name() === "address",
    words: FIRST_ARGUMENTS[name] ?? [],
  }));
}

function optionWords(option: Option): OptionWords {
  return {
    flag: option.long ?? option.flags,
    short: option.short,
    description: option.description,
    takesValue: option.required || option.optional,
    takesAddress: option.flags.endsWith(" <address>"),
    choices: option.argChoices ?? [],
  };
}
