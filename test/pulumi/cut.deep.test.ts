/** The level of an invited person, in an update that is killed between the removal of the invite and the new one. */
import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { ACME } from "../support/acme.ts";
import { describeEngine } from "./support/engine.ts";
import { descendants, endIfThere } from "./support/killed.ts";
import type { Program } from "./support/stack.ts";

const UP = ["up", "--yes", "--skip-preview"] as const;
const SETTLE_SECONDS = 20;

const person = (level: number): Program => ({
  eve: { type: "Membership", args: { organizationId: ACME, email: "eve@example.com", level } },
});

describeEngine("a level that is cut in two", (_dialect, { createStack }) => {
  it("is set by the next update, as quietly, which says what it waits for and counts from the first one", async () => {
    const stack = await createStack({ dialect: "current" });
    const { emulator, declare, run } = stack;
    await declare(person(1));
    await run(...UP);
    const [invite] = emulator.find("invite");
    emulator.edit("invite", String(invite?.id), { message: "Welcome" });
    await declare(person(8));
    const never = new Promise<void>(() => undefined);
    const held = emulator.faults.add({ method: "POST", fault: { type: "delay-before", until: never } });
    const child = stack.start(UP);
    while (held.hits < 1) await wait(20);
    const cutAt = Date.now();
    const left = await descendants(child.pid ?? 0);
    child.kill("SIGKILL");
    for (const pid of left) endIfThere(pid);
    expect(emulator.find("invite")).toEqual([]);
    emulator.faults.clear();
    emulator.clearRequests();
    await run("cancel", "--yes");

    const { code, output } = await stack.pulumi(UP, { DRIFTLINE_SETTLE_AFTER: String(SETTLE_SECONDS) });
    expect(code, output).toBe(0);
    const sent = emulator.requests.filter(({ method }) => method === "POST").map(({ body }) => body);
    expect(sent).toEqual([expect.objectContaining({ level: 8, message: "Welcome", send_email: false })]);
    const [, until = new Date(cutAt).toISOString()] = /waiting until (\S+), because/.exec(output) ?? [];
    // A machine that took longer than this to start the second update had nothing to wait for.
    expect(Date.parse(until)).toBeLessThanOrEqual(cutAt + SETTLE_SECONDS * 1_000);
  });
});
