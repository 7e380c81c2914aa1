/** In Pulumi every resource names its place by id, so a key needs the scope of the resource's own family, and no other. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startEmulator } from "../../src/emulator/index.ts";
import type { JsonObject } from "../../src/model/json/json.ts";
import { envOf } from "../support/cli.ts";
import { ACME } from "../support/interface/declare.ts";
import { SEED } from "../support/workspace.ts";
import { startPlugin } from "./support/plugin-process.ts";

const PLUGIN = { organizationId: ACME, name: "One", pluginType: "source" };
const EXPORT = {
  projectId: 2,
  name: "Nightly",
  interval: "day",
  paused: false,
  destination: { type: "NoOp", config: {} },
};

/** A resource of each family: its scope, its inputs, and a change. */
const FAMILIES: readonly (readonly [type: string, scope: string, inputs: JsonObject, change: JsonObject])[] = [
  ["Insight", "insight", { projectId: 2, name: "Signups" }, { name: "Signups 2" }],
  ["BatchExport", "batch_export", EXPORT, { interval: "hour" }],
  ["Domain", "organization", { organizationId: ACME, domain: "one.acme.com" }, { samlEntityId: "urn:acme" }],
  [
    "Membership",
    "organization_member",
    { organizationId: ACME, email: "bob@acme.com", level: 1, adopt: true },
    { level: 8 },
  ],
  ["Invite", "organization_member", { organizationId: ACME, targetEmail: "eve@acme.com" }, {}],
  ["PipelineDestination", "plugin", { ...PLUGIN, capabilities: { methods: ["onEvent"] } }, { description: "d" }],
];

/** A provider on a service that knows keys named like their scopes. `use` gives the provider one of them. */
async function provider(...scopes: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), "driftline-privilege-"));
  const keys = scopes.map((scope) => ({ key: scope, scopes: [scope] }));
  const emulator = await startEmulator({ seed: SEED, dialect: "deployed", keys });
  const plugin = await startPlugin(envOf(emulator, folder));
  onTestFinished(async () => {
    plugin.stop();
    await emulator.close();
    await rm(folder, { recursive: true, force: true });
  });
  const settings = (apiKey: string, self?: string) => (self === undefined ? { apiKey } : { apiKey, self });
  const use = (...given: Parameters<typeof settings>) => plugin.configure(settings(...given), "explicit");
  /** The provider of a later run: the engine starts one for each. */
  const later = async (...given: Parameters<typeof settings>) => {
    const next = await startPlugin(envOf(emulator, folder));
    onTestFinished(() => next.stop());
    await next.configure(settings(...given), "explicit");
    return next;
  };
  return { emulator, plugin, use, later };
}

it.each(FAMILIES)("%s: a key with only %s:write creates, changes, refreshes, imports and removes", async (...row) => {
  const [type, scope, news, change] = row;
  const [write, read] = [`${scope}:write`, `${scope}:read`];
  const { emulator, plugin, use, later } = await provider(write, read);
  await use(write, "owner@example.com");
  const { id, outs } = await plugin.create(type, news);
  const next = { ...news, ...change };
  const updated = Object.keys(change).length === 0 ? outs : await plugin.update(type, id, outs, next);
  const named = `${String(news["projectId"] ?? news["organizationId"])}/${id}`;
  for (const key of [write, read]) {
    await use(key, "owner@example.com");
    expect(await plugin.read(type, id, updated)).toMatchObject({ id, props: change });
    expect((await plugin.read(type, named)).inputs).toMatchObject(change);
  }
  const denied = emulator.requests.filter(({ status }) => status === 403).map(({ path }) => path);
  // The organizations show the level of the key's own user, and whether the key sees all people. It works without them: the setting
  // self says who the user is.
  const mayBeDenied = type === "Membership" || type === "Invite" ? ["/api/organizations/"] : [];
  expect(denied.filter((path) => !mayBeDenied.includes(path))).toEqual([]);
  const reader = await later(read, "owner@example.com");
  expect(await reader.remove(type, id, updated).catch(String)).toContain(write);
  const writer = await later(write, "owner@example.com");
  await writer.remove(type, id, updated);
  expect((await writer.read(type, named)).id).toBe("");
});

it("a person is lowered or removed only if the key may read organizations, or self is set", async () => {
  const { emulator, plugin, use, later } = await provider("organization_member:write");
  await use("organization_member:write");
  const ada = { organizationId: ACME, email: "ada@acme.com", level: 8, adopt: true };
  const { id, outs } = await plugin.create("Membership", ada);
  const next = await later("organization_member:write");
  const lowered = plugin.update("Membership", id, outs, { ...ada, level: 1 });
  for (const call of [lowered.catch(String), next.remove("Membership", id, outs).catch(String)])
    expect(await call).toContain("driftline:self");
  expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});
