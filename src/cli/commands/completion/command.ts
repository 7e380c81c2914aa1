import type { Command } from "commander";
import { operations } from "../../../api/operations/index.ts";
import { allKinds } from "../../../kinds/registry.ts";
import { completionScript, shells, type Shell } from "./scripts.ts";
import { vocabularyOf } from "./vocabulary.ts";
import { EXIT, type ExitCode } from "../../exit-codes.ts";
import type { Runtime } from "../../runtime.ts";

/** `driftline completion SHELL`: a script for the shell, made of the commands as they are. */
export function completionCommand(runtime: Runtime, shell: Shell, program: Command): Promise<ExitCode> {
  const words = {
    explain: allKinds.map(({ name }) => name),
    call: Object.keys(operations),
    completion: shells,
  };
  runtime.out(completionScript(shell, vocabularyOf(program, words)));
  return Promise.resolve(EXIT.ok);
}
