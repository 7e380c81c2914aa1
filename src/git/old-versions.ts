/**
 * What files looked like before they were changed lately.
 *
 * Algorithm: a few calls of git, however long the history is. One lists the commits of the last days that touched the files, with the ids
 * of the contents that they replaced, one lists the files of the last commit, and one reads all these contents.
 */
import { join, posix, relative, sep } from "node:path";
import type { FilesHistory, FormerFiles } from "../model/files-history.ts";
import { createGit, isInRepository, type Git } from "./git.ts";
import { reading, shortCommit } from "./history.ts";

const SINCE = "--since=30.days";
/** More commits, and more contents that they replaced, are not looked at. */
const [MAX_COMMITS, MAX_CONTENTS] = [100, 2000];
const COMMITS = [`--max-count=${String(MAX_COMMITS)}`, SINCE, "--first-parent", "-m"];
const FORMAT = ["--raw", "--no-abbrev", "--no-renames", "--no-ext-diff", "--no-color", "--format=%x01%H"];

/** The history of the configuration files at some absolute paths, around a folder. Undefined without git, a repository or a commit. */
export async function historyOf(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
  paths: readonly string[],
): Promise<FilesHistory | undefined> {
  try {
    if (!isInRepository(folder, env)) return undefined;
    const [top = "", shallow] = (
      await reading(createGit(folder, env))(["rev-parse", "--show-toplevel", "--is-shallow-repository"])
    ).split("\n");
    const git = reading(createGit(top, env));
    const specs = paths.map((path) => relative(top, path).split(sep).join("/") || ".");
    const [touched, head, isCut] = await Promise.all([
      git(["--literal-pathspecs", "log", ...COMMITS, ...FORMAT, "--", ...specs]),
      listTree(git, "HEAD", specs),
      shallow === "true" && isAllLate(git),
    ]);
    const commits = replacedIn(touched);
    const files = filesIn(head);
    const replaced = [...new Set(commits.flatMap((one) => one.ids))];
    // A folder may have more files than that, and each of them is compared.
    const texts = await contents(git, [...files.values(), ...replaced.slice(0, MAX_CONTENTS)]);
    const versionOf = (commit: string | undefined, tree: string, ids: Iterable<string>): FormerFiles => ({
      commit,
      texts: [...ids].flatMap((id) => texts.get(id) ?? []),
      files: async () => new Map((await textsAt(git, tree, specs)).map(([path, text]) => [join(top, path), text])),
    });
    return {
      isCut,
      isLong: commits.length === MAX_COMMITS || replaced.length > MAX_CONTENTS,
      versions: [
        versionOf(undefined, "HEAD", files.values()),
        ...commits.map(({ commit, ids }) => versionOf(shortCommit(commit), `${commit}^`, ids)),
      ],
    };
  } catch {
    return undefined;
  }
}

/** Whether a shallow clone has no commit that is older than these days. */
async function isAllLate(git: Git): Promise<boolean> {
  const count = ["rev-list", "--count", "--first-parent", "HEAD"];
  const [all, late] = await Promise.all([git(count), git([...count, SINCE])]);
  return all === late;
}

function listTree(git: Git, tree: string, specs: readonly string[]): Promise<string> {
  return git(["--literal-pathspecs", "ls-tree", "-r", "-z", tree, "--", ...specs]);
}

async function contents(git: Git, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const some = [...new Set(ids)];
  const input = some.map((id) => `${id}\n`).join("");
  return contentsIn(Buffer.from(await git(["cat-file", "--batch"], { input, encoding: "latin1" }), "latin1"));
}

/** The configuration of a commit, and the files that it includes, by path from the top of the repository. */
async function textsAt(
  git: Git,
  tree: string,
  specs: readonly string[],
): Promise<readonly (readonly [string, string])[]> {
  const read = async (files: ReadonlyMap<string, string>): Promise<readonly (readonly [string, string])[]> => {
    const texts = await contents(git, [...files.values()]);
    return [...files].flatMap(([path, id]) => {
      const text = texts.get(id);
      return text === undefined ? [] : [[path, text] as const];
    });
  };
  const texts = await read(filesIn(await listTree(git, tree, specs)));
  const included = texts.flatMap(([path, text]) => includedBy(path, text));
  const more = included.length === 0 ? [] : await read(filesIn(await listTree(git, tree, included), () => true));
  return [...texts, ...more];
}

/** Whether a file of a repository may hold configuration that is no program. */
function isRead(path: string): boolean {
  return /\.(?:ya?ml|json)$/iu.test(path) && !path.split("/").some((name) => name === ".." || name === "node_modules");
}

/** The commits of a log, each with the ids of the contents that it replaced. */
function replacedIn(log: string): readonly { readonly commit: string; readonly ids: readonly string[] }[] {
  return log.split("\u0001").flatMap((part) => {
    const [commit = "", ...lines] = part.split("\n");
    const ids = lines.flatMap((line) => {
      const [, id = "", path = ""] = /^:100\d{3} \d+ ([0-9a-f]+) [0-9a-f]+ [A-Z]\t(.*)$/u.exec(line) ?? [];
      return isRead(path) ? [id] : [];
    });
    return ids.length === 0 ? [] : [{ commit, ids }];
  });
}

/** The ordinary files in a listing of a commit, from the top of the repository, with the ids of their contents. */
function filesIn(listed: string, isWanted = isRead): ReadonlyMap<string, string> {
  const found = [...listed.matchAll(/100\d{3} blob (\S+)\t([^\0]+)/gu)];
  return new Map(found.flatMap(([, id = "", path = ""]) => (isWanted(path) ? [[path, id] as const] : [])));
}

/** The paths of the files whose text a configuration includes with `${file:...}`. */
function includedBy(path: string, text: string): readonly string[] {
  return [...text.matchAll(/\$\{file:([^}]+)\}/gu)].flatMap(([, name = ""]) => {
    const included = posix.normalize(posix.join(posix.dirname(path), name.trim()));
    return included.startsWith("../") || posix.isAbsolute(name.trim()) ? [] : [included];
  });
}

/** The contents that `git cat-file --batch` prints, by id. */
function contentsIn(bytes: Buffer): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf("\n", at);
    const [, id, size] =
      /^([0-9a-f]+) blob (\d+)$/u.exec(bytes.toString("utf8", at, end === -1 ? undefined : end)) ?? [];
    // A clone without all contents does not have this one.
    if (id === undefined && end !== -1 && bytes.toString("utf8", at, end).endsWith(" missing")) {
      at = end + 1;
      continue;
    }
    if (id === undefined) return found;
    found.set(id, bytes.toString("utf8", end + 1, end + 1 + Number(size)));
    at = end + Number(size) + 2;
  }
  return found;
}
