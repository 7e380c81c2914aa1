/** Today's service does not change the model of an export. Only its rows show that, so the state keeps what they showed. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startEmulator } from "../../src/emulator/index.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { unwrapSecrets } from "../../src/pulumi/plugin/wire.ts";
import { envOf } from "../support/cli.ts";
import { SEED } from "../support/workspace.ts";
import { startPlugin } from "./support/plugin-process.ts";

const NEWS = {
  hogqlQuery: "",
  projectId: 2,
  name: "Events",
  model: "events",
  interval: "hour",
  destination: { type: "NoOp", config: {} },
};
const CHANGED = { ...NEWS, model: "persons" };

it.each([
  ["current", ["model"]],
  ["deployed", []],
] as const)(
  "another model of an export needs another object only where the service does not change it (%s)",
  async (dialect, replaces) => {
    const folder = await mkdtemp(join(tmpdir(), "driftline-fixed-fields-"));
    const emulator = await startEmulator({ seed: SEED, dialect });
    const plugin = await startPlugin(envOf(emulator, folder));
    onTestFinished(async () => {
      plugin.stop();
      await emulator.close();
      await rm(folder, { recursive: true, force: true });
    });
    await plugin.configure({ url: emulator.url, apiKey: emulator.key }, "explicit");
    const { id, outs } = await plugin.create("BatchExport", NEWS);
    const replaced = async (state: JsonObject): Promise<readonly string[]> => {
      const { replaces: names } = await plugin.diff("BatchExport", unwrapSecrets(state) as JsonObject, CHANGED, id);
      return names;
    };
    expect(await replaced(outs)).toEqual(replaces);
    const { props } = await plugin.read("BatchExport", id, NEWS);
    expect(await replaced(props)).toEqual(replaces);
  },
);
