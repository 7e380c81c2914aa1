/** Replaces that are refused, each with its own reason, and one that must not be refused. */
import { expect, it } from "vitest";
import type { JsonObject } from "../../src/model/json/json.ts";
import { NOOP } from "../support/acme.ts";
import { unwrapSecrets } from "../../src/pulumi/plugin/wire.ts";
import type { Emulator } from "../../src/emulator/index.ts";
import { normalized } from "../support/normalized.ts";
import type { PluginProcess } from "./support/plugin-process.ts";
import { pluginWorld } from "./support/plugin-world.ts";

const COMMON = { projectId: 2, name: "Nightly", interval: "day", paused: false };
const HTTP: JsonObject = { ...COMMON, destination: { type: "HTTP", config: { url: "https://acme.com", token: "t" } } };
const NEXT: JsonObject = { ...COMMON, hogqlQuery: "", destination: NOOP };
const EXPORT = "urn:pulumi:dev::acme::driftline:index:BatchExport::it";
const SIGNUPS = { projectId: 2, name: "Signups", adopt: true };

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
  const { emulator, plugin, next } = await pluginWorld({ dialect: "deployed" });
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
  const { emulator, plugin, next } = await pluginWorld({ dialect: "deployed" });
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
  const { emulator, plugin } = await pluginWorld({ dialect: "deployed" });
  const { id, olds } = await create(plugin);
  emulator.clearRequests();
  await plugin.send("diff", "DiffRequest", { urn: EXPORT, id, olds, news: NEXT });
  expect(await failure(plugin.create("BatchExport", NEXT))).toMatchSnapshot();
  expect(writes(emulator)).toEqual([]);
});

it("an update of an object that was changed outside so that only a replace helps leads to a refresh, not to driftline apply", async () => {
  const { emulator, plugin } = await pluginWorld({ dialect: "deployed" });
  const { id, olds } = await create(plugin);
  emulator.edit("batch_export", id, {
    destination: { type: "S3", config: { bucket_name: "b", api_token: "********" } },
  });
  emulator.clearRequests();
  const message = await failure(plugin.update("BatchExport", id, olds, { ...HTTP, interval: "hour" }));
  expect(message).not.toContain("driftline apply");
  expect(message).toMatchSnapshot();
  expect(writes(emulator)).toEqual([]);
});

it("an adoption of an object that only a replace could make as declared says which field differs", async () => {
  const { emulator, plugin } = await pluginWorld({ dialect: "deployed" });
  const { id } = await create(plugin);
  emulator.edit("batch_export", id, {
    destination: { type: "S3", config: { bucket_name: "b", api_token: "********" } },
  });
  emulator.clearRequests();
  const message = await failure(plugin.create("BatchExport", { ...HTTP, adopt: id }));
  expect(message).not.toContain("driftline apply");
  expect(message).toMatchSnapshot();
  expect(writes(emulator)).toEqual([]);
});
