#!/usr/bin/env node
/** The executable that Pulumi's engine starts for packaged resources. The first line on stdout is its port. */
import { systemClock } from "../../api/limits/clock.ts";
import { loadSdk } from "./sdk.ts";
import { startServer } from "./server.ts";

/** How often to look whether the engine still runs. Milliseconds. */
const ENGINE_POLL = 2_000;

const sdk = loadSdk(process.cwd());
if (sdk === undefined) {
  process.stderr.write("driftline's Pulumi provider needs Pulumi's SDK: run npm install @pulumi/pulumi\n");
  process.exitCode = 1;
} else {
  const engine = process.ppid;
  const server = await startServer(sdk);
  process.stdout.write(`${String(server.port)}\n`);
  // An engine that is killed leaves its providers behind. The calls in flight are completed, and what they write is journaled.
  while (process.ppid === engine) await systemClock.sleep(ENGINE_POLL);
  await server.close();
  process.exit();
}
