/**
 * The oldest and the newest Pulumi SDK of the peer range, besides the one that is a dependency.
 *
 * Premise: SDKs from 3.249 on need Node 22, so they cannot be dependencies of a package that runs on Node 20. A package
 * that contains a Node would put it on the PATH of every script.
 * Algorithm: each SDK has its own lock file. npm installs it from there into the cache, once for each content of the
 * file.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, mkdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { cacheFolder } from "../engine/cache.ts";
import { oneAtATime } from "../engine/one-at-a-time.ts";

/** An SDK and the Node that runs it. */
export interface Toolchain {
  readonly name: string;
  /** The folder of its packages. */
  readonly modules: string;
  /** The Node that runs it. */
  readonly node: string;
  /** A script that Node loads first. */
  readonly preload?: string;
}

/** What a process of the SDK has in its environment. */
export function envOfSdk({ preload }: Toolchain): Readonly<Record<string, string>> {
  return preload === undefined ? {} : { NODE_OPTIONS: `--require "${preload}"` };
}

export type Found = Toolchain | { readonly name: string; readonly missing: string };

const NAMES = ["oldest", "newest"] as const;
/** The major version of Node that the newest SDK needs. */
const WANTED = 22;
const run = promisify(execFile);

/** Installs the missing SDKs, which takes half a minute on a fresh machine, once. */
export async function provideSdks(say: (line: string) => void): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const name of NAMES) {
    try {
      found.push(toolchain(name, join(await install(name, say), "node_modules")));
    } catch (error) {
      found.push({ name, missing: `npm could not install the ${name} SDK: ${String(error).split("\n")[0] ?? ""}` });
    }
  }
  return found;
}

async function install(name: string, say: (line: string) => void): Promise<string> {
  const from = fileURLToPath(new URL(`${name}/`, import.meta.url));
  const lock = await readFile(join(from, "package-lock.json"));
  const machine = `${process.platform}-${process.arch}`;
  const key = createHash("sha256").update(lock).update(machine).digest("hex").slice(0, 12);
  const target = join(cacheFolder(), `sdk-${name}-${key}`);
  await mkdir(cacheFolder(), { recursive: true });
  await oneAtATime(`${target}.lock`, `installs the ${name} SDK`, say, async () => {
    if (existsSync(target)) return;
    say(`installing the ${name} SDK of the peer range, once`);
    const fresh = `${target}.new`;
    await rm(fresh, { recursive: true, force: true });
    await mkdir(fresh);
    for (const file of ["package.json", "package-lock.json"]) await copyFile(join(from, file), join(fresh, file));
    const quiet = ["--ignore-scripts", "--omit=peer", "--no-audit", "--no-fund", "--loglevel=error"];
    await run("npm", ["ci", "--prefix", fresh, ...quiet], { cwd: fresh });
    // In one step, so that the folder is always complete.
    await rename(fresh, target);
  });
  return target;
}

function toolchain(name: string, modules: string): Found {
  if (name !== "newest" || Number(process.versions.node.split(".")[0]) >= WANTED)
    return { name, modules, node: process.execPath };
  const node = join(modules, `node-${process.platform}-${process.arch}/bin/node`);
  if (existsSync(node)) return { name, modules, node };
  return { name, missing: `the newest SDK needs Node ${String(WANTED)}, which npm does not carry for this machine` };
}
