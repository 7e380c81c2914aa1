import {
  closeSync,
  type Dirent,
  existsSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { collections } from "../../model/kind-name.ts";
import { suggest } from "../../model/text/suggest.ts";
import type { ProblemDetail, Problems } from "../problems.ts";
import { wholeFile } from "../tree/tree.ts";

/** A file that may hold configuration. */
export interface FoundFile {
  readonly path: string;
  /** The path that diagnostics show: relative to the working directory, with forward slashes. */
  readonly file: string;
  /** True if the command line names the file itself, which must then be a configuration. */
  readonly named: boolean;
}

export interface FileSearchResult {
  readonly files: readonly FoundFile[];
  /** Real paths of the configuration folders. `${file:...}` reads nothing outside of them. */
  readonly roots: readonly string[];
  /** The given paths that are folders, for the error that they contain no configuration. */
  readonly folders: readonly string[];
  /** True if a path could not be read. */
  readonly broken: boolean;
}

interface Search {
  readonly cwd: string;
  readonly problems: Problems;
  readonly roots: ReadonlySet<string>;
  /** By real path, so that a file reached twice is read once. */
  readonly files: Map<string, FoundFile>;
  readonly visited: Set<string>;
  broken: boolean;
}

/** Lists the files at the given paths. Folders are searched recursively, in the order of names. */
export function findFiles(paths: readonly string[], cwd: string, problems: Problems): FileSearchResult {
  const roots = new Set<string>();
  const search: Search = { cwd, problems, roots, files: new Map(), visited: new Set(), broken: false };
  const folders: string[] = [];
  // Files come first: a named file must be a configuration, even if its folder is given as well.
  for (const path of paths.map((given) => resolve(cwd, given))) {
    const stats = readStats(path, (error) => reportUnreadable(path, error, search));
    if (stats === undefined || leadsOut(path, search)) continue;
    roots.add(realpathSync(stats.isDirectory() ? path : dirname(path)));
    if (stats.isDirectory()) folders.push(path);
    else addFile({ path, named: true }, search);
  }
  for (const folder of folders) searchFolder(folder, search);
  return { files: [...search.files.values()], roots: [...roots], folders, broken: search.broken };
}

/** The path relative to the working directory, with forward slashes. */
export function displayPath(path: string, cwd: string): string {
  const displayed = relative(cwd, path).split(sep).join("/");
  return displayed === "" ? "." : displayed;
}

/** Whether the file is a program, which is run rather than parsed. */
export function isProgram(path: string): boolean {
  return /\.[cm]?[jt]s$/.test(path);
}

/** Whether the search in a folder leaves out files and folders of this name. */
export function isSkipped(name: string): boolean {
  return name.startsWith(".") || name === "node_modules";
}

/** Where a real path is, seen from the folders of a configuration. In the name of a folder like `..data` Kubernetes keeps what it mounts. */
export function placeIn(roots: Iterable<string>, real: string): "inside" | "hidden" | "outside" {
  const parts = [...roots].map((root) => relative(root, real).split(sep));
  const inside = parts.filter(([first = ""]) => first !== ".." && !isAbsolute(first));
  if (inside.length === 0) return "outside";
  return inside.some((names) => !names.some((name) => /^\.(?!\.[^.])/u.test(name))) ? "inside" : "hidden";
}

/** Whether a path that the command line names is a link out of its own folder, or out of the working directory. Reports it. */
export function leadsOut(path: string, { cwd, problems }: Pick<Search, "cwd" | "problems">): boolean {
  const real = realpathSync(path);
  const isFile = statSync(path).isFile();
  const isInCwd = placeIn([cwd], path) !== "outside";
  const folders = [...(isInCwd ? [cwd] : []), ...(isFile ? [dirname(path)] : [])];
  if (folders.every((folder) => placeIn([realpathSync(folder)], real) !== "outside")) return false;
  problems.error(wholeFile({ file: displayPath(path, cwd), path }), LINK_OUTSIDE);
  return true;
}

/** Whether what is written to a path in the working directory would lie elsewhere, because of a link. */
export function isWrittenOutside(path: string, cwd: string): boolean {
  return placeIn([cwd], path) !== "outside" && placeIn([realpathSync(cwd)], destinationOf(path)) === "outside";
}

/** The system follows as many links, and then gives up. */
const MAX_LINKS = 40;

/** Where a path leads, also if nothing is there yet. */
function destinationOf(path: string, links = 0): string {
  if (existsSync(path)) return realpathSync(path);
  const folder = dirname(path);
  if (folder === path) return path;
  const target = linkTarget(path);
  if (target !== undefined && links < MAX_LINKS) return destinationOf(resolve(folder, target), links + 1);
  return join(destinationOf(folder, links), basename(path));
}

/** What a link names; undefined if there is no link, or if its folder is no folder. */
function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** A pull request can bring a link to any file of the machine. */
const LINK_OUTSIDE: ProblemDetail = {
  code: "file_outside",
  message: "it is a link that leads out of the configuration folder",
  hint: "Give the path that it leads to, or move that into the configuration folder.",
};

function searchFolder(folder: string, search: Search): void {
  const real = realpathSync(folder);
  if (search.visited.has(real)) return;
  search.visited.add(real);
  for (const entry of readEntries(folder, search)) {
    const path = join(folder, entry.name);
    if (isSkipped(entry.name)) continue;
    const isCandidate = /\.ya?ml$|\.driftline\.m?ts$/.test(entry.name);
    if (!entry.isDirectory() && !entry.isSymbolicLink() && !isCandidate) continue;
    // A link may lead to a file or a folder. A broken link is only reported if its name may be that of a configuration, or of a folder.
    const mayMatter = isCandidate || !entry.name.includes(".");
    const stats = entry.isSymbolicLink()
      ? readStats(path, (error) => mayMatter && reportUnreadable(path, error, search))
      : entry;
    if (stats === undefined) continue;
    const place = entry.isSymbolicLink() ? placeIn(search.roots, realpathSync(path)) : "inside";
    if (place === "outside" && (isCandidate || stats.isDirectory())) {
      search.broken = true;
      search.problems.error(wholeFile({ file: displayPath(path, search.cwd), path }), LINK_OUTSIDE);
    }
    if (place !== "inside") continue;
    if (stats.isDirectory()) searchFolder(path, search);
    else if (isCandidate && stats.isFile()) addFile({ path, named: false }, search);
  }
}

function readEntries(folder: string, search: Search): readonly Dirent[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.toSorted((left, right) => (left.name < right.name ? -1 : 1));
  } catch (error) {
    reportUnreadable(folder, error, search);
    return [];
  }
}

