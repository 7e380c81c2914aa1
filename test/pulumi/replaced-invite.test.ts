/** The engine replaces an invite by a delete and a create. The person keeps the projects, and gets no second e-mail. */
import { expect, it } from "vitest";
import type { Dialect } from "../../src/emulator/index.ts";
import type { JsonObject } from "../../src/model/json/json.ts";
import { ACME } from "../support/acme.ts";
import { pluginWorld, type PluginWorld } from "./support/plugin-world.ts";

const OLD = { organizationId: ACME, targetEmail: "eve@example.com", message: "Welcome" };
const PROJECTS = [{ id: 2, level: "member" }];

interface World extends PluginWorld {
  readonly id: string;
  readonly outs: JsonObject;
}

async function invited(dialect: Dialect): Promise<World> {
  const world = await pluginWorld({ dialect });
  const access = dialect === "current" ? { private_project_access: PROJECTS } : {};
  const live = { target_email: OLD.targetEmail, message: OLD.message, level: 1, ...access };
  const { id } = world.emulator.insert("invite", { organization: ACME }, live);
  return { ...world, id: String(id), outs: { ...OLD, level: 1 } };
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
