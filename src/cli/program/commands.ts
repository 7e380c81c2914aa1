import type { Command } from "commander";
import type { ExitCode } from "../exit-codes.ts";
import type { Runtime } from "../runtime.ts";
import { addCompletion, addEmulator, addExplain, addShow, addValidate, addVersion } from "./local.ts";
import { withAliases } from "./aliases.ts";
import type { DriftlineCommand } from "./command.ts";
import { addApply, addCall, addDoctor, addDrift, addExport, addImport, addInit, addPin, addPlan } from "./service.ts";

/**
 * Returns the action of a command: it loads the code of the command, and calls it with the runtime that the options ask for, the
 * arguments and the options.
 */
export type Run = <Given extends readonly unknown[]>(
  load: () => Promise<(runtime: Runtime, ...given: Given) => Promise<ExitCode>>,
) => (...given: Given) => Promise<void>;

type Add = (program: DriftlineCommand, run: Run) => void;

/** The groups of `driftline --help`, with the functions that add their commands: all in the order of work. */
const GROUPS: readonly (readonly [heading: string, commands: readonly Add[]])[] = [
  ["Start:", [addInit, addExport, addImport]],
  ["Every day:", [addValidate, addPlan, addApply, addDrift, addPin, addShow]],
  ["Look things up:", [addExplain, addCall, addDoctor]],
  ["Tools:", [addEmulator, addCompletion, addVersion]],
];

/** The command that is typed so; undefined if there is none. */
export function commandNamed(program: Command, name = ""): Command | undefined {
  return program.commands.find((command) => command.name() === name || command.aliases().includes(name));
}

/** Adds every command with its arguments, options and help. */
export function addCommands(program: DriftlineCommand, run: Run): void {
  for (const [heading, commands] of GROUPS) {
    program.commandsGroup(heading);
    for (const add of commands) add(program, run);
  }
  program.helpCommand("help [command]", "display help for a command");
  program.commands.forEach(withAliases);
}
