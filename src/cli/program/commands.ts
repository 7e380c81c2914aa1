import type { Run, DriftlineCommand } from "./command.ts";
import { addCompletion, addEmulator, addExplain, addShow, addValidate, addVersion } from "./local.ts";
import {
  addAccess,
  addApply,
  addCall,
  addDoctor,
  addDrift,
  addExport,
  addImport,
  addInit,
  addPin,
  addPlan,
} from "./service.ts";
import { type Command, Option } from "commander";

type Add = (program: DriftlineCommand, run: Run) => void;

/** The groups of `driftline --help`, with the functions that add their commands: all in the order of work. */
const GROUPS: readonly (readonly [heading: string, commands: readonly Add[]])[] = [
  ["Start:", [addInit, addExport, addImport]],
  ["Every day:", [addValidate, addPlan, addApply, addDrift, addPin, addShow]],
  ["Look things up:", [addAccess, addExplain, addCall, addDoctor]],
  ["Tools:", [addEmulator, addCompletion, addVersion]],
];

/** Adds every command with its arguments, options and help. */
export function addCommands(program: DriftlineCommand, run: Run): void {
  for (const [heading, commands] of GROUPS) {
    program.commandsGroup(heading);
    for (const add of commands) add(program, run);
  }
  program.helpCommand("help [command]", "display help for a command");
  program.commands.forEach(withAliases);
}

/** Other tools' names for options: each alias with the option, and the value that it stands for. */
const ALIASES: readonly (readonly [alias: string, option: string, value?: string])[] = [
  ["--json", "--format", "json"],
  ["--target", "--only"],
  ["--var-file", "--vars"],
  ["--auto-approve", "--yes"],
];

/** Lets the options of a command be given by their aliases. They are parsed as the option is, whose help names them. */
function withAliases(command: Command): void {
  for (const [alias, flag, value] of ALIASES) {
    const option = command.options.find(({ long }) => long === flag);
    if (option === undefined) continue;
    const name = option.attributeName();
    const placeholder = value === undefined ? (/ <.+>$/.exec(option.flags)?.[0] ?? "") : "";
    const meaning = value === undefined ? flag : `${flag} ${value}`;
    const hidden = new Option(`${alias}${placeholder}`, `the same as ${meaning}`).hideHelp();
    option.description += ` (also: ${alias}${value === undefined ? "" : ` for ${value}`})`;
    command.addOption(hidden).on(`option:${hidden.name()}`, (given?: string | null) => {
      const text = value ?? given ?? undefined;
      const parsed: unknown =
        text === undefined ? true : (option.parseArg?.(text, command.getOptionValue(name)) ?? text);
      command.setOptionValueWithSource(name, parsed, "cli");
    });
  }
}
