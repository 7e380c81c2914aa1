import { execFile } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { mkdir, rm, stat, utimes } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** The folder of the package, where it finds itself by its own name. */
export const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

const STAMP = `${ROOT}dist/index.js`;
const LOCK = `${ROOT}node_modules/.driftline-build`;

/** Builds the package where it is older than its source: what Pulumi starts is the package, not the source. */
export async function builtPackage(): Promise<void> {
  await mkdir(LOCK).catch(async () => {
    // Another test file is building: once it is done, there is nothing left to do.
    for (let waited = 0; waited < 240 && (await exists(LOCK)); waited += 1) await wait(250);
  });
  try {
    if (newest(`${ROOT}src`) <= (await mtime(STAMP))) return;
    await promisify(execFile)(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], {
      cwd: ROOT,
    });
    const now = new Date();
    await utimes(STAMP, now, now);
  } finally {
    await rm(LOCK, { recursive: true, force: true });
  }
}

function newest(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Math.max(...files.map((file) => statSync(`${file.parentPath}/${file.name}`).mtimeMs));
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

async function mtime(path: string): Promise<number> {
  return (await stat(path).catch(() => ({ mtimeMs: 0 }))).mtimeMs;
}
