/**
 * The real engine for tests: the `pulumi` on PATH if it is new enough, else one that is built with Go.
 *
 * Premise: a machine that runs these tests may have neither network nor `pulumi`, but the module proxy and Go.
 * Algorithm: build each program once and keep it outside of node_modules, by version. Two builds at once wait for each
 * other.
 */
import { chmod, copyFile, mkdir, rename } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, versionOf } from "./build.ts";
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
      for (const part of unbuilt) await build(part, cache, say);
      await addLauncher(cache);
    });
  } catch (error) {
    return {
      missing: `the engine could not be built: ${error instanceof Error ? error.message : String(error)}; ${INSTALL}`,
    };
  }
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

function isOnPath(name: string): boolean {
  return (process.env["PATH"] ?? "").split(":").some((folder) => existsSync(join(folder, name)));
}

function compareVersions(left: string, right: string): number {
  return left.localeCompare(right, "en", { numeric: true });
}

// `npx jiti test/pulumi/engine/engine.ts` builds it without running a test.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const engine = await provideEngine((line) => console.error(line));
  if ("missing" in engine) {
    console.error(engine.missing);
    process.exitCode = 1;
  } else console.log(engine.bin);
}
