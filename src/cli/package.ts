import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of this package, wherever it is installed. It holds package.json, the examples and the documentation. */
export function packageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  // The number of folders above this module differs between the sources and a build.
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
  return folder;
}

/** The names of the examples that `init` copies: the folders of `examples`. */
export function exampleNames(): readonly string[] {
  const folder = join(packageFolder(), "examples");
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).toSorted();
}
