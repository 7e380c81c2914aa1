import { randomUUID } from "node:crypto";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";

/**
 * Runs work that two processes must not do at once. The second one waits, and says so. The lock of a process that has
 * ended does not count.
 *
 * @param path file that exists while the work runs
 * @param what describes the work to a process that waits, such as "builds the engine"
 */
export async function oneAtATime(
  path: string,
  what: string,
  say: (line: string) => void,
  work: () => Promise<void>,
): Promise<void> {
  for (let waited = 0; !(await isTaken(path)); waited += 1) {
    const owner = await ownerOf(path);
    if (owner !== undefined && !isAlive(owner)) await removeStaleLock(path);
    else if (waited % 20 === 0) say(`waiting for process ${String(owner)}, which ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  try {
    await work();
  } finally {
    await rm(path, { force: true });
  }
}

/** Takes the lock in one step, with its owner in it, so that no process sees one without an owner. */
async function isTaken(path: string): Promise<boolean> {
  const own = `${path}.${randomUUID()}`;
  await writeFile(own, String(process.pid));
  try {
    await link(own, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    await rm(own, { force: true });
  }
}

async function ownerOf(path: string): Promise<number | undefined> {
  const text = await readFile(path, "utf8").catch(() => "");
  return text === "" ? undefined : Number(text);
}

/** Removes the lock of a process that has ended. A lock that another process has taken in between is put back. */
async function removeStaleLock(path: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  await rename(path, aside).catch(() => undefined);
  const owner = await ownerOf(aside);
  if (owner !== undefined && isAlive(owner)) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
