import { dirname } from "node:path";
import type { PreparedFile } from "../../../edit/files.ts";
import type { AcceptSource } from "../../../engine/accept/accept-edit.ts";
import { notAccepted } from "../../../engine/accept/refusals.ts";
import { committedFiles, contentId } from "../../../git/commit.ts";
import type { Git } from "../../../git/git.ts";
import type { Diagnostic } from "../../../model/diagnostic.ts";

type AcceptedFile = PreparedFile<AcceptSource>;

/** Which of the files can be committed, and a warning about each change of the others. */
export interface Committable {
  readonly files: readonly AcceptedFile[];
  readonly refusals: readonly Diagnostic[];
}

/**
 * Separates the files that can be committed: those that the commit of the work tree has as they were read, and new ones in its folders.
 * The work tree may lack files of the commit, and have others that git hides.
 *
 * @param nameOf the name of a path in the repository
 */
export async function committableFiles(
  git: Git,
  prepared: readonly AcceptedFile[],
  nameOf: (path: string) => string,
): Promise<Committable> {
  const committed = await committedFiles(git);
  const folders = new Set([...committed.keys()].map((name) => dirname(name)));
  const commitProblem = async ({ file, path, textWith, before }: AcceptedFile): Promise<CommitProblem | undefined> => {
    const name = nameOf(path);
    const id = committed.get(name);
    if (textWith === undefined) {
      const isAsCommitted = id !== undefined && id === (await contentId(git, { path: name, text: before }));
      return isAsCommitted ? undefined : { reason: `${file} is not committed as it is here`, hint: COMMIT };
    }
    if (id !== undefined)
      return { reason: `the repository has another ${file}`, hint: "Take that one into the work tree first." };
    return folders.has(dirname(name)) ? undefined : { reason: `the folder of ${file} is not committed`, hint: COMMIT };
  };
  const checked = await Promise.all(prepared.map(async (file) => ({ file, problem: await commitProblem(file) })));
  return {
    files: checked.flatMap(({ file, problem }) => (problem === undefined ? file : [])),
    refusals: checked.flatMap(({ file, problem }) => (problem === undefined ? [] : refusalsOf(file, problem))),
  };
}

/** Why a file cannot be committed, and what to do about it. */
interface CommitProblem {
  readonly reason: string;
  readonly hint: string;
}

const COMMIT = "Commit it to the default branch first.";

function refusalsOf({ edits }: AcceptedFile, { reason, hint }: CommitProblem): readonly Diagnostic[] {
  return [...new Set(edits.map(({ source }) => source.change))].map((change) => notAccepted(change, reason, hint));
}
