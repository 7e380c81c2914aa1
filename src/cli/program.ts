import { Argument, Command, CommanderError, Option } from "commander";
import { shells, type Shell } from "./commands/completion/scripts.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { kindNames } from "../model/kind-name.ts";
import { commandOfJson, diagnosticsJson } from "./diagnostics-document.ts";
import { sanitize } from "../report/escape.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { Failure } from "./failure.ts";
import { wantsJsonLines, asJsonLines } from "./json-lines.ts";
import { portNumber, positiveInteger, wholeNumber, withConfig, withFormat, withService } from "./options.ts";
import { reportDiagnostics } from "./output.ts";
import { redactDiagnostics } from "../engine/redact.ts";
import type { Runtime } from "./runtime.ts";
import { toolVersion } from "./connect.ts";

type Run = (code: Promise<ExitCode>) => Promise<void>;

/** Runs one command. Resolves to the exit code; never throws. Whoever asked for JSON gets a document whatever happens. */
export async function runCommandLine(args: readonly string[], world: Runtime): Promise<ExitCode> {
  const runtime = wantsJsonLines(args) ? asJsonLines(world) : world;
  let exitCode: ExitCode = EXIT.ok;
  let isSilent = true;
  const out = (text: string): void => {
    isSilent = false;
    runtime.out(text);
  };
  const raw: Runtime["raw"] = (stream, text) => {
    if (stream === "stdout") isSilent = false;
    runtime.raw(stream, text);
  };
  const program = createProgram({ ...runtime, out, raw }, async (code) => {
    exitCode = await code;
  });
  try {
    await program.parseAsync([...args], { from: "user" });
    return exitCode;
  } catch (error) {
    const [code, diagnostics] = reportError(error, runtime);
    const command = commandOfJson(args);
    if (isSilent && command !== undefined && code !== EXIT.ok)
      runtime.raw("stdout", diagnosticsJson(command, code, redactDiagnostics(diagnostics, runtime.redactor)));
    return code;
  }
}

/** Tells on stderr why a command ended, and gives the same as data. */
function reportError(error: unknown, runtime: Runtime): readonly [ExitCode, readonly Diagnostic[]] {
  if (error instanceof CommanderError) {
    // It has been told already.
    if (error.exitCode === 0) return [EXIT.ok, []];
    const message = error.message.replace(/^error: /, "");
    return [EXIT.invalid, [{ severity: "error", code: "usage", message, hint: "Look at what --help says." }]];
  }
  if (error instanceof Failure) {
    reportDiagnostics(runtime, error.diagnostics);
    return [error.exitCode, error.diagnostics];
  }
  const message = error instanceof Error ? error.message : String(error);
  runtime.err(defectText(message));
  return [EXIT.error, [{ severity: "error", code: "defect", message, hint: DEFECT }]];
}

const DEFECT = "This should not happen. Please report it, with what you ran.";

/** What is said of a mistake of our own. */
export function defectText(message: string): string {
  return `error: ${sanitize(message)}\n  hint: ${DEFECT}\n`;
}

function createProgram(runtime: Runtime, run: Run): Command {
  const program = new Command("driftline")
    .description("Declare your analytics organization, see what drifted, put it right.")
    .version(toolVersion())
    .exitOverride()
    .configureOutput({ writeOut: runtime.out, writeErr: runtime.err })
    .showHelpAfterError("(driftline COMMAND --help tells what there is)");
  addOffline(program, runtime, run);
  addReading(program, runtime, run);
  addApply(program, runtime, run);
  addExport(program, runtime, run);
  addOperations(program, runtime, run);
  return program;
}

/** Each command's code is loaded when it runs, and not before. */
function addReading(program: Command, runtime: Runtime, run: Run): void {
  withFormat(
    withService(
      withConfig(program.command("plan").description("show what differs from the service, and what would be done")),
    ),
  )
    .argument("[path...]", "configuration files and folders (default: driftline.yaml, else .)")
    .option("--out <file>", "save the plan, to be applied with apply --plan")
    .option("--detailed-exitcode", "exit with 2 where something differs")
    .option("--prune", "plan to delete undeclared objects of exclusive kinds")
    .option("--only <address...>", "plan nothing but these addresses and what is below them")
    .option("--rotate <address...>", "send the write-only fields of these again")
    .option("--unmanaged", "list what is there but not declared")
    .action((paths: string[], options) =>
      run(import("./commands/plan.ts").then(({ planCommand }) => planCommand(runtime, paths, options))),
    );
  withFormat(
    withService(
      withConfig(
        program
          .command("drift")
          .description("tell what has changed outside of the configuration; exit with 2 where something has"),
      ),
    ),
  )
    .argument("[path...]", "configuration files and folders (default: driftline.yaml, else .)")
    .option("--accept", "write the live values into the YAML that declares them")
    .option("--only <address...>", "look at nothing but these addresses and what is below them")
    .option("--unmanaged", "list what is there but not declared")
    .action((paths: string[], options) =>
      run(import("./commands/plan.ts").then(({ driftCommand }) => driftCommand(runtime, paths, options))),
    );
}

