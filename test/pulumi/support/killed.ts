import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";

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
