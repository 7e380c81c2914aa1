/** An insight that is hidden from the key's user is in no list. The state keeps it as it is, and nothing is sent. */
import { expect, it } from "vitest";
import { pluginWorld } from "./support/plugin-world.ts";

const OWNER = "owner@example.com";
const NEWS = { projectId: 2, name: "Signups" };

/** A state of one insight, which its user may not see any more. */
async function hidden() {
  const { emulator, plugin, next } = await pluginWorld({ dialect: "deployed" });
  const { id, outs } = await plugin.create("Insight", NEWS);
  emulator.setAccess(Number(id), OWNER, "none");
  emulator.clearRequests();
  return { emulator, plugin: await next(), id, outs };
}

it("a refresh, an update, a delete, an import and an adoption are refused with the reason, and nothing is sent", async () => {
  const { emulator, plugin, id, outs } = await hidden();
  const calls = [
    () => plugin.read("Insight", id, outs),
    () => plugin.read("Insight", `2/${id}`),
    () => plugin.update("Insight", id, outs, { ...NEWS, name: "Renamed" }),
    () => plugin.remove("Insight", id, outs),
    () => plugin.create("Insight", { ...NEWS, name: "Renamed", adopt: id }),
  ];
  for (const call of calls) {
    const answer = await call().catch(String);
    expect(answer).toEqual(expect.stringContaining("viewer access"));
  }
  expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  expect(emulator.find("insight")).toMatchObject([{ name: "Signups", deleted: false }]);
});

it("a deleted one is read as deleted, so that the next up restores it", async () => {
  const { emulator, plugin, id, outs } = await hidden();
  emulator.edit("insight", Number(id), { deleted: true });
  expect(await plugin.read("Insight", id, outs)).toMatchObject({ id, props: { deleted: true } });
});
