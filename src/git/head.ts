import { createGit } from "./git.ts";

/** The commit that the work tree around a folder has, with its subject. Undefined without a repository, a commit or git. */
export async function describeHead(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const git = createGit(folder, env);
  try {
    const commit = await git(["log", "-1", "--format=%h %s"]);
    const changed = await git(["status", "--porcelain", "--untracked-files=no", "--", "."]);
    return changed === "" ? commit : `${commit} (and changes that are not committed)`;
  } catch {
    return undefined;
  }
}
