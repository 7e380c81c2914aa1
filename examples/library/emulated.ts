/** Starts the service in memory, makes one request fail, and prints all requests. Use it in your own tests. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { loadSeed, startEmulator } from "driftline/emulator";

const seed = loadSeed(await readFile(join(import.meta.dirname, "seed.json"), "utf8"));
const emulator = await startEmulator({ seed, dialect: "deployed" });
emulator.faults.add({ method: "GET", path: "/organizations", nth: 2, fault: { type: "status", status: 503 } });

const headers = { authorization: `Bearer ${emulator.key}` };
await fetch(`${emulator.url}/api/organizations/`, { headers });
await fetch(`${emulator.url}/api/organizations/`, { headers });
for (const { method, path, status } of emulator.requests) console.log(`${method} ${path} ${String(status)}`);
await emulator.close();
