import { randomUUID } from "node:crypto";
import { chmod, lstat, readdir, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** The mode of a new file that people read and share: what their own umask leaves of it. */
export const SHARED_MODE = 0o666;

/**
 * Replaces the text of a file, or creates the file. After a crash, or on a full disk, the file holds the old text or the new one,
 * never a part. A link is followed. What is no file, such as a pipe, is written to as it is.
 *
 * @param mode mode of a new file; an existing file keeps its own
 * @param check is called when only the rename is left to be done. If it throws, the old file stays
 * @throws if the folder or the file cannot be written; the old file is then unchanged
 */
export async function writeAtomically(
  path: string,
  text: string,
  mode = 0o600,
  check: () => void = () => undefined,
): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const existing = await stat(target).catch(() => undefined);
  if (existing?.isFile() === false) return writeFile(target, text);
  const next = `${target}.${randomUUID()}.new`;
  try {
    await writeFile(next, text, { flag: "wx", flush: true, mode });
    if (existing !== undefined) await chmod(next, existing.mode);
    check();
    await rename(next, target);
  } catch (error) {
    await rm(next).catch(() => undefined);
    throw error;
  }
}

/** A write takes milliseconds. What is older belongs to a process that was killed. Milliseconds. */
const LEFTOVER_AGE = 10 * 60_000;
const LEFTOVER = /^(?:\.lock)?\.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.new$/u;

/**
 * Removes what killed processes left beside a file that {@link writeAtomically} has just written, and beside its lock. The age is
 * measured against that file, so by the clock of the file system. A process that was suspended for so long fails at its rename,
 * and the file stays whole. Never rejects.
 */
export async function removeLeftovers(path: string): Promise<void> {
  const [folder, base] = [dirname(path), basename(path)];
  try {
    const { mtimeMs: now } = await stat(path);
    for (const name of await readdir(folder)) {
      if (!name.startsWith(base) || !LEFTOVER.test(name.slice(base.length))) continue;
      const found = await lstat(join(folder, name));
      if (found.isFile() && found.mtimeMs < now - LEFTOVER_AGE) await rm(join(folder, name));
    }
  } catch {
    // A leftover does no harm: no run reads it, and the next write tries again.
  }
}
