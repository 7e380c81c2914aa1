/**
 * Python for tests: Pulumi's language host for it, the generator of its SDKs, and a virtual environment with Pulumi's own SDK.
 *
 * Premise: the host that is tagged as a Go module generates nothing, so the generator is a small program on the engine's library.
 * Algorithm: as for the engine, build once and keep it outside of node_modules, by version. The SDK comes from PyPI.
 */
import { createHash } from "node:crypto";
import { execFile } from "node:child_process";
import { chmod, copyFile, mkdir, rename, rm } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { cacheFolder } from "./cache.ts";
import { build } from "./build.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { PYTHON_PARTS, VERSION } from "./parts.ts";

/** The folders with the programs, the generator among them, or why there are none. */
export type Python = { readonly paths: readonly string[] } | { readonly missing: string };

/** A script beside the host, which starts the program of a user. */
const LAUNCHER = "pulumi-language-python-exec";
/** What a generated SDK needs, and what installs it. */
const PACKAGES = [`pulumi==${VERSION}`, "parver", "setuptools", "wheel"];
const run = promisify(execFile);

/** Finds Python or installs what it needs, which takes a minute on a fresh machine, once. `say` reports every step. */
export async function providePython(say: (line: string) => void): Promise<Python> {
  const cache = join(cacheFolder(), `python-v${VERSION}`);
  const key = createHash("sha256").update(PACKAGES.join(" ")).digest("hex").slice(0, 12);
  const environment = join(cache, `environment-${key}`);
  try {
    await mkdir(cache, { recursive: true });
    await oneAtATime(join(cache, "lock"), "installs Python's part", say, async () => {
      for (const part of PYTHON_PARTS) await build(part, cache, say);
      if (!existsSync(join(cache, LAUNCHER))) await copyLauncher(cache);
      if (!existsSync(environment)) await install(environment, say);
    });
  } catch (error) {
    return { missing: `Pulumi's Python could not be provided: ${String(error).split("\n")[0] ?? ""}` };
  }
  return { paths: [cache, join(environment, "bin")] };
}

async function copyLauncher(cache: string): Promise<void> {
  const [{ folder } = { folder: "." }] = PYTHON_PARTS;
  const { stdout } = await run("go", ["list", "-m", "-f", "{{.Dir}}", "github.com/pulumi/pulumi/sdk/v3"], {
    cwd: folder,
  });
  const fresh = join(cache, `.${LAUNCHER}`);
  await copyFile(join(stdout.trim(), "python/cmd", LAUNCHER), fresh);
  await chmod(fresh, 0o755);
  await rename(fresh, join(cache, LAUNCHER));
}

/** A virtual environment cannot be moved, so it is removed if it is not complete. */
async function install(environment: string, say: (line: string) => void): Promise<void> {
  say("installing Pulumi's SDK for Python, once");
  try {
    await run("python3", ["-m", "venv", environment]);
    await run(join(environment, "bin/pip"), ["install", "--quiet", ...PACKAGES]);
  } catch (error) {
    await rm(environment, { recursive: true, force: true });
    throw error;
  }
}
