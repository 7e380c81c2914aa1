/** A key that sees only some of the people: one that no list shows is unknown, and the state keeps it. */
import { expect, it } from "vitest";
import { ACME } from "../support/acme.ts";
import { pluginWorld } from "./support/plugin-world.ts";

const NEWS = { organizationId: ACME, targetEmail: "eve@example.com" };

it.each([
  ["sees only some people", false, "sees only a part of the members"],
  ["sees all people", true, '"id":""'],
])("an invite that no list shows any more, by a key that %s", async (_which, seesAll, expected) => {
  const { emulator, plugin, next } = await pluginWorld({ dialect: "current" });
  const { id, outs } = await plugin.create("Invite", NEWS);
  emulator.remove("invite", id);
  emulator.edit("organization", ACME, { members_can_see_org_members: seesAll });
  for (const { id: member } of emulator.find("member")) emulator.edit("member", String(member), { level: 1 });
  const answer = await (await next()).read("Invite", id, outs).catch(String);
  expect(typeof answer === "string" ? answer : JSON.stringify(answer)).toContain(expected);
});
