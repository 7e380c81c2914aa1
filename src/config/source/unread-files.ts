/**
 * Finds configuration that a run does not read, because what it declares would be pruned.
 *
 * Premise: `exclusive` says that everything is declared. Given only some of the files, what the others declare looks undeclared.
 * Algorithm: in the given folders, every file counts that may be configuration. Beside them, in the folders there, and above them up
 * to the root of the git work tree, a file counts if it can mean the same organization. A program is not run for that, so it counts
 * only in a given folder or beside a given file.
 */
import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { compareNaturally } from "../../model/compare-text.ts";
import { own } from "../../model/json/json.ts";
import type { DesiredGraph } from "../../model/resource.ts";
import { declaredVariables, type Definitions, makeLookup } from "../expressions/variables.ts";
import { type Lookup, substitute } from "../expressions/substitute.ts";
import { Problems } from "../problems.ts";
import { mapMembers, type MapNode, type Member, type Node, writtenText } from "../tree/tree.ts";
import { parseYaml } from "../tree/yaml.ts";
import { displayPath, entriesIn, isSkipped, readAtMost, readStats } from "./files.ts";
import { MAX_BYTES } from "./read.ts";

/** What a run has read, and with which variables. */
interface ReadSources {
  readonly paths: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly definitions: Definitions;
  /** Those of the configuration, relative to the working directory. */
  readonly files: readonly string[];
  /** The paths of all files that were read. */
  readonly readPaths: readonly string[];
  readonly graph: DesiredGraph;
}

/** Files that were not read. All are relative to the working directory, and sorted. */
export interface UnreadFiles {
  /** Those that may declare what would be pruned. */
  readonly files: readonly string[];
  /** Programs elsewhere. Only a run of them would show what they declare. */
  readonly programs: readonly string[];
  /** Whether there are more files than are looked at. */
  readonly isCut: boolean;
}

/** The most files beside and above the given folders. */
export const MAX_SEARCHED_FILES = 10_000;

const DATA = /\.(?:ya?ml|json)$/iu;
const PROGRAM = /\.driftline\.[cm]?[jt]s$/iu;

/**
 * @param scopes the addresses of scopes that declare a kind as exclusive
 * @param url of the service
 */
export function findUnreadFiles(sources: ReadSources, scopes: readonly string[], url: string): UnreadFiles {
  const { cwd } = sources;
  const given = sources.paths.map((path) => resolve(cwd, path));
  const folders = given.filter((path) => statSync(path).isDirectory());
  const near = new Set(given.filter((path) => !folders.includes(path)).map((path) => dirname(path)));
  const unread = unreadTest(sources);
  const visited = new Set<string>();
  const inside = folders.flatMap((folder) => [...filesBelow(folder, visited, { followsLinks: true })]);
  const files = inside.filter((path) => unread(path) && (PROGRAM.test(path) || mayBeConfiguration(contentOf(path))));
  const programs: string[] = [];
  const ours = { url, organizations: ourOrganizations(sources.graph, scopes), sources };
  let seen = 0;
  for (const path of filesAround(given, visited)) {
    if (++seen > MAX_SEARCHED_FILES) break;
    const isNear = near.has(dirname(path));
    if (!unread(path)) continue;
    if (PROGRAM.test(path)) (isNear ? files : programs).push(path);
    else if (meansOurs(contentOf(path), ours, isNear && !/json$/iu.test(path))) files.push(path);
  }
  const displayed = (paths: readonly string[]): readonly string[] =>
    paths.map((path) => displayPath(path, cwd)).toSorted(compareNaturally);
  return { files: displayed(files), programs: displayed(programs), isCut: seen > MAX_SEARCHED_FILES };
}

/** A file that was read although it cannot be decoded was skipped. */
function unreadTest({ cwd, files, readPaths }: ReadSources): (path: string) => boolean {
  const real = (path: string): string => (existsSync(path) ? realpathSync(path) : path);
  const configuration = new Set(files.map((file) => real(resolve(cwd, file))));
  const read = new Set(readPaths.map(real));
  return (path) => {
    if (!PROGRAM.test(path) && !DATA.test(path)) return false;
    const name = real(path);
    return !configuration.has(name) && (!read.has(name) || contentOf(path) === "undecodable");
  };
}

/** The files beside the given paths, with the folders there, and above them up to the root of the git work tree; nearest first. */
function* filesAround(paths: readonly string[], visited: Set<string>): Iterable<string> {
  for (const path of paths) {
    const isFolder = statSync(path).isDirectory();
    const above = foldersInTree(isFolder ? path : dirname(path)).slice(isFolder ? 1 : 0);
    for (const [index, folder] of above.entries()) yield* filesBelow(folder, visited, { goesDown: index === 0 });
  }
}

/** A folder and those above it in its git work tree; without one, the folder alone. */
function foldersInTree(start: string): readonly string[] {
  const folders = [start];
  for (let folder = start; !existsSync(join(folder, ".git")); folder = dirname(folder)) {
    if (dirname(folder) === folder) return [start];
    folders.push(dirname(folder));
  }
  return folders;
}

