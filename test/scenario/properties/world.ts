import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../../src/emulator/index.ts";
import type { Runtime } from "../../../src/cli/runtime.ts";
import type { PlanDocument } from "../../../src/model/plan.ts";
import { cli, envOf, planOf, type CliResult } from "../../support/cli.ts";

/** A service and a folder that live as long as one run of a property. */
export interface World {
  readonly emulator: Emulator;
  readonly folder: string;
  readonly write: (file: string, text: string) => Promise<void>;
  readonly run: (
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
    runtime?: Partial<Runtime>,
  ) => Promise<CliResult>;
}

export async function withWorld<T>(options: EmulatorOptions, body: (world: World) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "driftline-property-"));
  const emulator = await startEmulator({ random: seeded(), ...options });
  try {
    const base = envOf(emulator, join(folder, ".state"));
    return await body({
      emulator,
      folder,
      write: async (file, text) => {
        await mkdir(join(folder, file, ".."), { recursive: true });
        await writeFile(join(folder, file), text);
      },
      run: (args, env = {}, runtime = {}) => cli(args, { cwd: folder, env: { ...base, ...env }, runtime }),
    });
  } finally {
    await emulator.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The same numbers in every world, so that a printed seed gives the same run again (Park and Miller's generator). */
function seeded(): () => number {
  let state = 42;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Runs a command that has to succeed; what it said is part of the failure otherwise. */
export async function must(
  world: World,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  expected = 0,
): Promise<CliResult> {
  const result = await world.run(args, env);
  if (result.code === expected) return result;
  throw new Error(
    `${args.join(" ")} exited with ${String(result.code)}, not ${String(expected)}\n${result.stderr}\n${result.stdout}`,
  );
}

/** Fails unless a plan of the configuration is empty, and `drift` says so. */
export async function mustBeEmpty(world: World, paths: readonly string[]): Promise<PlanDocument> {
  const document = planOf(await must(world, ["plan", ...paths, "--format", "json", "--detailed-exitcode"]));
  const { no_op, unmanaged: _unmanaged, ...others } = document.summary;
  const left = Object.entries(others).filter(([, count]) => count !== 0);
  if (left.length > 0)
    throw new Error(`the plan is not empty: ${JSON.stringify({ no_op, ...Object.fromEntries(left) })}`);
  // Owners and admins whom nothing declares are drift, though nothing is planned for them.
  const code = document.diagnostics.some((one) => one.code === "undeclared_rights") ? 2 : 0;
  await must(world, ["drift", ...paths], {}, code);
  return document;
}

/** In milliseconds, as timeouts are given. */
export const seconds = (count: number): number => count * 1000;

/** So many runs; a failure is made smaller for no longer than a minute or two, and its seed is printed. */
export function runs(numRuns: number): {
  readonly numRuns: number;
  readonly interruptAfterTimeLimit: number;
  readonly markInterruptAsFailure: boolean;
} {
  return { numRuns, interruptAfterTimeLimit: seconds(1800), markInterruptAsFailure: true };
}