function addApply(program: Command, runtime: Runtime, run: Run): void {
  withFormat(withService(withConfig(program.command("apply").description("carry out the plan"))))
    .argument("[path...]", "configuration files and folders (default: driftline.yaml, else .)")
    .option("--plan <file>", "apply exactly this saved plan")
    .option("--yes", "do not ask")
    .option("--approve <hash>", "allow the plan with this hash to remove more than the limit")
    .option("--prune", "delete undeclared objects of exclusive kinds")
    .option("--only <address...>", "apply nothing but these addresses and what is below them")
    .option("--rotate <address...>", "send the write-only fields of these again")
    .option("--confirm-organization <name...>", "allow the organization of this name to be deleted")
    .option(
      "--settle-after <seconds>",
      "when a request of which nothing was heard can no longer take effect (default: 60)",
      positiveInteger,
    )
    .option("--unmanaged", "list what is there but not declared")
    .action((paths: string[], options) =>
      run(import("./commands/apply.ts").then(({ applyCommand }) => applyCommand(runtime, paths, options))),
    );
}

function addOffline(program: Command, runtime: Runtime, run: Run): void {
  program
    .command("init")
    .description("write a configuration to begin with")
    .argument("[file]", "where to", "driftline.yaml")
    .action((file: string) => run(import("./commands/init.ts").then(({ initCommand }) => initCommand(runtime, file))));
  withConfig(program.command("validate").description("check the configuration without the service"))
    .addOption(new Option("--format <format>", "form of the result").choices(["text", "json"]).default("text"))
    .argument("[path...]", "configuration files and folders (default: driftline.yaml, else .)")
    .action((paths: string[], options) =>
      run(import("./commands/validate.ts").then(({ validateCommand }) => validateCommand(runtime, paths, options))),
    );
  withFormat(program.command("show").description("show a saved plan"))
    .argument("<plan>", "a file that plan --out wrote")
    .option("--unmanaged", "list what is there but not declared")
    .action((file: string, options) =>
      run(import("./commands/show.ts").then(({ showCommand }) => showCommand(runtime, file, options))),
    );
  withFormat(program.command("explain").description("tell the fields and rules of a kind"))
    .argument("<kind>", kindNames.join(", "))
    .action((kind: string, options) =>
      run(import("./commands/explain/command.ts").then(({ explainCommand }) => explainCommand(runtime, kind, options))),
    );
  program
    .command("completion")
    .description("write a script that completes driftline's words in a shell")
    .addArgument(new Argument("<shell>", "whose script").choices(shells))
    .action((shell: Shell) =>
      run(
        import("./commands/completion/command.ts").then(({ completionCommand }) =>
          completionCommand(runtime, shell, program),
        ),
      ),
    );
}

function addExport(program: Command, runtime: Runtime, run: Run): void {
  withService(program.command("export").description("write a configuration out of what is live"))
    .option("--organization <id...>", "only these organizations")
    .option("--project <id...>", "only these projects")
    .option("--out <folder>", "a file for each organization (default: everything to stdout)")
    .option("--no-ids", "do not pin ids")
    .option("--pulumi [folder]", "a Pulumi program instead, with a file for pulumi import (Pulumi 3.254 or newer)")
    .option("--verbose", "say what is sent")
    .action((options) =>
      run(import("./commands/export.ts").then(({ exportCommand }) => exportCommand(runtime, options))),
    );
  program
    .command("emulator")
    .description("serve the interface on this machine, in memory")
    .option("--port <n>", "the port (default: a free one)", portNumber)
    .option("--seed <file>", "what is there to begin with (JSON)")
    .addOption(
      new Option("--dialect <name>", "as the document says, or as deployed servers answer")
        .choices(["document", "deployed"])
        .default("document"),
    )
    .option("--control-port <n>", "take orders on this port: seed, edit, faults, log", portNumber)
    .option("--latency <ms>", "how long every request takes at least", wholeNumber)
    .option("--max-page-size <n>", "the largest page that is given", positiveInteger)
    .option("--rate-limits", "refuse what is more than deployed servers allow")
    .action((options) =>
      run(import("./commands/emulator.ts").then(({ emulatorCommand }) => emulatorCommand(runtime, options))),
    );
}

function addOperations(program: Command, runtime: Runtime, run: Run): void {
  const format = (): Option =>
    new Option("--format <format>", "form of the result").choices(["text", "json"]).default("text");
  withService(program.command("call").description("send any operation of the interface by name"))
    .argument("[operation]", "its name, such as domains.verify; with --list, a family's name will do")
    .argument("[parameter...]", "name=value, name:=JSON, or name=@FILE; typed as --list shows them")
    .option("--list", "tell the operations with method, path, scope and parameters")
    .option("--body <file>", "the body as JSON, - for stdin; parameters come before what it says")
    .option("--all", "read every page of a list, a row of JSON a line")
    .option("--dry-run", "show the request without sending it")
    .option("--yes", "do not ask before a writing operation")
    .option("--confirm-organization <name...>", "allow the organization of this name to be deleted")
    .option("--verbose", "say what is sent")
    .addOption(format())
    .addHelpText(
      "after",
      `
Results are JSON, whatever the format, with secrets concealed by name; format=csv gives what the service wrote.
  driftline call domains.list organization_id=ID --all
  driftline call insights.trend project_id=2 events:='[{"id": "signed up"}]' date_from=-7d
  driftline call invites.create organization_id=ID --body invite.json --dry-run`,
    )
    .action((name: string | undefined, given: string[], options) =>
      run(import("./commands/call/command.ts").then(({ callCommand }) => callCommand(runtime, name, given, options))),
    );
  withService(withConfig(program.command("doctor").description("tell what would keep the other commands from working")))
    .argument("[path...]", "configuration files and folders (default: driftline.yaml, else .)")
    .addOption(format())
    .action((paths: string[], options) =>
      run(import("./commands/doctor/command.ts").then(({ doctorCommand }) => doctorCommand(runtime, paths, options))),
    );
}
