/**
 * A branch of the remote repository that only driftline writes to.
 *
 * Premise: people read the branch, and may push to it. What they pushed is never overwritten. The default branch is never written to.
 * Algorithm: each of our commits names its own tree in its message, so a commit that somebody has amended or rebased is not ours any
 * more. The branch is ours as long as its last commit is. A push names the commit that it replaces, so a push in between is refused by
 * the remote repository.
 */
import { engineError, type EngineError } from "../model/engine-error.ts";
import { errorReason } from "../model/text/error-reason.ts";
import { firstOf } from "../model/text/plural.ts";
import { quoted, visible } from "../model/text/quote.ts";
import type { Git } from "./git.ts";

/** The line of a commit message that names the tree of the commit. */
export const TRAILER = "Driftline-Drift";

/** So much of what a hook says is shown. Lines. */
const LAST_LINES = 3;

/** Enough of a shallow clone's history to find what a branch begins with. */
const DEPTH = 100;

export interface RemoteBranch {
  readonly name: string;
  readonly remote: string;
  /** The name of the default branch. */
  readonly base: string;
  /** The commit that the work tree has. */
  readonly head: string;
  /** The last commit of the branch; undefined if there is no such branch. */
  readonly tip: string | undefined;
}

/**
 * Finds the branch, and makes sure that it may be written to.
 *
 * @param given the name of the branch, with or without `refs/heads/`
 * @throws EngineError `invalid` if there is no usable repository, `refused` if the work tree has changes, or the branch may not be written
 */
