import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

/** Licences that allow a copy in a package under Apache-2.0, as long as their text goes with it. */
const ALLOWED: ReadonlySet<string> = new Set(["MIT", "ISC", "BSD-3-Clause", "BSD-2-Clause", "Apache-2.0"]);

/**
 * The licences of the packages that these modules are from, with name and version, as one text.
 *
 * @throws Error if a package has no licence file, or a licence that does not allow it
 */
export async function thirdPartyNotices(modules: readonly string[]): Promise<string> {
  const folders = modules.flatMap((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  const notices = await Promise.all([...new Set(folders)].toSorted().map(noticeOf));
  const head = "The files in this folder, and ../pulumi/plugin/main.js, contain parts of these packages:\n";
  return [head, ...notices].join(`\n${"-".repeat(80)}\n\n`);
}

async function noticeOf(folder: string): Promise<string> {
  const { name, version, license = "" } = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as Manifest;
  if (!ALLOWED.has(license)) throw new Error(`${name} has the licence "${license}", which is not in the list`);
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e(?:\.\w+)?$/i.test(entry));
  if (file === undefined) throw new Error(`${name} has no file with its licence`);
  return `${name} ${version} (${license})\n\n${(await readFile(join(folder, file), "utf8")).trim()}\n`;
}
