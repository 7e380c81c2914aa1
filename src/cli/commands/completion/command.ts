import type { Command } from "commander";
import { operations } from "../../../api/operations/index.ts";
import { allKinds } from "../../../kinds/registry.ts";
import { EXIT, type ExitCode } from "../../exit-codes.ts";
import type { Runtime } from "../../runtime.ts";
import { completionScript, type CommandWords, type OptionWords } from "./scripts.ts";
import { shells, type Shell } from "../../options.ts";

/** `driftline completion SHELL`: writes a completion script for the commands and options that `program` defines. */
export function completionCommand(runtime: Runtime, shell: Shell, program: Command): Promise<ExitCode> {
  runtime.out(completionScript(shell, program.commands.map(commandWords)));
  return Promise.resolve(EXIT.ok);
}

/** The possible first arguments of the commands that take one from a list. */
const FIRST_ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  explain: allKinds.map(({ name }) => name),
  call: Object.keys(operations),
  completion: shells,
};

/** Commander adds this option to each command, but does not list it. */
const HELP: OptionWords = { flag: "--help", description: "display help for command", takesValue: false, choices: [] };

function commandWords(command: Command): CommandWords {
  return {
    name: command.name(),
    description: command.description(),
    options: [...command.options.map(optionWords), HELP],
    words: FIRST_ARGUMENTS[command.name()] ?? [],
  };
}

function optionWords(option: Command["options"][number]): OptionWords {
  return {
    flag: option.long ?? option.flags,
    description: option.description,
    takesValue: option.required || option.optional,
    choices: option.argChoices ?? [],
  };
}
