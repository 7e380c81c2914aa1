import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The names of the files of a folder that are configuration: programs, and YAML with a key `driftline`. Not those in folders below. */
export function configurationsIn(folder: string): readonly string[] {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return files
    .map(({ name }) => name)
    .filter(
      (name) =>
        /\.driftline\.m?ts$/u.test(name) ||
        (/\.ya?ml$/u.test(name) && /^driftline:/mu.test(readFileSync(join(folder, name), "utf8"))),
    );
}
