import { describe, expect, test } from "vitest";
import { controlSender } from "../control/client.ts";
import { readFileSync } from "node:fs";
import { start } from "../harness.ts";
import type { Switches } from "../../../../src/emulator/index.ts";

describe("the switches of the dialect current", () => {
  test("are set at the start, in process and over the control port", async () => {
    const { emulator } = await start({ dialect: "current", controlPort: 0, switches: { plugins_gone: true } });
    const control = controlSender(emulator);
    expect(emulator.switches().plugins_gone).toBe(true);
    const { status, json } = await control("PATCH", "/switches", JSON.stringify({ backfill_limit: 3 }));
    expect([status, json]).toEqual([200, { ...emulator.switches(), plugins_gone: true, backfill_limit: 3 }]);
    expect((await control("GET", "/switches")).json).toEqual(emulator.switches());
  });

  test("are checked by name and type, and are only for this dialect", async () => {
    const { emulator } = await start({ dialect: "current" });
    const unknown: object = { nope: true };
    const wrong: object = { backfill_limit: true };
    expect(() => emulator.setSwitches(unknown)).toThrow('There is no switch "nope"');
    expect(() => emulator.setSwitches(wrong)).toThrow('The switch "backfill_limit" has to be a number.');
    const other = (await start({ dialect: "deployed" })).emulator;
    expect(() => other.setSwitches({ cloud: true })).toThrow("Only the dialect current has switches");
  });

  test("are all in the README, with their values at the start", async () => {
    const readme = readFileSync(new URL("../../../../src/emulator/README.md", import.meta.url), "utf8");
    const listed = [...readme.matchAll(/^\| `([a-z_]+)` +\| `(\w+)` /gm)].map(([, name = "", value = ""]) => [
      name,
      JSON.parse(value) as boolean | number,
    ]);
    const switches: Switches = (await start({ dialect: "current" })).emulator.switches();
    expect(Object.fromEntries(listed)).toEqual(switches);
  });
});
