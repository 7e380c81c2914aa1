import { join } from "node:path";
import { entriesIn, readStats } from "../../config/source/files.ts";
import { isConfiguration } from "../../config/source/unread-files.ts";

/** The names of the files of a folder, not of those below it, that are configuration. None if the folder cannot be read: a run says why. */
export function configurationsIn(folder: string): readonly string[] {
  return entriesIn(folder)
    .map(({ name }) => name)
    .filter((name) => readStats(join(folder, name))?.isFile() === true)
    .filter((name) => isConfiguration(join(folder, name)));
}
