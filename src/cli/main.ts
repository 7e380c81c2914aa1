#!/usr/bin/env node
import { createRedactor } from "../api/redact/redact.ts";
import { systemClock } from "../api/limits/clock.ts";
import { EXIT, worst, type ExitCode } from "./exit-codes.ts";
import { registerEnvironmentSecrets } from "../engine/secrets.ts";
import { defectText, runCommandLine } from "./program.ts";
import type { Runtime } from "./runtime.ts";

const ENDED =
  "the process ended before the command was done. Does a configuration that is a program end it, or wait for what never comes?";

/** The process: everything else in the command line gets its world from here. */
async function main(): Promise<void> {
  const { stdin, stdout, stderr, env } = process;
  const redactor = createRedactor();
  const controller = new AbortController();
  let shown = "";
  const status = (text: string): void => {
    if (!stderr.isTTY || text === shown) return;
    stderr.write(`\r\u001B[2K${text}`);
    shown = text;
  };
  const ending = watchForEnd();
  const end = (code: ExitCode): never => {
    ending.expected();
    process.exit(code);
  };
  let lastWords: (() => void) | undefined;
  const interrupt = (): void => {
    if (!controller.signal.aborted) {
      stderr.write("\ninterrupted: what is in flight is finished first; interrupt again to stop at once\n");
      return controller.abort();
    }
    const say = lastWords;
    lastWords = undefined;
    if (say === undefined) return end(EXIT.interrupted);
    say();
    // Where a pipe is full its reader decides; the third interrupt does not wait for it.
    stdout.write("", () => stderr.write("", () => end(EXIT.interrupted)));
  };
  // Node's own dump would show what an error carries: headers, bodies, the lines around.
  const crash = (error: unknown): void => {
    registerEnvironmentSecrets({ env, redactor });
    const message = error instanceof Error ? error.message : String(error);
    stderr.write(redactor.text(defectText(message)));
    end(EXIT.error);
  };
  process.on("uncaughtException", crash);
  process.on("unhandledRejection", crash);
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", interrupt);
  // Stdout is for results: what a configuration prints that is a program must not stand in front of a document.
  Object.assign(console, { log: console.error, info: console.error, debug: console.error });
  // A reader that has seen enough (`| head`) is no error, nor a reason to leave an apply halfway: only the rest is not written.
  const codes: ExitCode[] = [];
  stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
    if (code === "EPIPE" || codes.includes(EXIT.error)) return;
    // A full disk, say: half a document must not look like a whole one.
    stderr.write(`error: the result could not be written (${code ?? "error"})\n`);
    codes.push(EXIT.error);
    process.exitCode = worst(codes);
  });
  stderr.on("error", () => undefined);
  const runtime: Runtime = {
    cwd: process.cwd(),
    env,
    clock: systemClock,
    redactor,
    signal: controller.signal,
    onStop: (say) => void (lastWords = say),
    terminal: stdout.isTTY,
    interactive: stdin.isTTY && stderr.isTTY,
    color: { stdout: hasColor(env, stdout.isTTY), stderr: hasColor(env, stderr.isTTY) },
    out: (text) => {
      status("");
      stdout.write(redactor.text(text));
    },
    err: (text) => {
      status("");
      stderr.write(redactor.text(text));
    },
    raw: (stream, text) => {
      status("");
      process[stream].write(text);
    },
    status,
    ask: (question) => ask(question, controller.signal, interrupt),
  };
  codes.push(await runCommandLine(process.argv.slice(2), runtime));
  ending.expected();
  process.exitCode = worst(codes);
}

/** A configuration that is a program may end the process, or wait for what never comes: neither is a success. */
function watchForEnd(): { readonly expected: () => void } {
  let isExpected = false;
  process.on("exit", () => {
    if (isExpected) return;
    process.stderr.write(`error: ${ENDED}\n`);
    process.exitCode = EXIT.error;
  });
  return { expected: () => void (isExpected = true) };
}

/** https://no-color.org: any non-empty NO_COLOR takes the colours away. */
function hasColor(env: NodeJS.ProcessEnv, terminal: boolean): boolean {
  return terminal && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
}

async function ask(question: string, signal: AbortSignal, interrupt: () => void): Promise<string | undefined> {
  const { createInterface } = await import("node:readline/promises");
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  // While it reads a line, the terminal gives Ctrl-C to readline and not to the process.
  prompt.on("SIGINT", interrupt);
  try {
    return await prompt.question(question, { signal });
  } catch {
    return undefined;
  } finally {
    prompt.close();
  }
}

await main();