export async function findRemoteBranch(git: Git, given: string): Promise<RemoteBranch> {
  const name = given.replace(/^refs\/heads\//u, "");
  await git(["check-ref-format", "--branch", name]).catch(() => {
    throw unusable(`${quoted(name)} cannot be the name of a branch`, "Choose a name such as driftline/drift.");
  });
  const head = await git(["rev-parse", "--verify", "HEAD"]).catch((error: unknown) => {
    const hint = "Run the command in a clone that has a commit, with git installed.";
    throw unusable(`there is no commit to start from (${visible(firstLine(error))})`, hint);
  });
  const remote = await findRemote(git);
  const refs = await git(["ls-remote", "--symref", remote, "HEAD", `refs/heads/${name}`]).catch(cannotReach(remote));
  const base = /^ref: refs\/heads\/(\S+)\tHEAD$/mu.exec(refs)?.[1];
  const baseTip = /^([0-9a-f]+)\tHEAD$/mu.exec(refs)?.[1];
  if (base === undefined || baseTip === undefined)
    throw unusable(
      `the remote repository ${quoted(remote)} has no default branch`,
      "Push a first commit to it, or name its branch: git symbolic-ref HEAD refs/heads/main, in the remote repository.",
    );
  if (name === base)
    throw branchRefusedError(`${quoted(name)} is the default branch`, "Name another one. People merge it.");
  await requireClean(git);
  await requireAtBase(git, { remote, base, baseTip, head });
  const tip = /^([0-9a-f]+)\trefs\/heads\//mu.exec(refs)?.[1];
  const branch = { name, remote, base, head, tip };
  if (tip !== undefined) await requireOurs(git, branch, tip);
  return branch;
}

/**
 * Makes a commit the last one of the branch; undefined deletes the branch.
 *
 * @throws EngineError `refused` if the push is refused, `failed` if it is unknown whether it arrived
 */
export async function push(
  git: Git,
  branch: RemoteBranch,
  commit: string | undefined,
  options: readonly string[] = [],
): Promise<void> {
  const ref = `refs/heads/${branch.name}`;
  const lease = `--force-with-lease=${ref}:${branch.tip ?? ""}`;
  await git(["push", "--quiet", ...options, lease, branch.remote, `${commit ?? ""}:${ref}`]).catch((error: unknown) => {
    const refusal = refusalIn(errorReason(error));
    const what = `the push to ${quoted(branch.name)}`;
    if (refusal === undefined)
      throw engineError(
        "failed",
        "push_failed",
        `${what} failed: ${visible(firstLine(error))}`,
        "Run the command again. It goes on from what has arrived.",
      );
    const hint =
      "Nothing was pushed. Let the run push to this branch, or run it again if somebody else has just pushed.";
    throw engineError("refused", "push_refused", `${what} was refused: ${visible(refusal)}`, hint);
  });
}

async function findRemote(git: Git): Promise<string> {
  const remotes = (await git(["remote"])).split("\n").filter((one) => one !== "");
  const [only] = remotes;
  if (remotes.includes("origin")) return "origin";
  if (only !== undefined && remotes.length === 1) return only;
  throw unusable(
    "the repository has no remote repository named origin",
    "Add the one to push to, with git remote add.",
  );
}

async function requireClean(git: Git): Promise<void> {
  const changed = await git(["status", "--porcelain", "--untracked-files=no"]);
  if (changed === "") return;
  // Two letters and a space say what has become of each file.
  const files = changed.split("\n").map((line) => line.slice(3));
  throw branchRefusedError(`the work tree has changes (${visible(firstOf(files, 3))})`, "Commit or stash them first.");
}

/** Commits that the default branch lacks would become a part of the pull request. */
async function requireAtBase(
  git: Git,
  { remote, base, baseTip, head }: Pick<RemoteBranch, "remote" | "base" | "head"> & { readonly baseTip: string },
): Promise<void> {
  if (head === baseTip) return;
  await fetch(git, remote, base);
  if (await isAncestor(git, head, baseTip)) return;
  throw branchRefusedError(
    `this commit is not a part of ${quoted(base)}`,
    `Push it, or check out the last pushed commit of ${quoted(base)}.`,
  );
}

/** @throws EngineError `refused` if the branch has commits of other people */
async function requireOurs(git: Git, { remote, name, head }: RemoteBranch, tip: string): Promise<void> {
  await fetch(git, remote, name);
  const format = `%T%n%(trailers:key=${TRAILER},valueonly)`;
  const [tree, marked] = (await git(["show", "--no-patch", `--format=${format}`, tip])).split("\n");
  if (tree === marked || (await isAncestor(git, tip, head))) return;
  const short = await git(["show", "--no-patch", "--format=%h by %an", tip]);
  const hint = "Nothing was pushed. Merge the branch, or delete it, and run the command again.";
  throw branchRefusedError(`${quoted(name)} ends with a commit that driftline did not make (${visible(short)})`, hint);
}

/** Gets the commits of a remote branch, without a branch of our own. */
async function fetch(git: Git, remote: string, name: string): Promise<void> {
  const isShallow = (await git(["rev-parse", "--is-shallow-repository"])) === "true";
  const depth = isShallow ? [`--depth=${String(DEPTH)}`] : [];
  await git(["fetch", "--quiet", "--no-tags", ...depth, remote, `refs/heads/${name}`]).catch(cannotReach(remote));
}

function isAncestor(git: Git, commit: string, of: string): Promise<boolean> {
  return git(["merge-base", "--is-ancestor", commit, of]).then(
    () => true,
    () => false,
  );
}

function cannotReach(remote: string): (error: unknown) => never {
  return (error) => {
    throw unusable(
      `the remote repository ${quoted(remote)} cannot be read (${visible(firstLine(error))})`,
      "Check its address and your rights.",
    );
  };
}

/**
 * Why a push was refused: what the remote repository says, or what has become of the branch. Other lines say where it went. A push that a
 * hook of this machine stops ends with a line of git about it, and the words of the hook stand above that. Undefined if the remote
 * repository could not be reached, or did not answer.
 */
function refusalIn(said: string): string | undefined {
  const lines = said.split("\n");
  const [first = ""] = lines;
  const answer = lines.find((line) => /^remote: |^ ! /u.test(line));
  if (answer !== undefined) return answer.replace(/^remote: (?:error: )?| ! /u, "").trim();
  if (/denied|authentication failed|returned error: 40[13]/iu.test(said)) return first.trim();
  const isRefused = /^(?:error: )?failed to push/u.test(lines.at(-1) ?? "") && !/^fatal: /mu.test(said);
  if (!isRefused) return undefined;
  const ofHook = lines.slice(0, -1).filter((line) => line.trim() !== "");
  return ofHook.length === 0 ? first : ofHook.slice(-LAST_LINES).join(" / ").trim();
}

function firstLine(error: unknown): string {
  return errorReason(error).split("\n")[0] ?? "";
}

function unusable(message: string, hint: string): EngineError {
  return engineError("invalid", "git_unusable", message, `Nothing was pushed. ${hint}`);
}

function branchRefusedError(message: string, hint: string): EngineError {
  return engineError("refused", "branch_refused", message, hint);
}
