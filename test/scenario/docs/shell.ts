/** The commands of a console block: plain ones run in this process, all others in a real shell with the built command. */
import { execFile } from "node:child_process";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { commandFile } from "../../support/command.ts";

/** Where a command runs. */
export interface Place {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A command of one program, as the program receives it. */
export interface Words {
  readonly program: string;
  readonly args: readonly string[];
  /** The assignments before the program. */
  readonly env: Readonly<Record<string, string>>;
}

/** Whether a command line is one program with arguments, without a pipe, a redirection or another command. */
export function isPlain(line: string): boolean {
  return !/[|<>;&`]|\$\(/.test(line.replaceAll(/'[^']*'|"[^"$`]*"/g, ""));
}

/** The words that a shell makes of a plain command line. */
export async function wordsOf(line: string, { cwd, env }: Place): Promise<Words> {
  const { stdout } = await promisify(execFile)("sh", ["-c", `printf '%s\\0' ${line}`], { cwd, env });
  const words = stdout.split("\0").slice(0, -1);
  const count = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
  const assigned = words
    .slice(0, count)
    .map((word) => [word.replace(/=.*$/s, ""), word.replace(/^[^=]*=/, "")] as const);
  return { program: words[count] ?? "", args: words.slice(count + 1), env: Object.fromEntries(assigned) };
}

/** Runs a command line in a shell that knows the built `driftline`. Both of its streams are what it prints. */
export async function inShell(
  line: string,
  { cwd, env }: Place,
  programs: string,
): Promise<{ readonly code: number; readonly printed: string }> {
  await mkdir(programs, { recursive: true });
  const command = join(programs, "driftline");
  await writeFile(command, `#!/bin/sh\nexec "${process.execPath}" "${commandFile()}" "$@"\n`);
  await chmod(command, 0o755);
  const world = { ...env, PATH: `${programs}:${process.env["PATH"] ?? ""}` };
  return new Promise((resolve) => {
    execFile("sh", ["-c", `exec 2>&1\n${line}`], { cwd, env: world }, (error, stdout) => {
      resolve({ code: typeof error?.code === "number" ? error.code : error === null ? 0 : 1, printed: stdout });
    });
  });
}
