/** The key of a run is checked before anything is planned with it, and the preview says what it sees. */
import { expect, it } from "vitest";
import { ACME } from "../support/acme.ts";
import { pluginWorld } from "./support/plugin-world.ts";
import { world } from "./support/world.ts";

const SIGNUPS = { projectId: 2, name: "Signups" };

it("one request for all resources of a run, and one line that says which organizations the key sees", async () => {
  const { emulator, plugin } = await pluginWorld();
  await plugin.check("Insight", SIGNUPS);
  await plugin.check("Insight", { ...SIGNUPS, name: "Churn" });
  await plugin.check("Organization", { name: "Acme Inc" });
  expect(emulator.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /api/organizations/"]);
  expect(plugin.output().match(/the key for .* sees .*/g)).toEqual([
    `the key for ${emulator.url} sees the organization "Acme Inc" (${ACME})`,
  ]);
});

it("a key that is limited to projects sees that of the resource", async () => {
  const { emulator, plugin } = await pluginWorld({
    dialect: "deployed",
    keys: [{ key: "emulator-key", scopes: ["*"], projects: [2] }],
  });
  await plugin.check("Insight", SIGNUPS);
  expect(plugin.output()).toContain(`the key for ${emulator.url} sees the project 2, and no organization`);
});

it("a key that may use neither is a warning, and so is a service that does not answer", async () => {
  const limited = await pluginWorld({
    dialect: "deployed",
    keys: [{ key: "emulator-key", scopes: ["*"], projects: [3] }],
  });
  await limited.plugin.check("Insight", SIGNUPS);
  expect(limited.plugin.output()).toContain("is not known");
  const away = await pluginWorld();
  away.emulator.faults.add({ path: "/organizations", fault: { type: "status", status: 400 } });
  await away.plugin.check("Insight", SIGNUPS);
  expect(away.plugin.output()).toContain("is not known");
});

it.each([
  ["a wrong one", { env: { DRIFTLINE_API_KEY: "wrong" } }],
  ["none", { without: ["DRIFTLINE_API_KEY"] }],
])("%s ends a preview of dynamic resources", async (_, setting) => {
  const { provider } = await world(setting);
  await expect(provider.as("insight").check({}, SIGNUPS)).rejects.toThrow(/DRIFTLINE_API_KEY/);
});
