/** The level of an invited person, in a run that ends between the removal of the invite and the new one. */
import { expect, it } from "vitest";
import { ACME } from "../support/acme.ts";
import { pluginWorld } from "./support/plugin-world.ts";

it("the next run sends the new invite as quietly, says what it waits for, and counts from the first one", async () => {
  const { emulator, plugin, next } = await pluginWorld({ dialect: "current" });
  const access = [{ id: 2, level: "member" }];
  emulator.insert(
    "invite",
    { organization: ACME },
    { target_email: "eve@example.com", level: 1, message: "Welcome", private_project_access: access },
  );
  const [olds, news] = [1, 8].map((level) => ({ organizationId: ACME, email: "eve@example.com", level }));
  const change = (one: typeof plugin) => one.update("Membership", "eve@example.com", olds ?? {}, news ?? {});
  const never = new Promise<void>(() => undefined);
  const held = emulator.faults.add({ method: "POST", fault: { type: "delay-before", until: never } });
  void change(plugin).catch(() => undefined);
  await expect.poll(() => held.hits, { timeout: 60_000 }).toBe(1);
  expect(emulator.find("invite")).toEqual([]);
  plugin.stop();
  emulator.faults.clear();
  emulator.clearRequests();
  const later = await next();
  // Less than the time of the run before counts.
  await later.configure({ settleAfter: "4" });
  await change(later);
  const sent = emulator.requests.filter(({ method }) => method === "POST").map(({ body }) => body);
  expect(sent).toEqual([
    expect.objectContaining({ level: 8, message: "Welcome", send_email: false, private_project_access: access }),
  ]);
  expect(emulator.find("invite")).toMatchObject([{ level: 8, emailing_attempt_made: false }]);
});

it("a create without an answer says what it waits for", async () => {
  const { emulator, plugin } = await pluginWorld();
  await plugin.configure({ settleAfter: "2" });
  emulator.faults.add({ method: "POST", times: 1, fault: { type: "drop-before" } });
  await plugin.create("Insight", { projectId: 2, name: "Signups" });
  expect(plugin.output()).toMatch(/waiting until .*, because its create got no clear answer/);
});
