import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../../src/emulator/index.ts";
import type { JsonObject } from "../../../src/model/json/json.ts";
import { envOf } from "../../support/cli.ts";
import { spokenDialect } from "../../support/dialects.ts";
import { SEED } from "../../support/workspace.ts";
import type { Found } from "../sdks/sdks.ts";
import { OWN, startProvider, type ProviderProcess } from "./provider-process.ts";

/** Settings of the service and the process of a test. */
export interface Setting {
  /** Variables to remove from the environment. */
  readonly without?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly config?: (emulator: Emulator) => JsonObject;
  readonly options?: EmulatorOptions;
  readonly toolchain?: Found;
}

/** Starts an emulator and a stock process of dynamic providers that uses it. */
export async function world({ without = [], env = {}, config, options, toolchain = OWN }: Setting = {}): Promise<{
  readonly emulator: Emulator;
  readonly provider: ProviderProcess;
  /** Starts the process of another run, which has read nothing yet. */
  readonly later: () => Promise<ProviderProcess>;
}> {
  if ("missing" in toolchain) throw new Error(toolchain.missing);
  const folder = await mkdtemp(join(tmpdir(), "driftline-pulumi-"));
  const emulator = await startEmulator({ seed: SEED, dialect: spokenDialect() ?? "document", ...options });
  const given = Object.entries({ ...envOf(emulator, folder), ...env }).filter(([name]) => !without.includes(name));
  const started: ProviderProcess[] = [];
  const later = async (): Promise<ProviderProcess> => {
    const provider = await startProvider(Object.fromEntries(given), config?.(emulator) ?? {}, toolchain);
    started.push(provider);
    return provider;
  };
  const provider = await later();
  onTestFinished(async () => {
    for (const one of started) one.stop();
    await emulator.close();
    await rm(folder, { recursive: true, force: true });
  });
  return { emulator, provider, later };
}
