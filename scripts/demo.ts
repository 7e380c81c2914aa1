/**
 * Demonstrates the main workflow with the real commands. An organization is declared in YAML and compared with a live
 * service (the emulator, over a real socket). It is applied although the network fails, edited in the service, found
 * drifted, and applied again. At the end a report shows what a changed query does to its numbers. On a terminal, the demo pauses so that
 * its output can be read.
 */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { loadSeed, startEmulator } from "../src/emulator/index.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const example = join(root, "examples/minimal");
const terminal = process.stdout.isTTY && (process.env["NO_COLOR"] ?? "") === "" && process.env["CI"] === undefined;

const folder = await mkdtemp(join(tmpdir(), "driftline-demo-"));
const file = join(folder, "driftline.yaml");
const seed = loadSeed(await readFile(join(example, "seed.json"), "utf8"));
const emulator = await startEmulator({ seed, dialect: "deployed" });
const env = {
  ...process.env,
  DRIFTLINE_URL: emulator.url,
  DRIFTLINE_API_KEY: emulator.key,
  DRIFTLINE_STATE_DIR: join(folder, "state"),
};

try {
  const yaml = await readFile(join(example, "driftline.yaml"), "utf8");
  await writeFile(file, yaml.replace("interval: week", "interval: week\n              dateRange: { date_from: -60d }"));
  await declared();
  await putRight();
  await edited();
  await mistyped();
  await recounted();
  say("This is the end of the demo. Continue with README.md, or run driftline export against your own service.");
} finally {
  await emulator.close();
  await rm(folder, { recursive: true, force: true });
}

async function declared(): Promise<void> {
  await chapter(
    "An organization is declared in YAML. driftline does not touch anything that the file does not declare.",
  );
  const yaml = await readFile(file, "utf8");
  print(
    `\n$ cat driftline.yaml\n${yaml
      .split("\n")
      .filter((line) => !line.startsWith("#"))
      .join("\n")}`,
  );
  await chapter("Compare the file with the live service. A plan only reads.");
  await driftline(["plan"], 0);
}

async function putRight(): Promise<void> {
  await chapter("Apply the plan. The connection fails right after the service has created the domain.");
  emulator.faults.add({ method: "POST", path: "/domains", times: 1, fault: { type: "process-then-drop" } });
  // For so long a request without an answer may take effect, in seconds. A real service is given a minute.
  await driftline(["apply", "--yes", "--settle-after", "3"], 0);
  const domains = emulator.find("domain", ({ domain }) => domain === "acme.com");
  say(
    `The response was lost, but the domain was not created twice: the service has ${String(domains.length)} domain acme.com.`,
  );
  if (domains.length !== 1) throw new Error("a create was repeated");
  await chapter("Plan again: there are no changes.");
  await driftline(["plan", "--detailed-exitcode"], 0);
}

async function edited(): Promise<void> {
  await chapter(
    "Someone edits the insight and the organization in the web interface. drift detects this and exits with code 2.",
  );
  for (const { id } of emulator.find("insight"))
    emulator.edit("insight", Number(id), { description: "Do not trust this one", tags: ["old"] });
  for (const { id } of emulator.find("organization")) emulator.edit("organization", String(id), { enforce_2fa: false });
  await driftline(["drift"], 2);
  await chapter("Apply the file again.");
  await driftline(["apply", "--yes"], 0);
  await driftline(["drift"], 0);
}

async function mistyped(): Promise<void> {
  await chapter(
    "The name of the organization has a typo. driftline exits with code 13 instead of creating a new organization.",
  );
  const yaml = await readFile(file, "utf8");
  await writeFile(join(folder, "mistyped.yaml"), yaml.replace("Acme Inc", "Acme Icn"));
  await driftline(["plan", "mistyped.yaml"], 13);
  await rm(join(folder, "mistyped.yaml"));
}

async function recounted(): Promise<void> {
  await chapter("Count people instead of events, and see what that does to the number before it is applied.");
  const yaml = await readFile(file, "utf8");
  await writeFile(file, yaml.replace("event: signed_up }", "event: signed_up, math: dau }"));
  // It outlives the demo, so that a reader can open it.
  const report = join(tmpdir(), "driftline-demo.html");
  await driftline(["plan", "--effect", "--format", `html=${report}`], 0);
  say(`Open ${report} in a browser: its chart has the numbers before and after.`);
}

/** Starts the next part, on a terminal after a pause. */
async function chapter(text: string): Promise<void> {
  if (terminal) await setTimeout(2_500);
  print(`\n${"─".repeat(100)}\n`);
  say(text);
  if (terminal) await setTimeout(1_000);
}

function say(text: string): void {
  print(terminal ? `\u001B[1;36m${text}\u001B[0m\n` : `${text}\n`);
}

function print(text: string): void {
  process.stdout.write(text);
}

/** Runs a command as a user would, and ends the demo if the exit code is not the expected one. */
async function driftline(args: readonly string[], expected: number): Promise<void> {
  const command = `driftline ${args.join(" ")}`;
  print(`\n$ ${command}\n`);
  const child = spawn(process.execPath, [join(root, "dist/bin/driftline.cjs"), ...args], {
    cwd: folder,
    env,
    stdio: "inherit",
  });
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  if (code !== expected) throw new Error(`${command} exited with ${String(code)}, not with ${String(expected)}`);
}
