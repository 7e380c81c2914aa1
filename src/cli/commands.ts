import { Argument, Option, type Command } from "commander";
import { kindNames } from "../model/kind-name.ts";
import type { ExitCode } from "./exit-codes.ts";
import {
  collect,
  portNumber,
  positiveInteger,
  profileOption,
  shells,
  textJsonOrMarkdown,
  textOrJson,
  wholeNumber,
  withConfig,
  withFormat,
  withOnly,
  withPaths,
  withService,
  type Shell,
} from "./options.ts";
import type { Runtime } from "./runtime.ts";

/** Runs a command with the runtime that its options ask for. Each command's code is loaded when it runs. */
export type Run = (command: (runtime: Runtime) => Promise<ExitCode>) => Promise<void>;

/** Adds every command with its arguments, options and help. */
export function addCommands(program: Command, run: Run): void {
  addLocalCommands(program, run);
  addPlan(program, run);
  addDrift(program, run);
  addApply(program, run);
  addExport(program, run);
  addEmulator(program, run);
  addCall(program, run);
  addDoctor(program, run);
}

function addLocalCommands(program: Command, run: Run): void {
  program
    .command("init")
    .description("write a first configuration")
    .argument("[file]", "the file to write", "driftline.yaml")
    .action((file: string) => run(async (runtime) => (await import("./commands/init.ts")).initCommand(runtime, file)));
  withPaths(withConfig(program.command("validate").description("check the configuration without the service")))
    .addOption(profileOption())
    .addOption(textOrJson())
    .action((paths: string[], options) =>
      run(async (runtime) => (await import("./commands/validate.ts")).validateCommand(runtime, paths, options)),
    );
  withFormat(program.command("show").description("show a saved plan"))
    .argument("<plan>", "a file that plan --out wrote")
    .option("--unmanaged", "list live objects that nothing declares")
    .option("--verbose", "list every warning, and live keys that are not compared")
    .action((file: string, options) =>
      run(async (runtime) => (await import("./commands/show.ts")).showCommand(runtime, file, options)),
    );
  program
    .command("explain")
    .description("explain the fields and rules of a kind")
    .argument("<kind>", kindNames.join(", "))
    .addOption(textJsonOrMarkdown())
    .action((kind: string, options) =>
      run(async (runtime) => (await import("./commands/explain/command.ts")).explainCommand(runtime, kind, options)),
    );
  program
    .command("completion")
    .description("write a completion script for a shell")
    .addArgument(new Argument("<shell>", "the shell").choices(shells))
    .action((shell: Shell) =>
      run(async (runtime) =>
        (await import("./commands/completion/command.ts")).completionCommand(runtime, shell, program),
      ),
    );
}

function addPlan(program: Command, run: Run): void {
  const command = program.command("plan").description("show what differs from the service, and what apply would do");
  withOnly(withFormat(withService(withConfig(withPaths(command)))))
    .option("--out <file>", "save the plan, to be applied with apply --plan")
    .option("--detailed-exitcode", "exit with 2 if anything differs")
    .option("--prune", "plan to delete undeclared objects of exclusive kinds")
    .option("--rotate <address>", "send the write-only fields of this address again (repeatable)", collect)
    .option("--recreate <address>", "create this pinned object anew if it is missing (repeatable)", collect)
    .option("--unmanaged", "list live objects that nothing declares")
    .action((paths: string[], options) =>
      run(async (runtime) => (await import("./commands/plan.ts")).planCommand(runtime, paths, options)),
    );
}

function addDrift(program: Command, run: Run): void {
  const command = program
    .command("drift")
    .description("report what changed outside of the configuration; exit with 2 if anything did");
  withOnly(withFormat(withService(withConfig(withPaths(command)))))
    .option("--accept", "write the live values into the YAML files that declare them")
    .option("--unmanaged", "list live objects that nothing declares")
    .action((paths: string[], options) =>
      run(async (runtime) => (await import("./commands/plan.ts")).driftCommand(runtime, paths, options)),
    );
}

