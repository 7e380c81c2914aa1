import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../../src/emulator/index.ts";
import { envOf } from "../../support/cli.ts";
import { SEED } from "../../support/workspace.ts";
import { startPlugin, type PluginProcess } from "./plugin-process.ts";

/** An emulator with the packaged provider. All of it goes with the test. */
export interface PluginWorld {
  readonly emulator: Emulator;
  readonly plugin: PluginProcess;
  /** Starts the process of the next run. It knows no list from before. */
  readonly next: () => Promise<PluginProcess>;
}

export async function pluginWorld(options: EmulatorOptions = {}): Promise<PluginWorld> {
  const folder = await mkdtemp(join(tmpdir(), "driftline-plugin-"));
  const emulator = await startEmulator({ seed: SEED, ...options });
  const started: PluginProcess[] = [];
  onTestFinished(async () => {
    for (const one of started) one.stop();
    await emulator.close();
    await rm(folder, { recursive: true, force: true });
  });
  const next = async (): Promise<PluginProcess> => {
    const plugin = await startPlugin(envOf(emulator, folder));
    started.push(plugin);
    await plugin.configure({});
    return plugin;
  };
  return { emulator, plugin: await next(), next };
}
