import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Makes a folder, and those around it that are missing. Node's own recursive mkdir never returns if the system says of a folder
 * that it is missing and refuses to make it, as below /proc.
 *
 * @param mode mode of the new folders
 * @throws the error of the system
 */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  const error = await makeOne(path, mode);
  if (error === undefined) return;
  const parent = dirname(path);
  if (error.code !== "ENOENT" || parent === path) throw error;
  await makeFolder(parent, mode);
  const again = await makeOne(path, mode);
  if (again !== undefined) throw again;
}

/** Returns the error if the folder does not exist afterwards. */
async function makeOne(path: string, mode: number): Promise<NodeJS.ErrnoException | undefined> {
  try {
    await mkdir(path, { mode });
    return undefined;
  } catch (error) {
    const found = await stat(path).catch(() => undefined);
    return found?.isDirectory() === true ? undefined : (error as NodeJS.ErrnoException);
  }
}
