/**
 * `driftline drift --accept --branch NAME`: what was changed on the service becomes commits on a branch, and a pull request.
 *
 * Premise: people decide. The work tree and the default branch stay as they are, and so does a branch that somebody else has pushed to.
 * Algorithm: check the repository, the branch and the forge before anything is read. Commit each person's changes on top of the commit that
 * the work tree has. The same drift makes the same commits, so a second run has nothing to push.
 */
import { relative, sep } from "node:path";
import { declaredBy } from "../../../engine/accept/accept-edit.ts";
import { byPerson } from "../../../engine/accept/by-person.ts";
import type { PlannedRun } from "../../../engine/plan/plan-config.ts";
import type { Forge, PullRequest, RequestText } from "../../../forge/forge.ts";
import { findForge } from "../../../forge/find-forge.ts";
import { importFolders } from "../../steps/imports.ts";
import { commitAll } from "../../../git/commit.ts";
import { openRepository, type Repository } from "../../../git/git.ts";
import { findRemoteBranch, push, type RemoteBranch } from "../../../git/remote-branch.ts";
import type { Change } from "../../../model/change.ts";
import { commandLine } from "../../../model/command.ts";
import { sanitize } from "../../../model/text/quote.ts";
import { reportDiagnostics } from "../../terminal/output.ts";
import type { Runtime } from "../../runtime.ts";
import type { accept, AcceptedRun } from "./accept.ts";
import { committableFiles } from "./committable.ts";
import { type AcceptCommandOptions, prepareAcceptance } from "./prepare-acceptance.ts";
import { contentOf } from "./commit-content.ts";
import { requestText } from "./request-text.ts";

/** A branch that may be written to, and its pull request. */
interface AcceptBranch {
  readonly repository: Repository;
  readonly branch: RemoteBranch;
  readonly forge: Forge | undefined;
  readonly found: PullRequest | undefined;
}

/**
 * Finds the branch and its pull request, and returns what accepts a drift on it. Writes nothing yet.
 *
 * @throws EngineError if the branch cannot or must not be written to
 */
export async function acceptanceOnBranch({ cwd, env }: Runtime, name: string): Promise<typeof accept> {
  const repository = await openRepository(cwd, env);
  const branch = await findRemoteBranch(repository.git, name);
  const forge = findForge(env);
  const target = { repository, branch, forge, found: await forge?.find(branch) };
  return (runtime, run, options) => acceptOnBranch(runtime, run, target, options);
}

/** Commits and pushes what can be accepted. The changes that are not on the branch remain. */
async function acceptOnBranch(
  runtime: Runtime,
  run: PlannedRun,
  target: AcceptBranch,
  options: AcceptCommandOptions,
): Promise<AcceptedRun> {
  const { git, top } = target.repository;
  // The same drift makes the same commits on every machine, so a new file names no schema of this one.
  const where = { ...importFolders(runtime, options.paths), schema: () => undefined };
  const prepared = await prepareAcceptance(runtime, run, { ...options, isAsked: false, where });
  const { acceptance } = prepared;
  const nameOf = (path: string): string => relative(top, path).replaceAll(sep, "/");
  const { files, refusals } = await committableFiles(git, acceptance.files, nameOf);
  const diagnostics = [
    ...acceptance.diagnostics,
    ...prepared.diagnostics,
    ...prepared.neededSecrets(files),
    ...refusals,
  ];
  reportDiagnostics(runtime, diagnostics);
  const remaining = acceptance.remainingAfter(files);
  const accepted = { remaining, declared: declaredBy(files), diagnostics };
  const isPartial = run.plan.changes.some(({ action }) => action === "unknown");
  if (isPartial || prepared.diagnostics.some(({ severity }) => severity === "error")) {
    runtime.err(`Nothing was pushed to ${target.branch.name}, because not everything could be read.\n`);
    return accepted;
  }
  const persons = await byPerson(run, { files }, runtime.cwd);
  // What has begun is finished, but nothing is pushed after an interrupt.
  if (runtime.signal.aborted) return accepted;
  if (persons.length === 0) await endBranch(runtime, run, target, remaining);
  else {
    const contents = persons.map((part) => contentOf(part, { nameOf, redactor: runtime.redactor }));
    const commit = await commitAll(git, target.branch.head, contents);
    await publish(runtime, target, commit, requestText(runtime, run, persons, diagnostics));
  }
  return accepted;
}

/** Closes the branch if nothing can be accepted any more. A run that looked only at a part does not know that. */
async function endBranch(
  runtime: Runtime,
  run: PlannedRun,
  target: AcceptBranch,
  remaining: readonly Change[],
): Promise<void> {
  if (!isLimited(run)) await closeBranch(runtime, target, remaining);
  else if (target.branch.tip !== undefined)
    runtime.err(`Nothing that was asked for can be accepted, so ${target.branch.name} stays as it is.\n`);
}

/** Whether the run looked only at a part, so that the branch may hold something of the rest. */
function isLimited({ input: { options, modified } }: PlannedRun): boolean {
  return options.only.length > 0 || modified?.since !== undefined || modified?.by !== undefined;
}

async function publish(
  runtime: Runtime,
  { repository: { git }, branch, forge, found }: AcceptBranch,
  commit: string,
  text: RequestText,
): Promise<void> {
  const { name, remote, base, tip } = branch;
  if (found !== undefined && found.state !== "open" && found.commit === commit) {
    const what = found.state === "merged" ? "was merged" : "was closed, so it is not opened again";
    runtime.err(`${sanitize(found.url)} has these changes and ${what}.\n`);
    return;
  }
  if (tip !== commit) await push(git, branch, commit, forge?.pushOptions(branch, text));
  runtime.err(`${sanitize(`${tip === commit ? "Nothing is new on" : "Pushed to"} ${name}: ${text.title}`)}.\n`);
  const url = await forge?.openOrUpdate(branch, text, found);
  if (url !== undefined) runtime.err(`The pull request: ${sanitize(url)}\n`);
  else if (forge === undefined) {
    const fetch = commandLine(["git", "fetch", remote, name]);
    const merge = commandLine(["git", "push", remote, `HEAD:${base}`]);
    runtime.err(`To merge it: \`${sanitize(`${fetch} && git merge FETCH_HEAD && ${merge}`)}\`\n`);
  }
}

/** What was to be accepted is as declared again, or was merged, or can be accepted no more. */
async function closeBranch(
  runtime: Runtime,
  { repository: { git }, branch, forge, found }: AcceptBranch,
  remaining: readonly Change[],
): Promise<void> {
  const { name, tip } = branch;
  if (tip === undefined) return;
  const [sentence, why] =
    remaining.length === 0
      ? ["What this pull request accepts no longer differs", "there is nothing left to accept"]
      : ["Nothing of what differs can be accepted any more", "nothing of what differs can be accepted"];
  if (found?.state === "open") await forge?.close(found, `${sentence}, so driftline closes it.`);
  await push(git, branch, undefined);
  runtime.err(`Deleted the branch ${sanitize(name)}: ${why}.\n`);
}
