/**
 * The main job, shown: an organization declared in YAML is compared with a live service (the emulator, over a real socket),
 * put right although the network breaks, edited behind its back, found drifted, and put right again. Every command is the
 * real one. On a terminal there is time to read.
 */
import { spawn } from "node:child_process";
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { loadSeed, startEmulator } from "../src/emulator/index.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const example = join(root, "examples/minimal");
const terminal = process.stdout.isTTY && (process.env["NO_COLOR"] ?? "") === "" && process.env["CI"] === undefined;

const folder = await mkdtemp(join(tmpdir(), "driftline-demo-"));
const emulator = await startEmulator({ seed: loadSeed(await readFile(join(example, "seed.json"), "utf8")) });
const env = {
  ...process.env,
  DRIFTLINE_URL: emulator.url,
  DRIFTLINE_API_KEY: emulator.key,
  DRIFTLINE_STATE_DIR: join(folder, "state"),
};

try {
  await copyFile(join(example, "driftline.yaml"), join(folder, "driftline.yaml"));
  await declared();
  await putRight();
  await edited();
  await mistyped();
  say("That is the whole story. To go on: README.md, or with a service of your own: driftline export");
} finally {
  await emulator.close();
  await rm(folder, { recursive: true, force: true });
}

async function declared(): Promise<void> {
  await chapter("An organization is declared in YAML. What is not in the file is left alone.");
  const yaml = await readFile(join(folder, "driftline.yaml"), "utf8");
  print(
    `\n$ cat driftline.yaml\n${yaml
      .split("\n")
      .filter((line) => !line.startsWith("#"))
      .join("\n")}`,
  );
  await chapter("What differs from the live service? A plan only reads.");
  await driftline(["plan"], 0);
}

async function putRight(): Promise<void> {
  await chapter("Put it right. To make it hard, the connection breaks just when the service has created the domain.");
  emulator.faults.add({ method: "POST", path: "/domains", times: 1, fault: { type: "process-then-drop" } });
  await driftline(["apply", "--yes"], 0);
  const domains = emulator.find("domain", ({ domain }) => domain === "acme.com");
  say(
    `The answer was lost, and still nothing was created twice: the service has ${String(domains.length)} domain acme.com.`,
  );
  if (domains.length !== 1) throw new Error("a create was repeated");
  await chapter("Plan again: nothing is left to do.");
  await driftline(["plan", "--detailed-exitcode"], 0);
}

async function edited(): Promise<void> {
  await chapter("Somebody edits the insight and the organization in the web interface. drift finds it: exit code 2.");
  for (const { id } of emulator.find("insight"))
    emulator.edit("insight", Number(id), { description: "Do not trust this one", tags: ["old"] });
  for (const { id } of emulator.find("organization")) emulator.edit("organization", String(id), { enforce_2fa: false });
  await driftline(["drift"], 2);
  await chapter("Put it right again.");
  await driftline(["apply", "--yes"], 0);
  await driftline(["drift"], 0);
}

async function mistyped(): Promise<void> {
  await chapter(
    "A mistake: the organization's name is mistyped. It is refused, exit code 13, rather than founding a new one.",
  );
  const yaml = await readFile(join(folder, "driftline.yaml"), "utf8");
  await writeFile(join(folder, "mistyped.yaml"), yaml.replace("Acme Inc", "Acme Icn"));
  await driftline(["plan", "mistyped.yaml"], 13);
}

/** Begins the next part, once there was time to read the last one. */
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

/** Runs a command as a user would, and ends the demo where it does not exit as it should. */
async function driftline(args: readonly string[], expected: number): Promise<void> {
  const command = `driftline ${args.join(" ")}`;
  print(`\n$ ${command}\n`);
  const child = spawn(process.execPath, [join(root, "dist/cli/main.js"), ...args], {
    cwd: folder,
    env,
    stdio: "inherit",
  });
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  if (code !== expected) throw new Error(`${command} exited with ${String(code)}, not with ${String(expected)}`);
}
