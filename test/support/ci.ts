/** What a machine of a CI has: bash, this package as `driftline`, and programs that only write down how they were called. */
import { execFile, execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { commandFile } from "./command.ts";
import { workspace, type Workspace } from "./workspace.ts";
import type { EmulatorOptions } from "../../src/emulator/index.ts";

export const ROOT = new URL("../../", import.meta.url).pathname;

/** A step or a job as YAML has it. */
export interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly shell?: string;
  readonly run?: string;
}

export interface Ran {
  readonly code: number;
  readonly output: string;
}

/** Runs a script as a CI does: it stops at the first command that fails, unless `options` say otherwise. */
export function bash(
  script: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
  options: readonly string[] = ["--noprofile", "--norc", "-eo", "pipefail"],
): Promise<Ran> {
  return new Promise((resolve) => {
    execFile("bash", [...options, "-c", script], { cwd, env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), output: `${stdout}${stderr}` });
    });
  });
}

/** Makes a folder a repository, and commits its configuration. */
export async function commitAll(folder: string, env: Readonly<Record<string, string>>): Promise<void> {
  const { code, output } = await bash(
    `git init --quiet && git add driftline.yaml &&
     git -c user.name=Ada -c user.email=ada@acme.com commit --quiet --message "The configuration"`,
    folder,
    env,
  );
  if (code !== 0) throw new Error(output);
}

/** Why the scripts that speak to the interface of a code host cannot run here; undefined if they can. */
export function missingPrograms(...names: readonly string[]): string | undefined {
  const missing = names.filter((name) => {
    try {
      execFileSync("bash", ["-c", `command -v ${name}`], { stdio: "ignore" });
      return false;
    } catch {
      return true;
    }
  });
  return missing.length === 0 ? undefined : `there is no ${missing.join(" and no ")}`;
}

export interface Machine extends Workspace {
  /** The environment of every script. */
  readonly base: Readonly<Record<string, string>>;
  /** How the programs were called that only take notes. */
  readonly calls: () => Promise<string>;
  /** The methods of the requests that wrote to the service. */
  readonly writes: () => readonly string[];
}

/** The script of a program that only writes down how it was called. */
export const NOTE = `printf '%s' "$(basename "$0")" >> "$NOTES"; printf ' <%s>' "$@" >> "$NOTES"; echo >> "$NOTES"\n`;

/**
 * A machine with a configuration, against a service.
 *
 * @param programs scripts by the names of programs, besides `driftline` and `npx driftline`
 */
export async function machine(
  configuration: unknown,
  programs: Readonly<Record<string, string>>,
  options?: EmulatorOptions,
): Promise<Machine> {
  const space = await workspace(options);
  await space.configure(configuration);
  const bin = join(space.folder, "bin");
  await mkdir(bin);
  if (!existsSync(commandFile())) throw new Error("the package is not built");
  const driftline = `exec "${process.execPath}" "${commandFile()}" "$@"\n`;
  const all = { driftline, npx: `shift\n${driftline}`, ...programs };
  for (const [name, text] of Object.entries(all)) {
    await writeFile(join(bin, name), `#!/bin/bash\n${text}`);
    await chmod(join(bin, name), 0o755);
  }
  const notes = join(space.folder, "notes.txt");
  return {
    ...space,
    base: {
      ...space.env,
      PATH: `${bin}:${join(process.execPath, "..")}:/usr/bin:/bin`,
      HOME: space.folder,
      NOTES: notes,
    },
    calls: async () => (existsSync(notes) ? readFile(notes, "utf8") : ""),
    writes: () => space.emulator.requests.map(({ method }) => method).filter((method) => method !== "GET"),
  };
}
