/** Tests your own files without a service: loads them, starts the emulator with a seed, plans, and says what the plan has to be. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient, createRedactor, loadConfig, planConfig, systemClock as clock } from "driftline";
import { loadSeed, startEmulator } from "driftline/emulator";

const [cwd, env, redactor] = [import.meta.dirname, {}, createRedactor()];
const config = await loadConfig({ paths: ["driftline.yaml"], cwd, env, vars: [], varFiles: [] });
assert.deepEqual(config.diagnostics, []);

const emulator = await startEmulator({ seed: loadSeed(await readFile(join(cwd, "seed.json"), "utf8")) });
const { url, key } = emulator;
const client = createClient({ url, key, mode: "read", profile: "posthog", clock, redactor });
const options = { prune: false, only: [], rotate: [] };
const { plan } = await planConfig({ config, client, options, context: { env, clock, redactor, toolVersion: "test" } });
await client.close();
await emulator.close();

const found = plan.changes.map(({ address, action, blocked }) => [address, action, blocked?.rule ?? "allowed"]);
assert.deepEqual(found, [["acme", "update", "allowed"]]);
