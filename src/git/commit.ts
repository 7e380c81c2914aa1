/** Commits that are made without the work tree and without its index, so both stay as they are. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Git } from "./git.ts";
import { TRAILER } from "./remote-branch.ts";

export interface CommittedFile {
  /** From the top of the work tree, with slashes. */
  readonly path: string;
  readonly text: string;
}

export interface CommitContent {
  /** A file without a text is removed. */
  readonly files: readonly (Pick<CommittedFile, "path"> & { readonly text: string | undefined })[];
  /** Without the trailers that every commit has. */
  readonly message: string;
  /**
   * ISO 8601. The same content with the same parent and date is the same commit. Without a date it has that of the commit below, so
   * that the next run makes the same one.
   */
  readonly date: string | undefined;
}

/** The mode of a new file. */
const MODE = "100644";

/** Who commits, if nobody is configured. */
const NOBODY = { name: "driftline", email: "driftline@localhost" };

/** Makes one commit on top of the other, and returns the last one. Nothing is pushed. */
export async function commitAll(git: Git, parent: string, contents: readonly CommitContent[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "driftline-index-"));
  const env = { GIT_INDEX_FILE: join(folder, "index") };
  try {
    const withIdentity = { ...env, ...(await identity(git)) };
    await git(["read-tree", parent], { env });
    let last = parent;
    for (const content of contents) last = await commitOne(git, last, content, withIdentity);
    return last;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function commitOne(
  git: Git,
  parent: string,
  { files, message, date }: CommitContent,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  for (const { path, text } of files) {
    if (text === undefined) {
      await git(["update-index", "--force-remove", "--", path], { env });
      continue;
    }
    // As `git add` does it, line ends and other filters included.
    const blob = await git(["hash-object", "-w", "--stdin", "--path", path], { input: text });
    const [mode] = (await git(["ls-files", "--stage", "--", `:(literal)${path}`], { env })).split(" ");
    await git(["update-index", "--add", "--cacheinfo", `${mode || MODE},${blob},${path}`], { env });
  }
  const tree = await git(["write-tree"], { env });
  const time = date ?? (await git(["show", "--no-patch", "--format=%cI", parent]));
  const dates = { GIT_AUTHOR_DATE: time, GIT_COMMITTER_DATE: time };
  const input = `${message}${TRAILER}: ${tree}\n`;
  return git(["commit-tree", tree, "-p", parent], { input, env: { ...env, ...dates } });
}

/** The variables that name the author, if git itself knows none. */
async function identity(git: Git): Promise<Readonly<Record<string, string>>> {
  const isKnown = await git(["var", "GIT_COMMITTER_IDENT"]).then(
    () => true,
    () => false,
  );
  if (isKnown) return {};
  const { name, email } = NOBODY;
  return { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email };
}

/** The files of the commit that the work tree has, from its top, with the ids of their contents. */
export async function committedFiles(git: Git): Promise<ReadonlyMap<string, string>> {
  const listed = await git(["ls-tree", "-r", "-z", "HEAD"]);
  return new Map([...listed.matchAll(/\S+ \S+ (\S+)\t([^\0]+)/gu)].map(([, id = "", name = ""]) => [name, id]));
}

/** The id that a content has in the repository, with the filters of its path. Writes nothing. */
export function contentId(git: Git, { path, text }: CommittedFile): Promise<string> {
  return git(["hash-object", "--stdin", "--path", path], { input: text });
}
