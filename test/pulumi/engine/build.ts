/** Programs in Go that tests start: each is built once, and kept outside of node_modules. */
import { execFile, execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Part } from "./parts.ts";

/** Builds a program into a folder, if it is not there yet. `say` reports what takes long. @throws if it cannot be built */
export async function build(
  { name, package: path, folder, flags, isTest }: Part,
  cache: string,
  say: (line: string) => void,
): Promise<void> {
  if (existsSync(join(cache, name))) return;
  say(`building ${name} (minutes on a fresh machine, once)`);
  const started = performance.now();
  const target = join(cache, `.${name}.new`);
  const args = [
    "-n",
    "10",
    "go",
    ...(isTest === true ? ["test", "-c"] : ["build"]),
    "-trimpath",
    ...flags,
    "-o",
    target,
    path,
  ];
  await run("nice", args, folder, () => say(`still building ${name}: ${seconds(started)} s`));
  // In one step, so that the file is always complete.
  await rename(target, join(cache, name));
  say(`built ${name} in ${seconds(started)} s`);
}

function run(command: string, args: readonly string[], cwd: string, tick: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, CGO_ENABLED: "0" },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let problem = "";
    child.stderr.on("data", (data: Buffer) => void (problem = (problem + data.toString()).slice(-2_000)));
    const timer = setInterval(tick, 20_000);
    child.on("error", reject);
    child.on("close", (code) => {
      clearInterval(timer);
      if (code === 0) resolve();
      else reject(new Error(`${command} ${args.join(" ")} ended with ${String(code)}\n${problem}`));
    });
  });
}

/** Why a program cannot be built. Only a missing Go or a refused module is a reason: its own mistakes fail the test. */
export async function whyUnbuildable({ name, folder }: Part, cache: string): Promise<string | undefined> {
  if (existsSync(join(cache, name))) return undefined;
  if (versionOf("go", ["version"]) === undefined) return `there is no Go, so that ${name} cannot be built`;
  try {
    await promisify(execFile)("nice", ["-n", "10", "go", "mod", "download"], { cwd: folder });
    return undefined;
  } catch (error) {
    return `the modules of ${name} are refused: ${reasonOf(error)}`;
  }
}

/** Why a program failed: Maven's first error, or the last line, where Go says it. */
export function reasonOf(error: unknown): string {
  const { stdout = "", stderr = "" } = error as { readonly stderr?: string; readonly stdout?: string };
  return /\[ERROR\] +(\S.*)/.exec(stdout)?.[1] ?? (stderr.trim().split("\n").at(-1) || String(error));
}

/** The version that a program prints; undefined if it cannot be started. */
export function versionOf(command: string, args: readonly string[]): string | undefined {
  try {
    return /\d+\.\d+(\.\d+)?/.exec(
      execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }),
    )?.[0];
  } catch {
    return undefined;
  }
}

function seconds(started: number): string {
  return String(Math.round((performance.now() - started) / 1_000));
}
