import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { controlSender } from "./client.ts";
import { loadSeed, type Switches } from "../../../../src/emulator/index.ts";
import { start } from "../harness.ts";

describe("the README", () => {
  const readme = readFileSync(new URL("../../../../src/emulator/README.md", import.meta.url), "utf8");

  test("has a valid seed", () => {
    const [, seed = ""] = /```json\n([\s\S]*?)```/.exec(readme) ?? [];
    expect(loadSeed(seed).organizations.length).toBe(2);
  });

  test("has valid rules", async () => {
    const control = controlSender((await start({ controlPort: 0 })).emulator);
    const bodies = [...readme.matchAll(/CONTROL\/faults" -H "\$JSON" \\\n\s+-d '(.*)'/g)].map(([, body]) => body);
    expect(bodies.length).toBe(2);
    for (const body of bodies) expect((await control("POST", "/faults", body)).status).toBe(201);
  });

  test("names faults and existing calls of the control interface", async () => {
    const control = controlSender((await start({ controlPort: 0 })).emulator);
    for (const type of ["drop-before", "duplicate-create", "mask-field"]) expect(readme).toContain(`\`${type}\``);
    const calls = [...readme.matchAll(/`(GET|POST|PATCH|DELETE) (\/[a-z]+)/g)];
    for (const [, method = "", path = ""] of calls) expect((await control(method, path)).status).toBeLessThan(500);
    expect(new Set(calls.map(([, , path]) => path)).size).toBeGreaterThanOrEqual(7);
  });

  test("lists the switches of the dialect current, with their values at the start", async () => {
    const rows = [...readme.matchAll(/^\| `([a-z_]+)` +\| `(\w+)` /gm)];
    const listed = rows.map(([, name = "", value = ""]) => [name, JSON.parse(value) as boolean | number]);
    const switches: Switches = (await start({ dialect: "current" })).emulator.switches();
    expect(Object.fromEntries(listed)).toEqual(switches);
  });
});
