import { existsSync, readdirSync, readFileSync } from "node:fs";
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

/**
 * Where an editor finds the schema of a configuration: in the package that is installed in its folder or above it, else where
 * the release has it. Undefined if this package is no release: the address of a file would lead nowhere. A file is shared, so it never
 * names folders of this machine.
 *
 * @param folder the folder of the configuration, absolute
 * @param own the folder of this package
 */
export function schemaFor(folder: string, own = packageFolder()): string | undefined {
  for (let up = ".", above = folder; ; up += "/..", above = dirname(above)) {
    const installed = `node_modules/driftline/${SCHEMA}`;
    if (existsSync(join(above, installed))) return `${up}/${installed}`.replace(/^\.\/(?=\.\.)/u, "");
    if (above === dirname(above)) break;
  }
  return manifestOf(own).released === true ? (readJson(join(own, SCHEMA)) as { readonly $id: string }).$id : undefined;
}

/** The schema of configurations, by its path in the package. */
const SCHEMA = "schemas/config.schema.json";

/** What package.json says of this package. */
interface Manifest {
  /** Set by the release workflow: a registry has this version. */
  readonly released?: boolean;
}

function manifestOf(folder: string): Manifest {
  return readJson(join(folder, "package.json")) as Manifest;
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}
