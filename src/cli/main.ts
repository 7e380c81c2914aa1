#!/usr/bin/env node
import { errorReason } from "../model/text/error-reason.ts";
import { isatty } from "node:tty";
import { createRedactor, type Redactor, registerRequestSecrets } from "../api/redact/redact.ts";
import { withoutCommands } from "../model/pipeline-commands.ts";
import { environmentSecrets } from "../model/secret-values.ts";
import { systemClock } from "../api/limits/clock.ts";
import { EXIT, worst, type ExitCode } from "./exit-codes.ts";
import { hasHyperlinks } from "./terminal/color.ts";
import { defectText, runCommandLine } from "./program.ts";
import { createOutput } from "./terminal/streams.ts";
import type { Process } from "./runtime.ts";

const { stdout, stderr, env } = process;

const ENDED_EARLY =
  "the process ended before the command finished. Check whether a configuration calls process.exit, or waits for something that never happens";

const FOLDER_GONE = {
  code: "no_working_directory",
  message: "the working directory was deleted",
  hint: "Change to a folder that exists, and run the command again.",
};

/** Runs the command of this process. Commands get everything that they need from the process here. */
async function main(): Promise<void> {
  const redactor = createRedactor();
  const exit = watchExit();
  const { interruptIdle, ...interrupts } = handleInterrupts(exit.now);
  handleDefects(redactor, exit.now);
  // Stdout is for results only. Output of a configuration that is a program goes to stderr.
  Object.assign(console, { log: console.error, info: console.error, debug: console.error });
  const isWritten = watchResult();
  const cwd = workingDirectory();
  if (cwd === undefined) {
    const { code, message, hint } = FOLDER_GONE;
    stderr.write(`error ${code}: ${message}\n  hint: ${hint}\n`);
    return exit.now(EXIT.invalid);
  }
  const code = await runCommandLine(process.argv.slice(2), {
    cwd,
    env,
    clock: systemClock,
    redactor,
    ...interrupts,
    ...createOutput(redactor, {
      stdout,
      stderr,
      env,
      canAsk: isatty(0),
      prompt: async (question, form) => {
        const { promptOnTerminal } = await import("./terminal/prompt.ts");
        return promptOnTerminal(question, { ...form, signal: interrupts.signal, interrupt: interruptIdle });
      },
    }),
    hyperlinks: await hasHyperlinks(env, stdout),
  });
  exit.expected();
  process.exitCode = isWritten() ? code : worst([code, EXIT.error]);
  endIfDiskHangs();
}

/** A file system that never answers keeps the process alive, and even `process.exit` waits for it. Milliseconds. */
const GRACE = 1_000;

function endIfDiskHangs(): void {
  const timer = setTimeout(() => {
    if (process.getActiveResourcesInfo().includes("FSReqPromise")) process.kill(process.pid, "SIGKILL");
  }, GRACE);
  timer.unref();
}

/** Undefined if the folder was deleted after the shell went there. */
function workingDirectory(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

/** Reports an exit that the command did not ask for, such as `process.exit` in a configuration, as an error. */
function watchExit(): { readonly expected: () => void; readonly now: (code: ExitCode) => never } {
  let isExpected = false;
  const expected = (): void => void (isExpected = true);
  process.on("exit", () => {
    if (isExpected) return;
    stderr.write(`error: ${ENDED_EARLY}\n`);
    process.exitCode = EXIT.error;
  });
  const now = (code: ExitCode): never => {
    expected();
    process.exit(code);
  };
  return { expected, now };
}

interface Interrupts extends Pick<Process, "signal" | "catchSignals" | "onStop"> {
  /** For a command that has nothing in flight, because it waits for an answer or for requests. */
  readonly interruptIdle: () => void;
}

/**
 * The first interrupt aborts the signal, the second one reports what is known and stops, the third one only stops. Until
 * signals are caught, each of them ends the process, as the system does it: a handler would not be called while a file keeps
 * the process busy.
 */
function handleInterrupts(exit: (code: ExitCode) => never): Interrupts {
  const controller = new AbortController();
  let report: (() => void) | undefined;
  const interrupt = (notice: string): void => {
    if (!controller.signal.aborted) {
      stderr.write(notice);
      return controller.abort();
    }
    const reportNow = report;
    report = undefined;
    if (reportNow === undefined) return exit(EXIT.interrupted);
    reportNow();
    // A full pipe is flushed when its reader continues. A third interrupt does not wait for that.
    stdout.write("", () => stderr.write("", () => exit(EXIT.interrupted)));
  };
  let isCatching = false;
  const catchSignals = (notice: string): void => {
    if (isCatching) return;
    isCatching = true;
    // A closed terminal sends SIGHUP.
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => interrupt(notice));
  };
  return {
    signal: controller.signal,
    catchSignals,
    interruptIdle: () => interrupt("\n"),
    onStop: (next) => void (report = next),
  };
}

/** Reports a defect without Node's own dump, which would show the properties of an error, such as headers and bodies. */
function handleDefects(redactor: Redactor, exit: (code: ExitCode) => never): void {
  const report = (error: unknown): void => {
    registerRequestSecrets(env, redactor);
    // A configuration that is a program may put its whole environment into an error.
    for (const [, secret] of environmentSecrets(env)) redactor.add(secret);
    const message = errorReason(error);
    stderr.write(withoutCommands(redactor.text(defectText(message))));
    exit(EXIT.error);
  };
  process.on("uncaughtException", report);
  process.on("unhandledRejection", report);
}

/**
 * Notices a result that could not be written, such as on a full disk: half a document must not look like a whole one. A
 * closed pipe (`| head`) is not an error, nor a reason to stop an apply halfway.
 */
function watchResult(): () => boolean {
  let isWritten = true;
  stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
    if (code === "EPIPE" || !isWritten) return;
    stderr.write(`error: the result could not be written (${code ?? "error"})\n`);
    isWritten = false;
    // The command may have ended already.
    process.exitCode = worst([(process.exitCode ?? EXIT.ok) as ExitCode, EXIT.error]);
  });
  stderr.on("error", () => undefined);
  return () => isWritten;
}

void main();
