/**
 * A world in which a command works only with everything that was typed: paths that need quotes, variables from a file and
 * from the command line, and a service that no environment variable names.
 */
import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { stringify } from "yaml";
import type { EmulatorOptions } from "../../../src/emulator/index.ts";
import type { Runtime } from "../../../src/cli/runtime.ts";
import { instantClock } from "../../fault/support.ts";
import { ACME } from "../../support/acme.ts";
import { cli, type CliResult } from "../../support/cli.ts";
import { workspace, type Workspace } from "../../support/workspace.ts";
import { startWire, type Hook } from "../properties/wire.ts";

export interface World {
  readonly emulator: Workspace["emulator"];
  readonly folder: string;
  /** What has to be typed to reach the configuration and the service. */
  readonly args: readonly string[];
  readonly url: string;
  readonly run: (args: readonly string[], runtime?: Partial<Runtime>) => Promise<CliResult>;
  readonly configure: (configuration: object) => Promise<void>;
  /** Runs a suggested command line as a shell reads it, and answers questions with yes. */
  readonly follow: (line: string, runtime?: Partial<Runtime>) => Promise<CliResult>;
}

/** The folder of the configuration: what a shell, or the command itself, could take for something else. */
export const LIVE = "-it's @home $HOME.yaml";

/** @param configuration one that is for the organization ACME; its id is given as a variable */
export async function world(configuration: object, options: EmulatorOptions = {}, hook?: Hook): Promise<World> {
  const { emulator, folder, env: all } = await workspace(options);
  const { DRIFTLINE_URL: _url, ...env } = all;
  const url = (await startWire(emulator.url, hook)).url;
  const run: World["run"] = (args, runtime) =>
    cli(args, { cwd: folder, env, runtime: { clock: instantClock(), ...YES, ...runtime } });
  const configure = (next: object): Promise<void> =>
    writeFile(join(folder, LIVE, "acme.yaml"), stringify(next).replaceAll(ACME, "${var:the_id}"));
  await mkdir(join(folder, LIVE));
  await configure(configuration);
  await writeFile(join(folder, "vars.yaml"), "unused: 1\n");
  const args = [`./${LIVE}`, "--vars", "vars.yaml", "--var", `the_id=${ACME}`, "--url", url];
  return { emulator, folder, args, url, run, configure, follow: (line, runtime) => run(wordsOf(line), runtime) };
}

/** Somebody at a terminal who agrees. */
const YES: Partial<Runtime> = { interactive: true, ask: () => Promise.resolve("yes") };

/** The words that a shell makes of a command line, without `driftline`. */
function wordsOf(line: string): readonly string[] {
  const printed = execFileSync("sh", ["-c", `driftline() { printf '%s\\0' "$@"; }; ${line}`], { encoding: "utf8" });
  return printed.split("\0").slice(0, -1);
}

/** Every command line that a result suggests: in backticks, or behind a colon at the end of a line. */
export function suggestionsIn({ stdout, stderr }: Pick<CliResult, "stdout" | "stderr">): readonly string[] {
  const found = `${stdout}\n${stderr}`.matchAll(/`(driftline (?:'[^']*'|\\'|[^`'])*)`|: (driftline [^`\n]*)$/gmu);
  return [...found].map(([, quoted, last]) => quoted ?? last ?? "");
}

/** The suggestion that a pattern matches. */
export function suggestion(result: Pick<CliResult, "stdout" | "stderr">, pattern: RegExp): string {
  const found = suggestionsIn(result).find((line) => pattern.test(line));
  if (found === undefined) expect.fail(`no command ${String(pattern)} in:\n${result.stdout}${result.stderr}`);
  return found;
}