/** The stats of the file that a path leads to; undefined if they cannot be read: its links may lead to nothing, or in a circle. */
export function readStats(path: string, onError: (error: unknown) => void = () => undefined): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    onError(error);
    return undefined;
  }
}

function addFile(found: Omit<FoundFile, "file">, search: Search): void {
  const real = realpathSync(found.path);
  if (!search.files.has(real)) search.files.set(real, { ...found, file: displayPath(found.path, search.cwd) });
}

function reportUnreadable(path: string, error: unknown, search: Search): void {
  search.broken = true;
  const file = displayPath(path, search.cwd);
  const detail = unreadable(file, error);
  const near = detail.code === "file_not_found" ? similarPath(path) : undefined;
  const hint = near === undefined ? detail.hint : `Did you mean ${displayPath(near, search.cwd)}?`;
  search.problems.error(wholeFile({ file, path }), near === path ? BROKEN_LINK : { ...detail, hint });
}

const BROKEN_LINK: ProblemDetail = {
  code: "file_not_found",
  message: "it is a link, and what it leads to is not there",
  hint: "Put that there, or remove the link.",
};

/** What is in a folder; nothing if it cannot be read. */
export function entriesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** A path in the same folder with a similar name; the path itself if it is a link to nothing. */
function similarPath(path: string): string | undefined {
  const names = entriesIn(dirname(path)).map((entry) => entry.name);
  const near = suggest(basename(path), names);
  return near && join(dirname(path), near);
}

/** How far above a folder without a configuration one is looked for. */
const MAX_LEVELS = 5;

/** A configuration that was probably meant by a folder without one: in a folder above it, or in a form that has to be named. */
export function configurationNear(folder: string): string | undefined {
  const here = ["driftline.ts", "driftline.json"].map((name) => join(folder, name));
  const parents: string[] = [];
  for (let above = dirname(folder); parents.length < MAX_LEVELS && !parents.includes(above); above = dirname(above))
    parents.push(above);
  const above = parents.flatMap((parent) =>
    ["driftline.yaml", "driftline.yml", "driftline.ts"].map((name) => join(parent, name)),
  );
  return [...here, ...above].find((path) => existsSync(path));
}

/** Whether a path that does not exist has the parts of an address, such as `acme/projects/web`. */
function looksLikeAddress(path: string): boolean {
  const [, part = ""] = path.split("/");
  return part === "projects" || Object.values(collections).includes(part);
}

/** Why a file or folder cannot be read. */
export function unreadable(file: string, error: unknown): ProblemDetail {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOENT" && file === "-")
    return { code: "file_not_found", message: "standard input is not read", hint: "Give the path of a file." };
  if (code === "ENOENT") {
    const hint = looksLikeAddress(file) ? "Check the path. An address is given with --only." : "Check the path.";
    return { code: "file_not_found", message: "no such file or folder", hint };
  }
  const reason =
    code === "EACCES" || code === "EPERM" ? "permission denied" : code === "EISDIR" ? "it is a folder" : code;
  return { code: "file_unreadable", message: `the path cannot be read: ${reason}`, hint: "Check its permissions." };
}

/**
 * Reads a file; returns undefined if it exceeds the limit. The size is not checked first, because pipes report none.
 */
export function readAtMost(path: string, limit: number): Uint8Array | undefined {
  const descriptor = openSync(path, "r");
  try {
    const chunks: Uint8Array[] = [];
    for (let size = 0; size <= limit;) {
      const chunk = Buffer.allocUnsafe(Math.min(limit, 64 * 1024));
      const count = readSync(descriptor, chunk, 0, chunk.length, null);
      if (count === 0) return Buffer.concat(chunks, size);
      chunks.push(chunk.subarray(0, count));
      size += count;
    }
    return undefined;
  } finally {
    closeSync(descriptor);
  }
}