/** The files in a folder and below it, those that are nearest first, without hidden folders and `node_modules`. */
function* filesBelow(
  start: string,
  visited: Set<string>,
  { followsLinks = false, goesDown = true }: { readonly followsLinks?: boolean; readonly goesDown?: boolean },
): Iterable<string> {
  const folders = [start];
  for (const folder of folders) {
    const real = realpathSync(folder);
    if (visited.has(real)) continue;
    visited.add(real);
    for (const entry of entriesIn(folder)) {
      const path = join(folder, entry.name);
      const stats = entry.isSymbolicLink() ? readStats(path) : entry;
      if (stats?.isFile() === true) yield path;
      const isBelow = stats?.isDirectory() === true && (followsLinks || !entry.isSymbolicLink());
      if (goesDown && isBelow && !isSkipped(entry.name)) folders.push(path);
    }
  }
}

/** The documents of a file; `broken` if it is a configuration with errors, and nothing if it is something else. */
type Content = "undecodable" | "broken" | readonly MapNode[];

/** The text of a file; "" if it is too large for a configuration. Undefined if it cannot be read, or is no text. */
export function textIn(path: string): string | undefined {
  try {
    const bytes = readAtMost(path, MAX_BYTES);
    const text = bytes === undefined ? "" : new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    // As in UTF-16 without a mark.
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

function contentOf(path: string): Content {
  const text = textIn(path);
  if (text === undefined) return "undecodable";
  if (!text.replaceAll(/^\s*#.*$/gmu, "").includes("driftline")) return [];
  const { documents, broken } = parseYaml(text, { path, file: path, named: false }, new Problems());
  return broken ? "broken" : documents;
}

/** Whether a run of its folder would read a file as configuration, if only to say what is wrong with it. */
export function isConfiguration(path: string): boolean {
  const content = DATA.test(path) ? contentOf(path) : [];
  return PROGRAM.test(path) || (content !== "undecodable" && content.length > 0);
}

function mayBeConfiguration(content: Content): boolean {
  return typeof content === "string" || content.length > 0;
}

/** The organizations that a run may prune in, and where they are. */
interface Ours {
  readonly organizations: readonly {
    readonly address: string;
    readonly id: string | undefined;
    readonly name: string | undefined;
  }[];
  readonly url: string;
  readonly sources: ReadSources;
}

function ourOrganizations({ resources }: DesiredGraph, scopes: readonly string[]): Ours["organizations"] {
  const addresses = new Set(scopes.map((scope) => scope.split("/")[0]));
  return resources
    .filter(({ scope, address }) => scope === "" && addresses.has(address))
    .map(({ address, pin, values: { name } }) => ({
      address,
      id: pin?.value,
      name: typeof name === "string" ? name : undefined,
    }));
}

/** Whether a file that is not in a given folder can mean one of the organizations. */
function meansOurs(content: Content, ours: Ours, isNear: boolean): boolean {
  if (content === "undecodable") return isNear;
  if (content === "broken") return true;
  const lookup = lookupOf(content, ours.sources);
  const urls = content.map(({ members }) => settingOf(members.get("service")?.value, "url", lookup));
  if (urls.some((url) => typeof url === "string" && !isSameUrl(url, ours.url))) return false;
  return content.some(({ members }) => {
    const section = members.get("organizations")?.value;
    const declared = section === undefined ? new Map<string, Member>() : mapMembers(section);
    return declared === undefined || [...declared].some(([key, { value }]) => isOurs(key, value, ours, lookup));
  });
}

function lookupOf(documents: readonly MapNode[], { definitions, env }: ReadSources): Lookup {
  const problems = new Problems();
  const variables = new Map([...definitions, ...declaredVariables(documents, problems)]);
  const variable = (name: string): string | undefined => own(env, name);
  const file = (): undefined => undefined;
  return makeLookup({
    definitions: variables,
    env: variable,
    secret: () => undefined,
    problems,
    file,
    incomplete: true,
    used: new Set(),
  });
}

function isOurs(key: string, organization: Node, { organizations }: Ours, lookup: Lookup): boolean {
  const id = settingOf(organization, "id", lookup);
  const name = settingOf(organization, "name", lookup);
  if (id === UNKNOWN || name === UNKNOWN || (id === undefined && name === undefined)) return true;
  return organizations.some((our) => {
    const isSame = new Set([isEqual(id?.toLowerCase(), our.id), isEqual(name, our.name)]);
    // One file may have only the id, and the other only the name. Then the keys decide.
    return isSame.has(true) || (!isSame.has(false) && key === our.address);
  });
}

/** Undefined if one of them is not known. */
function isEqual(left: string | undefined, right: string | undefined): boolean | undefined {
  return left === undefined || right === undefined ? undefined : left === right;
}

/** Stands for what only a variable of another run makes, or a secret. */
const UNKNOWN = Symbol("unknown");

function settingOf(node: Node | undefined, key: string, lookup: Lookup): string | typeof UNKNOWN | undefined {
  const members = node === undefined ? new Map<string, Member>() : mapMembers(node);
  if (members === undefined) return UNKNOWN;
  const value = members.get(key)?.value;
  const setting = value === undefined ? undefined : substitute(value, lookup);
  if (setting === undefined || (setting.type === "scalar" && setting.value === null)) return undefined;
  return writtenText(setting) ?? UNKNOWN;
}

function isSameUrl(left: string, right: string): boolean {
  const fileOf = (url: string): string => {
    const { origin, pathname } = new URL(url);
    return `${origin}${pathname}`.replace(/\/+$/u, "");
  };
  return !URL.canParse(left) || fileOf(left) === fileOf(right);
}
