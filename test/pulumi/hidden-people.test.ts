/** A key that sees only some of the people: one that no list shows is unknown, and the state keeps it. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startEmulator } from "../../src/emulator/index.ts";
import { ACME } from "../support/acme.ts";
import { envOf } from "../support/cli.ts";
import { SEED } from "../support/workspace.ts";
import { startPlugin } from "./support/plugin-process.ts";

const NEWS = { organizationId: ACME, targetEmail: "eve@example.com" };

it.each([
  ["sees only some people", false, "sees only a part of the members"],
  ["sees all people", true, '"id":""'],
])("an invite that no list shows any more, by a key that %s", async (_which, seesAll, expected) => {
  const folder = await mkdtemp(join(tmpdir(), "driftline-hidden-people-"));
  const emulator = await startEmulator({ seed: SEED, dialect: "current" });
  const plugin = await startPlugin(envOf(emulator, folder));
  onTestFinished(async () => {
    plugin.stop();
    await emulator.close();
    await rm(folder, { recursive: true, force: true });
  });
  await plugin.configure({ url: emulator.url, apiKey: emulator.key }, "explicit");
  const { id, outs } = await plugin.create("Invite", NEWS);
  emulator.remove("invite", id);
  emulator.edit("organization", ACME, { members_can_see_org_members: seesAll });
  for (const { id: member } of emulator.find("member")) emulator.edit("member", String(member), { level: 1 });
  const next = await startPlugin(envOf(emulator, folder));
  onTestFinished(() => next.stop());
  await next.configure({ url: emulator.url, apiKey: emulator.key }, "explicit");
  const answer = await next.read("Invite", id, outs).catch(String);
  expect(typeof answer === "string" ? answer : JSON.stringify(answer)).toContain(expected);
});
