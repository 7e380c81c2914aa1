/**
 * The main job, shown: an organization declared in YAML is compared with a live service (the embedded emulator), put right,
 * edited behind its back, found drifted, and put right again. Every command is the real one.
 */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadSeed, startEmulator } from "../src/emulator/index.ts";

const root = new URL("..", import.meta.url).pathname;
const folder = await mkdtemp(join(tmpdir(), "driftline-demo-"));
const emulator = await startEmulator({ seed: loadSeed(await readFile(join(root, "examples/minimal/seed.json"), "utf8")) });
const env = {
  ...process.env,
  DRIFTLINE_URL: emulator.url,
  DRIFTLINE_API_KEY: emulator.key,
  DRIFTLINE_STATE_DIR: join(folder, "state"),
};

try {
  await writeFile(join(folder, "driftline.yaml"), await readFile(join(root, "examples/minimal/driftline.yaml"), "utf8"));
  say("1. What differs? (nothing is written)");
  await driftline(["plan"], 0);
  say("2. Put it right.");
  await driftline(["apply", "--yes"], 0);
  say("3. Nothing differs any more.");
  await driftline(["plan", "--detailed-exitcode"], 0);
  say("4. Somebody edits the insight and the organization in the user interface ...");
  for (const { id } of emulator.find("insight")) emulator.edit("insight", Number(id), { description: "Do not trust this one", tags: ["old"] });
  for (const { id } of emulator.find("organization")) emulator.edit("organization", String(id), { enforce_2fa: false });
  say("   ... and drift finds it (exit code 2).");
  await driftline(["drift"], 2);
  say("5. Put it right again.");
  await driftline(["apply", "--yes"], 0);
  await driftline(["drift"], 0);
  say("That is the whole job. Your own service: set DRIFTLINE_URL and DRIFTLINE_API_KEY, then driftline export.");
} finally {
  await emulator.close();
  await rm(folder, { recursive: true, force: true });
}

function say(text: string): void {
  process.stdout.write(`\n${text}\n`);
}

/** Runs a command as a user would, and ends the demo where it does not exit as it should. */
async function driftline(args: readonly string[], expected: number): Promise<void> {
  process.stdout.write(`\n$ driftline ${args.join(" ")}\n`);
  const child = spawn(process.execPath, [join(root, "dist/cli/main.js"), ...args], { cwd: folder, env, stdio: "inherit" });
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  if (code !== expected) throw new Error(`driftline ${args.join(" ")} exited with ${String(code)}, not with ${String(expected)}`);
}
