/** The look-ups of the packaged provider that find nothing, too much, or cannot know. */
import { expect, it } from "vitest";
import type { JsonObject } from "../../src/model/json/json.ts";
import { ACME } from "../support/interface/declare.ts";
import type { PluginProcess } from "./support/plugin-process.ts";
import { pluginWorld } from "./support/plugin-world.ts";

const seed = {
  organizations: [
    {
      id: ACME,
      name: "Acme Inc",
      projects: [
        { id: 2, name: "Web", insights: [{ name: "Signups" }, { name: "Twice" }, { name: "Twice" }] },
        { id: 3, name: "Twin" },
        { id: 4, name: "Twin" },
      ],
    },
  ],
};

function call(plugin: PluginProcess, name: string, args: JsonObject): Promise<unknown> {
  return plugin.send("invoke", "InvokeRequest", { tok: `driftline:index:${name}`, args });
}

const REFUSED: Readonly<Record<string, readonly [string, JsonObject, RegExp]>> = {
  "no place": ["getInsight", { name: "Signups" }, /projectId/],
  "nothing to look for": ["getInsight", { projectId: 2 }, /name and id/],
  "two things to look for": ["getInsight", { projectId: 2, name: "Signups", id: "1" }, /name and id/],
  "a mistyped argument": ["getInsights", { projectId: 2, tag: ["growth"] }, /tags/],
  "a mistyped name": ["getInsight", { projectId: 2, name: "Singups" }, /"Signups"/],
  "an organization that the key does not see": ["getProject", { organizationId: "other", name: "Web" }, /other/],
  "two projects of one name": ["getProject", { organizationId: ACME, name: "Twin" }, /\b3\b.*\b4\b/],
  "an unknown function": ["getNothing", {}, /getNothing/],
};

it.each(Object.entries(REFUSED))("%s is refused", async (_, [name, args, message]) => {
  const { emulator, plugin } = await pluginWorld({ seed });
  await expect(call(plugin, name, args)).rejects.toThrow(message);
  expect(emulator.requests.every(({ method }) => method === "GET")).toBe(true);
});

it("a list that cannot be read is no empty list", async () => {
  const { emulator, plugin } = await pluginWorld({ seed });
  emulator.faults.add({ method: "GET", fault: { type: "status", status: 403 } });
  await expect(call(plugin, "getInsights", { projectId: 2 })).rejects.toThrow(/403|permission|scope/);
});
