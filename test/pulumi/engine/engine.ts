/**
 * The real engine for tests: the `pulumi` on PATH if it is new enough, else one that is built with Go.
 *
 * Premise: a machine that runs these tests may have neither network nor `pulumi`, but the module proxy and Go.
 * Algorithm: build each program once and keep it outside of node_modules, by version. Two builds at once wait for each
 * other.
 */
import { execFileSync, spawn } from "node:child_process";
import { chmod, copyFile, mkdir, rename } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheFolder } from "./cache.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { OLDEST, PARTS, VERSION, type Part } from "./parts.ts";

/** A folder with all parts of the engine, or why there is none. */
export type Engine = { readonly bin: string } | { readonly missing: string };

const LAUNCHER = "pulumi-resource-pulumi-nodejs";
const INSTALL = `install pulumi ${OLDEST} or newer, or Go 1.26 or newer so that it can be built`;
const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** The folder for the parts of the engine, the parts to be built, and the version of an installed engine. */
interface Search {
  readonly cache: string;
  readonly unbuilt: readonly Part[];
  readonly installed: string | undefined;
}

/** Finds the engine or builds it, which takes minutes on a fresh machine, once. `say` reports every step. */
export async function provideEngine(say: (line: string) => void): Promise<Engine> {
  const { cache, unbuilt, installed } = search();
  if (unbuilt.length > 0 && versionOf("go", ["version"]) === undefined)
    return { missing: `${lacking(installed)}, and no Go: ${INSTALL}` };
  await mkdir(cache, { recursive: true });
  try {
    await oneAtATime(join(cache, "lock"), "builds the engine", say, async () => {
      for (const part of unbuilt) await buildPart(part, cache, say);
      await addLauncher(cache);
    });
  } catch (error) {
    return {
      missing: `the engine could not be built: ${error instanceof Error ? error.message : String(error)}; ${INSTALL}`,
    };
  }
  return { bin: cache };
}

/** Finds the engine without building anything. */
export async function findEngine(): Promise<Engine> {
  const { cache, unbuilt, installed } = search();
  if (unbuilt.length > 0)
    return { missing: `${lacking(installed)}, and none is built: \`npm run test:deep\` builds it` };
  await mkdir(cache, { recursive: true });
  await addLauncher(cache);
  return { bin: cache };
}

function search(): Search {
  const cache = join(cacheFolder(), `v${VERSION}`);
  const installed = versionOf("pulumi", ["version"]);
  const isNewEnough = installed !== undefined && compareVersions(installed, OLDEST) >= 0;
  const isWhole = isNewEnough && ["pulumi-language-nodejs", "pulumi-language-yaml"].every(isOnPath);
  return { cache, installed, unbuilt: isWhole ? [] : PARTS.filter(({ name }) => !existsSync(join(cache, name))) };
}

function lacking(installed: string | undefined): string {
  return installed === undefined ? "there is no pulumi" : `pulumi ${installed} is too old or lacks its parts`;
}

/** Copies the launcher of our own SDK beside the engine. In one step, because another run may start it right now. */
async function addLauncher(cache: string): Promise<void> {
  const fresh = join(cache, `.${LAUNCHER}.${String(process.pid)}`);
  await copyFile(join(ROOT, "node_modules/@pulumi/pulumi", LAUNCHER), fresh);
  await chmod(fresh, 0o755);
  await rename(fresh, join(cache, LAUNCHER));
}

/** Builds one program into a folder, unless it is there. */
export async function buildPart(
  { name, package: path, folder, flags }: Part,
  cache: string,
  say: (line: string) => void,
): Promise<void> {
  if (existsSync(join(cache, name))) return;
  say(`building ${name} (version ${VERSION} of the engine; minutes on a fresh machine, once)`);
  const started = performance.now();
  const target = join(cache, `.${name}.new`);
  const args = ["-n", "10", "go", "build", "-trimpath", ...flags, "-o", target, path];
  await run("nice", args, folder, () => say(`still building ${name}: ${seconds(started)} s`));
  // In one step, so that the file is always complete.
  await rename(target, join(cache, name));
  say(`built ${name} in ${seconds(started)} s`);
}

function run(command: string, args: readonly string[], cwd: string, tick: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, CGO_ENABLED: "0" },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let problem = "";
    child.stderr.on("data", (data: Buffer) => void (problem = (problem + data.toString()).slice(-2_000)));
    const timer = setInterval(tick, 20_000);
    child.on("error", reject);
    child.on("close", (code) => {
      clearInterval(timer);
      if (code === 0) resolve();
      else reject(new Error(`${command} ${args.join(" ")} ended with ${String(code)}\n${problem}`));
    });
  });
}

function versionOf(command: string, args: readonly string[]): string | undefined {
  try {
    return /\d+\.\d+(\.\d+)?/.exec(
      execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }),
    )?.[0];
  } catch {
    return undefined;
  }
}

function isOnPath(name: string): boolean {
  return (process.env["PATH"] ?? "").split(":").some((folder) => existsSync(join(folder, name)));
}

function compareVersions(left: string, right: string): number {
  return left.localeCompare(right, "en", { numeric: true });
}

function seconds(started: number): string {
  return String(Math.round((performance.now() - started) / 1_000));
}

// `npx jiti test/pulumi/engine/engine.ts` builds it without running a test.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const engine = await provideEngine((line) => console.error(line));
  if ("missing" in engine) {
    console.error(engine.missing);
    process.exitCode = 1;
  } else console.log(engine.bin);
}
