/** Replaces that are refused, each with its own reason, and one that must not be refused. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startEmulator, type Emulator } from "../../src/emulator/index.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { NOOP } from "../support/acme.ts";
import { unwrapSecrets } from "../../src/pulumi/plugin/wire.ts";
import { envOf } from "../support/cli.ts";
import { normalized } from "../support/normalized.ts";
import { SEED } from "../support/workspace.ts";
import { startPlugin, type PluginProcess } from "./support/plugin-process.ts";

const COMMON = { projectId: 2, name: "Nightly", interval: "day", paused: false };
const HTTP: JsonObject = { ...COMMON, destination: { type: "HTTP", config: { url: "https://acme.com", token: "t" } } };
const NEXT: JsonObject = { ...COMMON, hogqlQuery: "", destination: NOOP };
const EXPORT = "urn:pulumi:dev::acme::driftline:index:BatchExport::it";
const SIGNUPS = { projectId: 2, name: "Signups", adopt: true };

interface World {
  readonly emulator: Emulator;
  readonly plugin: PluginProcess;
  /** Starts the process of the next run. */
  readonly next: () => Promise<PluginProcess>;
}

async function world(): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), "driftline-replace-"));
  const emulator = await startEmulator({ seed: SEED, dialect: "deployed" });
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

/** Creates an object, with its state as the engine sends it: to a provider that does not accept secrets, without their wrapping. */
async function create(plugin: PluginProcess): Promise<{ readonly id: string; readonly olds: JsonObject }> {
  const { id, outs } = await plugin.create("BatchExport", HTTP);
  return { id, olds: unwrapSecrets(outs) as JsonObject };
}

async function failure(call: Promise<unknown>): Promise<string> {
  const error: unknown = await call.catch((thrown: unknown) => thrown);
  return normalized((error as { details?: string } | undefined)?.details ?? "it did not fail");
}

function writes({ requests }: Emulator): readonly string[] {
  return requests.flatMap(({ method }) => (method === "GET" ? [] : [method]));
}

it("a replace that would lose a value that is never shown is refused, but not once the object is gone", async () => {
  const { emulator, plugin, next } = await world();
  const { id, olds } = await create(plugin);
  const news = { ...COMMON, destination: NOOP };
  const diff = async (run: PluginProcess): Promise<unknown> =>
    run.send("diff", "DiffRequest", { urn: EXPORT, id, olds, news });
  expect(await failure(diff(plugin))).toMatchSnapshot();
  emulator.remove("batch_export", id);
  const later = await next();
  const hidden = emulator.faults.add({ method: "GET", fault: { type: "status", status: 403 } });
  expect(await failure(diff(later))).toContain("hogqlQuery");
  hidden.remove();
  await expect(diff(later)).resolves.toBeDefined();
});

it("a replace that the engine forces before it deletes is refused, and the next run forgets it", async () => {
  const { emulator, plugin, next } = await world();
  const old = await plugin.create("Insight", SIGNUPS);
  emulator.clearRequests();
  const made = await plugin.create("Insight", SIGNUPS);
  expect(made.id).toBe(old.id);
  expect(await failure(plugin.remove("Insight", old.id, old.outs))).toMatchSnapshot();
  // The state has the object twice now, and the next run removes the old entry.
  const later = await next();
  await later.diff("Insight", made.outs, SIGNUPS, made.id);
  await later.remove("Insight", old.id, old.outs);
  expect(writes(emulator)).toEqual([]);
});

it("a replace of an object that was not deleted says which options keep it", async () => {
  const { emulator, plugin } = await world();
  const { id, olds } = await create(plugin);
  emulator.clearRequests();
  await plugin.send("diff", "DiffRequest", { urn: EXPORT, id, olds, news: NEXT });
  expect(await failure(plugin.create("BatchExport", NEXT))).toMatchSnapshot();
  expect(writes(emulator)).toEqual([]);
});
