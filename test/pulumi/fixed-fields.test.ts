/** Today's service does not change the model of an export. Only its rows show that, so the state keeps what they showed. */
import { expect, it } from "vitest";
import type { JsonObject } from "../../src/model/json/json.ts";
import { unwrapSecrets } from "../../src/pulumi/plugin/wire.ts";
import { pluginWorld } from "./support/plugin-world.ts";

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
    const { plugin } = await pluginWorld({ dialect });
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
