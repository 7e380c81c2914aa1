/** Who may go on with a create that an earlier run has begun, call by call. On the engine: owners.deep.test.ts. */
import { expect, it } from "vitest";
import type { JsonObject } from "../../src/model/json/json.ts";
import { pluginWorld } from "./support/plugin-world.ts";
import type { PluginProcess } from "./support/plugin-process.ts";

const signups = { projectId: 2, name: "Signups" };
const urnIn = (stack: string, name = "signups"): string =>
  `urn:pulumi:${stack}::acme::driftline:index:Insight::${name}`;

function create(plugin: PluginProcess, urn: string): Promise<unknown> {
  return plugin.send("create", "CreateRequest", { urn, properties: signups });
}

it("the packaged provider goes on with a create of the same resource, until the state has its object", async () => {
  const { emulator, plugin, next } = await pluginWorld();
  await create(plugin, urnIn("dev"));
  await expect(create(await next(), urnIn("other"))).rejects.toThrow(
    "pulumi import driftline:index:Insight signups 2/",
  );
  await expect(create(await next(), urnIn("dev", "renamed"))).rejects.toThrow("adopt: true");
  const made = (await create(await next(), urnIn("dev"))) as {
    getId: () => string;
    getProperties: () => { toJavaScript: () => JsonObject };
  };
  const state = { id: made.getId(), olds: made.getProperties().toJavaScript(), news: signups };
  // Another stack that has adopted the object says nothing about this one.
  await (await next()).send("diff", "DiffRequest", { urn: urnIn("other"), ...state });
  await create(await next(), urnIn("dev"));
  await (await next()).send("diff", "DiffRequest", { urn: urnIn("dev"), ...state });
  await expect(create(await next(), urnIn("dev"))).rejects.toThrow("adopt: true");
  expect(emulator.find("insight")).toHaveLength(1);
});
