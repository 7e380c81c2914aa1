import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { stringify } from "yaml";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../src/emulator/index.ts";
import { mustBeAtRest } from "./at-rest.ts";
import { cli, envOf, outcomesOf, planOf, type CliResult } from "./cli.ts";
import { spokenDialect } from "./dialects.ts";
import type { Runtime } from "../../src/cli/runtime.ts";
import type { OutcomesDocument } from "../../src/model/outcome.ts";
import type { PlanDocument } from "../../src/model/plan.ts";

/** A folder, an emulator, and commands that run in the one against the other. All of it goes with the test. */
export interface Workspace {
  readonly emulator: Emulator;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Writes the configuration: text as it is, anything else as YAML. */
  readonly configure: (config: unknown, file?: string) => Promise<void>;
  readonly run: (args: readonly string[], more?: RunOptions) => Promise<CliResult>;
  readonly plan: (...args: readonly string[]) => Promise<PlanDocument>;
  readonly drift: (...args: readonly string[]) => Promise<{ readonly code: number; readonly document: PlanDocument }>;
  /** Applies with --yes; fails the test where the exit code is not the expected one. */
  readonly apply: (args?: readonly string[], expected?: number) => Promise<OutcomesDocument>;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly runtime?: Partial<Runtime>;
  /** Where an apply that exits with 0 leaves something to do: why that is so. */
  readonly leaves?: string;
}

export const SEED = {
  organizations: [
    {
      id: "0190aa11-0000-4000-8000-00000000000a",
      name: "Acme Inc",
      projects: [{ id: 2, name: "Web", dashboards: [7] }],
      members: [
        { email: "ada@acme.com", level: 8 },
        { email: "bob@acme.com", level: 1 },
      ],
    },
  ],
};

/** The same runtime without output listeners and signals. */
function quiet({ out: _out, err: _err, raw: _raw, signal: _signal, ...world }: Partial<Runtime>): Partial<Runtime> {
  return world;
}

export async function workspace(options: EmulatorOptions = {}): Promise<Workspace> {
  const folder = await mkdtemp(join(tmpdir(), "driftline-test-"));
  const spoken = spokenDialect();
  const emulator = await startEmulator({
    seed: SEED,
    ...(spoken === undefined ? {} : { dialect: spoken }),
    ...options,
  });
  onTestFinished(async () => {
    await emulator.close();
    await rm(folder, { recursive: true, force: true });
  });
  const env = envOf(emulator, join(folder, "state"));
  const run: Workspace["run"] = async (args, { env: own, runtime = {}, leaves } = {}) => {
    const world = { cwd: runtime.cwd ?? folder, env: { ...env, ...own } };
    const result = await cli(args, { ...world, runtime });
    const isDone = args[0] === "apply" && result.code === 0 && leaves === undefined;
    if (spoken !== undefined && isDone) await mustBeAtRest(emulator, args, { ...world, runtime: quiet(runtime) });
    return result;
  };
  return {
    emulator,
    folder,
    env,
    run,
    configure: (config, file = "driftline.yaml") =>
      writeFile(join(folder, file), typeof config === "string" ? config : stringify(config)),
    plan: async (...args) => planOf(await run(["plan", "--format", "json", ...args])),
    drift: async (...args) => {
      const result = await run(["drift", "--format", "json", ...args]);
      return { code: result.code, document: planOf(result) };
    },
    apply: async (args = [], expected = 0) => {
      const result = await run(["apply", "--yes", "--format", "json", ...args]);
      if (result.code !== expected)
        throw new Error(
          `apply exited with ${String(result.code)}, not ${String(expected)}\n${result.stderr}\n${result.stdout}`,
        );
      return outcomesOf(result);
    },
  };
}
