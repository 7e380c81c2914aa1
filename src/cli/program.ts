import { registerRequestSecrets } from "../api/redact/redact.ts";
import { version } from "../generated/version.ts";
import { BUG_HINT, errorReason } from "../model/text/error-reason.ts";
import { type Command, CommanderError } from "commander";
import { EngineError } from "../model/engine-error.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { sanitize } from "../model/text/quote.ts";
import { addCommands } from "./program/commands.ts";
import { commandNamed, type Run, DriftlineCommand, EXIT_CODES } from "./program/command.ts";
import { EXIT, EXIT_OF_REASON, exitCodesOfDiagnostics, worst, type ExitCode } from "./exit-codes.ts";
import { Reported } from "./failure.ts";
import { printDiagnostics, reportDiagnostics, withJsonLines } from "./terminal/output.ts";
import { Invocation } from "./invocation.ts";
import type { Process, Runtime } from "./runtime.ts";
import { singleDash } from "./program/single-dash.ts";

/** Commands whose JSON is the service's answer, or files, rather than a document of driftline. */
const WITHOUT_DOCUMENT: ReadonlySet<string> = new Set(["call", "export"]);

/** Runs one command. Returns its exit code; never throws. With `--format json` it always prints a document. */
export async function runCommandLine(args: readonly string[], process: Process): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.ok;
  const program = createProgram(
    args[0],
    () => runtimeOf(program, stdout.runtime),
    (load) =>
      async (...given) => {
        const command = await load();
        exitCode = await command(runtimeOf(program, stdout.runtime), ...given);
      },
  );
  const invocation = new Invocation({ cwd: process.cwd, program, current: () => commandOf(program) });
  const stdout = watchStdout({ ...process, invocation });
  // Options of the program itself may stand before the command.
  const at = args.findIndex((word) => !word.startsWith("-"));
  const first = commandNamed(program, args[at]);
  try {
    const wrong = singleDash(args.slice(at + 1), first);
    if (wrong !== undefined) throw wrong;
    await program.parseAsync(withoutHelp(program, args, at).map(withoutEquals), { from: "user" });
    return exitCode;
  } catch (error) {
    const isPlaced = error instanceof Reported;
    const base = isPlaced ? { ...stdout.runtime, invocation: error.invocation } : stdout.runtime;
    const runtime = runtimeOf(program, base);
    // A word of the command line may be the key, in the wrong place.
    registerRequestSecrets(runtime.env, runtime.redactor);
    const [code, diagnostics] = await reportError(isPlaced ? error.reason : error, runtime, program);
    const name = (commandOf(program) ?? first)?.name() ?? "";
    if (wantsDocument(program, args) && !WITHOUT_DOCUMENT.has(name) && code !== EXIT.ok && !stdout.isWritten())
      printDiagnostics(runtime, name, code, diagnostics);
    return code;
  }
}

/** Whether the run was asked for JSON. Options that could not be parsed are looked for among the words. */
function wantsDocument(program: Command, args: readonly string[]): boolean {
  const command = commandOf(program);
  if (command === undefined) return /(?:^| )--(?:json|format[= ]json)(?: |$)/u.test(args.join(" "));
  return command.opts()["format"] === "json";
}

/** Notices whether a command has written a result. */
function watchStdout(process: Runtime): { readonly runtime: Runtime; readonly isWritten: () => boolean } {
  let isWritten = false;
  const runtime: Runtime = {
    ...process,
    out: (text) => {
      isWritten = true;
      process.out(text);
    },
    raw: (stream, text) => {
      if (stream === "stdout") isWritten = true;
      process.raw(stream, text);
    },
  };
  return { runtime, isWritten: () => isWritten };
}

/** The command that was named. Its options are known as far as they could be parsed. */
function commandOf(program: Command): Command | undefined {
  return commandNamed(program, program.args[0]);
}

/** The runtime that the options ask for. */
function runtimeOf(program: Command, process: Runtime): Runtime {
  const command = commandOf(program);
  const { progress, quiet } = command?.opts() ?? {};
  const runtime: Runtime = {
    ...process,
    ...(program.opts()["color"] === false ? { color: { stdout: false, stderr: false }, hyperlinks: false } : {}),
    quiet: quiet === true,
  };
  return progress === "json" ? withJsonLines(runtime) : runtime;
}

/** Whether `--verbose` was given; undefined if the command does not have it. */
function verboseOf(command: Command | undefined): { readonly verbose: boolean } | undefined {
  const hasOption = command?.options.some((option) => option.attributeName() === "verbose") === true;
  return hasOption ? { verbose: command.opts()["verbose"] === true } : undefined;
}

/** Reports on stderr why a command ended, and returns the same as data. */
async function reportError(
  error: unknown,
  runtime: Runtime,
  program: Command,
): Promise<readonly [ExitCode, readonly Diagnostic[]]> {
  const command = commandOf(program);
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return [EXIT.ok, []];
    if (error.code === "commander.help") return [EXIT.invalid, []];
    const { usageProblem } = await import("./program/usage-problem.ts");
    const diagnostics = [usageProblem(error, command)];
    reportDiagnostics(runtime, diagnostics);
    return [EXIT.invalid, diagnostics];
  }
  if (error instanceof EngineError) {
    const [first] = error.diagnostics;
    // A "no" to a question is no error of the user.
    if (first?.code === "declined") runtime.err(`${first.message}\n`);
    else reportDiagnostics(runtime, error.diagnostics, verboseOf(command));
    const code = worst([EXIT_OF_REASON[error.reason], ...exitCodesOfDiagnostics(error.diagnostics)]);
    return [code, error.diagnostics];
  }
  const message = errorReason(error);
  runtime.err(defectText(message));
  return [EXIT.error, [{ severity: "error", code: "defect", message, hint: BUG_HINT }]];
}

/** The text for a mistake in driftline itself. */
export function defectText(message: string): string {
  return `error: ${sanitize(message)}\n  hint: ${BUG_HINT}\n`;
}

function createProgram(first: string | undefined, runtime: () => Runtime, run: Run): DriftlineCommand {
  const program = new DriftlineCommand("driftline")
    .description("Declare your analytics organization, see what drifted, put it right.")
    .version(version)
    .option("--no-color", "print no colours (default: NO_COLOR, FORCE_COLOR, and whether it is a terminal)")
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => runtime().out(text),
      writeErr: (text) => runtime().err(text),
      // The error is thrown as well, and reported like any other.
      outputError: () => undefined,
    });
  // Adding the commands is most of the start-up time, and --version does not need them.
  if (first !== "--version" && first !== "-V") addCommands(program, run);
  program.addHelpText(
    "after",
    `\nRun "driftline COMMAND --help" for the options of a command, with examples.\n${EXIT_CODES}`,
  );
  return program;
}

/** The words, without the wish for help if there is no such command: then that is said. @param at the index of the command */
function withoutHelp(program: Command, args: readonly string[], at: number): readonly string[] {
  const name = args[at] === "help" ? args[at + 1] : args[at];
  const isKnown = name === undefined || /^(?:help$|-)/u.test(name) || commandNamed(program, name) !== undefined;
  return isKnown ? args : [...args.slice(0, at), name];
}

/** `-o=plan.json` is `-oplan.json`, as `--out=plan.json` is `--out plan.json`. */
function withoutEquals(word: string): string {
  return word.replace(/^(-[A-Za-z])=/u, "$1");
}