function addApply(program: Command, run: Run): void {
  const command = program.command("apply").description("write exactly the plan that is shown");
  withOnly(withFormat(withService(withConfig(withPaths(command)))))
    .option("--plan <file>", "apply exactly this saved plan")
    .option("--yes", "do not ask")
    .option("--approve <hash>", "allow the plan with this hash to remove more than the limit")
    .option("--prune", "delete undeclared objects of exclusive kinds")
    .option("--rotate <address>", "send the write-only fields of this address again (repeatable)", collect)
    .option("--recreate <address>", "create this pinned object anew if it is missing (repeatable)", collect)
    .option(
      "--confirm-organization <name>",
      "allow the organization with this name to be deleted (repeatable)",
      collect,
    )
    .option(
      "--allow-loss <address>",
      "replace this object even if some values cannot be carried over (repeatable)",
      collect,
    )
    .option(
      "--settle-after <seconds>",
      "seconds to wait before assuming that an unanswered create did not happen (default: 60)",
      positiveInteger,
    )
    .option("--unmanaged", "list live objects that nothing declares")
    .action((paths: string[], options) =>
      run(async (runtime) => (await import("./commands/apply.ts")).applyCommand(runtime, paths, options)),
    );
}

function addExport(program: Command, run: Run): void {
  withService(program.command("export").description("write a configuration from a live organization"))
    .option("--organization <id...>", "export only these organizations")
    .option("--project <id...>", "export only these projects")
    .option("--out <folder>", "write a file per organization into this folder (default: stdout)")
    .option("--no-ids", "do not pin ids")
    .option(
      "--pulumi [folder]",
      "write a Pulumi program instead, with a file for pulumi import (Pulumi 3.254 or newer)",
    )
    .option("--verbose", "report every request")
    .action((options) =>
      run(async (runtime) => (await import("./commands/export.ts")).exportCommand(runtime, options)),
    );
}

function addEmulator(program: Command, run: Run): void {
  program
    .command("emulator")
    .description("serve the interface on this machine, in memory")
    .option("--port <n>", "the port (default: a free one)", portNumber)
    .option("--seed <file>", "initial data (JSON)")
    .addOption(
      new Option("--dialect <name>", "follow the interface document, or answer like deployed servers")
        .choices(["document", "deployed"])
        .default("document"),
    )
    .option("--control-port <n>", "port of the control API (seed, edit, faults, request log)", portNumber)
    .option("--latency <ms>", "minimum duration of each request, in milliseconds", wholeNumber)
    .option("--max-page-size <n>", "the largest page size that is accepted", positiveInteger)
    .option("--rate-limits", "enforce the rate limits of deployed servers")
    .action((options) =>
      run(async (runtime) => (await import("./commands/emulator.ts")).emulatorCommand(runtime, options)),
    );
}

function addCall(program: Command, run: Run): void {
  withService(program.command("call").description("send any operation of the interface by name"))
    .argument("[operation]", "its name, such as domains.verify; with --list, the name of a family")
    .argument("[parameter...]", "name=value, name:=JSON, or name=@FILE; --list shows their types")
    .option("--list", "list the operations with method, path, scope and parameters")
    .option("--body <file>", "the body as JSON, - for stdin; parameters override its fields")
    .option("--file <name=path>", "a file of a plugin's source, for update_source (repeatable)", collect)
    .option("--all", "read every page of a list, one row of JSON per line")
    .option("--dry-run", "show the request without sending it")
    .option("--yes", "do not ask before a writing operation")
    .option(
      "--confirm-organization <name>",
      "allow the organization with this name to be deleted (repeatable)",
      collect,
    )
    .option("--verbose", "report every request")
    .addOption(textOrJson())
    .addHelpText(
      "after",
      `
Results are JSON in every format, with secrets concealed by name; format=csv returns the service's own text.
  driftline call domains.list organization_id=ID --all
  driftline call insights.trend project_id=2 events:='[{"id": "signed up"}]' date_from=-7d
  driftline call invites.create organization_id=ID --body invite.json --dry-run
  driftline call pipeline_destinations.update_source organization_id=ID id=7 --file index.ts=./index.ts`,
    )
    .action((name: string | undefined, parameters: string[], options) =>
      run(async (runtime) =>
        (await import("./commands/call/command.ts")).callCommand(runtime, name, parameters, options),
      ),
    );
}

function addDoctor(program: Command, run: Run): void {
  const command = program
    .command("doctor")
    .description("check the setup: URL, key, scopes, clock, limits and configuration");
  withService(withConfig(withPaths(command)))
    .addOption(textOrJson())
    .action((paths: string[], options) =>
      run(async (runtime) => (await import("./commands/doctor/command.ts")).doctorCommand(runtime, paths, options)),
    );
}
