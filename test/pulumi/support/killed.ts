import { readFileSync } from "node:fs";
import { copyFile, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * The file backend does not write in one step: if it was killed during a write the file is torn, and its backup counts.
 */
export async function mendCheckpoint(folder: string): Promise<void> {
  const path = join(folder, "backend/.pulumi/stacks/acme/dev.json");
  const text = await readFile(path, "utf8").catch(() => "");
  if (!text.trimEnd().endsWith("}")) await copyFile(`${path}.bak`, path);
}

/** The processes that a process has started, and their own. Works on Linux only; elsewhere the list is empty. */
export async function descendants(pid: number): Promise<readonly number[]> {
  const threads = await readdir(`/proc/${String(pid)}/task`).catch(() => []);
  const texts = await Promise.all(
    threads.map((thread) => readFile(`/proc/${String(pid)}/task/${thread}/children`, "utf8").catch(() => "")),
  );
  const children = texts.join(" ").split(/\s+/).filter(Boolean).map(Number);
  return [...children, ...(await Promise.all(children.map(descendants))).flat()];
}

export function endIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process has ended by itself.
  }
}

/** Reports whether a process is a packaged provider, and neither ended nor a zombie. */
export function isProvider(pid: number): boolean {
  try {
    return readFileSync(`/proc/${String(pid)}/cmdline`, "utf8").includes("pulumi-resource-driftline");
  } catch {
    return false;
  }
}
