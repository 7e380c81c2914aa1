import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { loadSeed, type Switches } from "../../../src/emulator/index.ts";
import { start } from "./harness.ts";

const readme = readFileSync(new URL("../../../src/emulator/README.md", import.meta.url), "utf8");

async function control(): Promise<(method: string, path: string, body?: string) => Promise<number>> {
  const { emulator } = await start({ controlPort: 0 });
  const headers = { "content-type": "application/json" };
  return async (method, path, body) =>
    (await fetch(`${emulator.controlUrl}${path}`, { method, headers, ...(body === undefined ? {} : { body }) })).status;
}

test("the README has a valid seed and valid rules", async () => {
  const [, seed = ""] = /```json\n([\s\S]*?)```/.exec(readme) ?? [];
  expect(loadSeed(seed).organizations.length).toBe(2);
  const ask = await control();
  const bodies = [...readme.matchAll(/CONTROL\/faults" -H "\$JSON" \\\n\s+-d '(.*)'/g)].map(([, body]) => body);
  expect(bodies.length).toBe(2);
  for (const body of bodies) expect(await ask("POST", "/faults", body)).toBe(201);
});

test("the README names faults and existing calls of the control interface", async () => {
  const ask = await control();
  for (const type of ["drop-before", "duplicate-create", "mask-field"]) expect(readme).toContain(`\`${type}\``);
  const calls = [...readme.matchAll(/`(GET|POST|PATCH|DELETE) (\/[a-z]+)/g)];
  for (const [, method = "", path = ""] of calls) expect(await ask(method, path)).toBeLessThan(500);
  expect(new Set(calls.map(([, , path]) => path)).size).toBeGreaterThanOrEqual(7);
});

test("the README lists the switches of the dialect current, with their values at the start", async () => {
  const rows = [...readme.matchAll(/^\| `([a-z_]+)` +\| `(\w+)` /gm)];
  const listed = rows.map(([, name = "", value = ""]) => [name, JSON.parse(value) as boolean | number]);
  const switches: Switches = (await start({ dialect: "current" })).emulator.switches();
  expect(Object.fromEntries(listed)).toEqual(switches);
});
