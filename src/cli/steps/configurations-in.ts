import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readAtMost } from "../../config/source/files.ts";
import { MAX_BYTES } from "../../config/source/read.ts";

/**
 * The names of the files of a folder, not of those below it, that are configuration: programs, and YAML with a key `driftline`. Empty if
 * the folder or one of its files cannot be read: the command does not need them, and goes on.
 */
export function configurationsIn(folder: string): readonly string[] {
  try {
    const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
    return files.map(({ name }) => name).filter((name) => isConfiguration(join(folder, name)));
  } catch {
    return [];
  }
}

function isConfiguration(path: string): boolean {
  if (!/\.ya?ml$/u.test(path)) return /\.driftline\.m?ts$/u.test(path);
  return /^driftline:/mu.test(new TextDecoder().decode(readAtMost(path, MAX_BYTES)));
}
