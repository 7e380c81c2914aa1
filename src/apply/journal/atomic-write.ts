import { randomUUID } from "node:crypto";
import { chmod, rename, rm, stat, writeFile } from "node:fs/promises";

/**
 * Replaces the text of a file, or creates the file. After a crash the file holds the old text or the new one, never a
 * part.
 *
 * @param mode mode of a new file; an existing file keeps its own
 * @throws if the folder or the file cannot be written; the old file is then unchanged
 */
export async function writeAtomically(path: string, text: string, mode = 0o600): Promise<void> {
  const existing = await stat(path).catch(() => undefined);
  const next = `${path}.${randomUUID()}.new`;
  try {
    await writeFile(next, text, { flag: "wx", flush: true, mode });
    if (existing !== undefined) await chmod(next, existing.mode);
    await rename(next, path);
  } catch (error) {
    await rm(next, { force: true }).catch(() => undefined);
    throw error;
  }
}
