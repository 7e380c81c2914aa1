/** The engine replaces an invite by a delete and a create. The person keeps the projects, and gets no second e-mail. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startEmulator, type Dialect, type Emulator } from "../../src/emulator/index.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { ACME } from "../support/acme.ts";
import { envOf } from "../support/cli.ts";
import { SEED } from "../support/workspace.ts";
import { startPlugin, type PluginProcess } from "./support/plugin-process.ts";

const OLD = { organizationId: ACME, targetEmail: "eve@example.com", message: "Welcome" };
const PROJECTS = [{ id: 2, level: "member" }];

interface World {
  readonly emulator: Emulator;
  readonly plugin: PluginProcess;
  /** Starts the process of the next run. */
  readonly next: () => Promise<PluginProcess>;
  readonly id: string;
  readonly outs: JsonObject;
}

async function invited(dialect: Dialect): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), "driftline-replaced-invite-"));
  const emulator = await startEmulator({ seed: SEED, dialect });
  const started: PluginProcess[] = [];
  onTestFinished(async () => {
    for (const one of started) one.stop();
    await emulator.close();
    await rm(folder, { recursive: true, force: true });
  });
  const next = async (): Promise<PluginProcess> => {
    const plugin = await startPlugin(envOf(emulator, folder));
    started.push(plugin);
    await plugin.configure({ url: emulator.url, apiKey: emulator.key }, "explicit");
    return plugin;
  };
  const access = dialect === "current" ? { private_project_access: PROJECTS } : {};
  const live = { target_email: OLD.targetEmail, message: OLD.message, level: 1, ...access };
  const { id } = emulator.insert("invite", { organization: ACME }, live);
  return { emulator, plugin: await next(), next, id: String(id), outs: { ...OLD, level: 1 } };
}

/** What the create of a replace sends. */
async function replaced({ emulator, plugin, id, outs }: World, news: JsonObject, creates = plugin): Promise<unknown> {
  expect((await plugin.diff("Invite", outs, news, id)).replaces).not.toEqual([]);
  await plugin.remove("Invite", id, outs);
  // A later run compares the resource again.
  if (creates !== plugin) await creates.diff("Invite", outs, news, id);
  await creates.create("Invite", news);
  return emulator.requests.find(({ method }) => method === "POST")?.body;
}

const QUIET = { level: 8, message: "Welcome", send_email: false, private_project_access: PROJECTS };

it("a replace for the level keeps the projects, and sends no e-mail", async () => {
  const world = await invited("current");
  expect(await replaced(world, { ...OLD, level: 8 })).toMatchObject(QUIET);
  expect(world.emulator.find("invite")).toMatchObject([{ emailing_attempt_made: false }]);
});

it("so does one that was cut in two", async () => {
  const world = await invited("current");
  expect(await replaced(world, { ...OLD, level: 8 }, await world.next())).toMatchObject(QUIET);
});

it.each<[string, JsonObject]>([
  ["another message", { message: "Hello" }],
  ["the program's own word", { level: 8, sendEmail: true }],
])("a replace for %s sends one", async (_what, more) => {
  const world = await invited("current");
  expect(await replaced(world, { ...OLD, ...more })).not.toHaveProperty("send_email", false);
  expect(world.emulator.find("invite")).toMatchObject([{ emailing_attempt_made: true }]);
});

it("a replace of an expired invite sends one, because the link in the first is of no use", async () => {
  const world = await invited("current");
  world.emulator.expireInvite(world.id);
  expect(await replaced(world, { ...OLD, level: 8 })).not.toHaveProperty("send_email");
});

it("a service without the field is not sent it", async () => {
  expect(await replaced(await invited("document"), { ...OLD, level: 8 })).not.toHaveProperty("send_email");
});
