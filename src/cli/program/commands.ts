import type { Run, DriftlineCommand } from "./command.ts";
import { addCompletion, addEmulator, addExplain, addShow, addValidate, addVersion } from "./local.ts";
import { withAliases } from "./aliases.ts";
import { addApply, addCall, addDoctor, addDrift, addExport, addImport, addInit, addPin, addPlan } from "./service.ts";

type Add = (program: DriftlineCommand, run: Run) => void;

/** The groups of `driftline --help`, with the functions that add their commands: all in the order of work. */
const GROUPS: readonly (readonly [heading: string, commands: readonly Add[]])[] = [
  ["Start:", [addInit, addExport, addImport]],
  ["Every day:", [addValidate, addPlan, addApply, addDrift, addPin, addShow]],
  ["Look things up:", [addExplain, addCall, addDoctor]],
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
