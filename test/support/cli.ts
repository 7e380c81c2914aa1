import { spawn, type ChildProcess } from "node:child_process";
import { systemClock } from "../../src/api/limits/clock.ts";
import { createOutput } from "../../src/cli/terminal/streams.ts";
import type { Runtime } from "../../src/cli/runtime.ts";
import type { OutcomesDocument } from "../../src/model/outcome.ts";
import type { PlanDocument } from "../../src/model/plan.ts";
import type { Emulator } from "../../src/emulator/index.ts";
import { commandFile, commandLine } from "./command.ts";

export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly runtime?: Partial<Runtime>;
}

/** Runs a command of the package that is tested in this process, its world made up. */
export async function cli(args: readonly string[], { cwd, env, runtime }: CliOptions): Promise<CliResult> {
  let stdout = "";
  let stderr = "";
  const { runCommandLine, createRedactor } = await commandLine();
  const redactor = createRedactor();
  const code = await runCommandLine(args, {
    cwd,
    env,
    clock: systemClock,
    redactor,
    signal: new AbortController().signal,
    onStop: () => undefined,
    catchSignals: () => undefined,
    ...createOutput(redactor, {
      env,
      stdout: { isTTY: false, columns: 0, write: (text) => (stdout += text) },
      stderr: { isTTY: false, columns: 0, write: (text) => (stderr += text) },
      canAsk: false,
      prompt: () => Promise.resolve(undefined),
    }),
    columns: undefined,
    color: { stdout: false, stderr: false },
    ...runtime,
  });
  return { code, stdout, stderr };
}

/** Starts the command of the package that is tested as users do. */
export function spawnCli(
  args: readonly string[],
  { cwd, env }: CliOptions,
): { readonly child: ChildProcess; readonly result: Promise<CliResult> } {
  const child = spawn(process.execPath, [commandFile(), ...args], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (data: Buffer) => void (stdout += data.toString()));
  child.stderr.on("data", (data: Buffer) => void (stderr += data.toString()));
  const result = new Promise<CliResult>((resolve) => {
    child.on("close", (code, signal) => resolve({ code: code ?? (signal === "SIGINT" ? 130 : 1), stdout, stderr }));
  });
  return { child, result };
}

/** The environment in which commands reach an emulator, their journal in a folder of the test's own. */
export function envOf(emulator: Pick<Emulator, "url" | "key">, stateDir: string): Readonly<Record<string, string>> {
  return { DRIFTLINE_URL: emulator.url, DRIFTLINE_API_KEY: emulator.key, DRIFTLINE_STATE_DIR: stateDir };
}

export function planOf(result: CliResult): PlanDocument {
  return JSON.parse(result.stdout) as PlanDocument;
}

export function outcomesOf(result: CliResult): OutcomesDocument {
  return JSON.parse(result.stdout) as OutcomesDocument;
}
