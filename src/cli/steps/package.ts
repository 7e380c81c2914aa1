import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { PackageSource } from "../../export/pulumi/project.ts";

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
  readonly version: string;
  /** Set by the release workflow: a registry has this version. */
  readonly released?: boolean;
}

/**
 * Where this package came from, so that a program in another folder can depend on the same.
 *
 * npm records it in the `node_modules` of a project, but not of a global installation. Without a record, a release comes from
 * the registry. Anything else, such as a clone, is installed from the folder that it is in.
 *
 * @param program the folder of the program, absolute
 */
export function packageSource(program: string, folder = packageFolder()): PackageSource {
  const { version, released = false } = manifestOf(folder);
  const fromRegistry = { spec: `^${version}`, isFolder: false };
  const fromPath = (path: string): PackageSource => ({
    spec: `file:${relative(program, path).replaceAll(sep, "/")}`,
    isFolder: statSync(path).isDirectory(),
  });
  const installed = installedPackage(folder);
  if (installed === undefined) return released ? fromRegistry : fromPath(folder);
  const { resolved = "" } = installed;
  if (resolved.startsWith("file:")) {
    // Relative to the project, whose node_modules this is.
    const path = resolve(folder, "../..", resolved.slice("file:".length));
    return fromPath(existsSync(path) ? path : folder);
  }
  // Registries serve packages below `/-/`. npm may be configured not to record their addresses.
  return resolved === "" || resolved.includes("/-/") ? fromRegistry : { spec: resolved, isFolder: false };
}

/** npm's record of a package in `node_modules`. */
function installedPackage(folder: string): { readonly resolved?: string } | undefined {
  const record = join(folder, "../.package-lock.json");
  if (basename(dirname(folder)) !== "node_modules" || !existsSync(record)) return undefined;
  const { packages } = readJson(record) as {
    readonly packages: Readonly<Record<string, { readonly resolved?: string }>>;
  };
  return packages[`node_modules/${basename(folder)}`];
}

function manifestOf(folder: string): Manifest {
  return readJson(join(folder, "package.json")) as Manifest;
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}
