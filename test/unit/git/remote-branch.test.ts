import { describe, expect, it } from "vitest";
import { findRemoteBranch, push, type RemoteBranch } from "../../../src/git/remote-branch.ts";
import { failed, fakeGit, type Said } from "./fake-git.ts";

const NAME = "driftline/drift";
const HEAD = "1".repeat(40);
const NEWER = "2".repeat(40);
const TIP = "3".repeat(40);
const refs = (base: string, tip?: string): string =>
  `ref: refs/heads/main\tHEAD\n${base}\tHEAD${tip === undefined ? "" : `\n${tip}\trefs/heads/${NAME}`}`;

/** A clone whose head is the last commit of main, without the branch. */
const CLONE: Said = { "rev-parse --verify HEAD": HEAD, remote: "origin\nfork", "ls-remote": refs(HEAD) };
const SHALLOW = { "rev-parse --is-shallow-repository": "true" };
const OURS = { "ls-remote": refs(HEAD, TIP), "show --no-patch --format=%T": "tree\ntree", "merge-base": failed() };
const THEIRS = { "ls-remote": refs(HEAD, TIP), "show --no-patch --format=%T": "tree\n", "merge-base": failed() };

const find = (said: Said, name = NAME) => {
  const { git, ran } = fakeGit({ ...CLONE, ...said });
  return { found: findRemoteBranch(git, name), ran };
};

describe("the branch of a remote repository", () => {
  it.each<[name: string, said: Said, branch: Partial<RemoteBranch>]>([
    ["does not exist yet", {}, { remote: "origin", base: "main", head: HEAD, tip: undefined }],
    ["is of the only remote, whatever its name", { remote: "upstream" }, { remote: "upstream" }],
    [
      "has a default branch of any name",
      { "ls-remote": refs(HEAD).replace("heads/main", "heads/trunk") },
      { base: "trunk" },
    ],
    ["is ours if its last commit names its own tree", OURS, { tip: TIP }],
    ["may be written to if all of it is merged", { ...THEIRS, "merge-base": "" }, { tip: TIP }],
    ["may be written to from an older commit of the default branch", { "ls-remote": refs(NEWER) }, { head: HEAD }],
  ])("%s", async (_name, said, branch) => {
    expect(await find(said).found).toMatchObject({ name: NAME, ...branch });
  });

  it.each<[name: string, said: Said, code: string]>([
    ["its name is none", { "check-ref-format": failed() }, "git_unusable"],
    ["there is no commit", { "rev-parse --verify HEAD": failed() }, "git_unusable"],
    ["there is no remote", { remote: "" }, "git_unusable"],
    ["there are several remotes, and none is the origin", { remote: "a\nb" }, "git_unusable"],
    ["the remote cannot be read", { "ls-remote": failed() }, "git_unusable"],
    ["the remote is empty", { "ls-remote": "" }, "git_unusable"],
    ["the head of the remote leads nowhere", { "ls-remote": "ref: refs/heads/main\tHEAD" }, "git_unusable"],
    ["the work tree has changes", { "status --porcelain": " M a.yaml" }, "branch_refused"],
    [
      "the commit is not a part of the default branch",
      { "ls-remote": refs(NEWER), "merge-base": failed() },
      "branch_refused",
    ],
    ["its last commit is of somebody else", THEIRS, "branch_refused"],
    ["its last commit was amended", { ...THEIRS, "show --no-patch --format=%T": "other\ntree" }, "branch_refused"],
    ["it cannot be fetched", { ...OURS, fetch: failed() }, "git_unusable"],
  ])("is refused if %s, before anything is pushed", async (_name, said, code) => {
    const { found, ran } = find(said);
    await expect(found).rejects.toMatchObject({ name: "EngineError", diagnostics: [{ code }] });
    expect(ran.filter((line) => line.startsWith("push"))).toEqual([]);
  });

  it("may be given as a reference", async () => {
    expect(await find({}, `refs/heads/${NAME}`).found).toMatchObject({ name: NAME });
  });

  it.each(["main", "refs/heads/main"])("is refused if it is the default branch: %s", async (name) => {
    await expect(find({}, name).found).rejects.toMatchObject({
      reason: "refused",
      diagnostics: [{ code: "branch_refused" }],
    });
  });

  it("is fetched with some history if the clone is shallow, and the default branch only if it is needed", async () => {
    const fetches = async (said: Said): Promise<readonly string[]> => {
      const { found, ran } = find(said);
      await found;
      return ran.filter((line) => line.startsWith("fetch"));
    };
    expect(await fetches({})).toEqual([]);
    expect(await fetches(OURS)).toEqual([`fetch --quiet --no-tags origin refs/heads/${NAME}`]);
    expect(await fetches({ ...SHALLOW, "ls-remote": refs(NEWER) })).toEqual([
      "fetch --quiet --no-tags --depth=100 origin refs/heads/main",
    ]);
  });
});

describe("a push", () => {
  const branch: RemoteBranch = { name: NAME, remote: "origin", base: "main", head: HEAD, tip: TIP };

  it.each<[string, Partial<RemoteBranch>, string | undefined, string]>([
    [
      "replaces the commit that was seen, and no other",
      {},
      NEWER,
      `--force-with-lease=refs/heads/${NAME}:${TIP} origin ${NEWER}:refs/heads/${NAME}`,
    ],
    [
      "makes a branch only if there is still none",
      { tip: undefined },
      NEWER,
      `--force-with-lease=refs/heads/${NAME}: origin ${NEWER}:refs/heads/${NAME}`,
    ],
    [
      "deletes a branch only as it was seen",
      {},
      undefined,
      `--force-with-lease=refs/heads/${NAME}:${TIP} origin :refs/heads/${NAME}`,
    ],
  ])("%s", async (_name, more, commit, words) => {
    const { git, ran } = fakeGit({});
    await push(git, { ...branch, ...more }, commit, ["--push-option=a"]);
    expect(ran).toEqual([`push --quiet --push-option=a ${words}`]);
  });

  it.each([
    [
      "what the remote says",
      "To origin\nremote: error: GH006: Protected branch\n ! [rejected]",
      "GH006: Protected branch",
    ],
    [
      "what became of the branch",
      "To origin\n ! [rejected] a -> b (stale info)\nerror: failed",
      "[rejected] a -> b (stale info)",
    ],
    [
      "what git says of a missing right",
      "The requested URL returned error: 403\nmore",
      "The requested URL returned error: 403",
    ],
    ["what git says of no hook", "failed to push some refs to 'origin'", "failed to push some refs to 'origin'"],
    [
      "the last lines of a hook of this machine",
      "lint\n1 of 3\n2 of 3\n\nkeys are not sorted\nerror: failed to push some refs to 'origin'",
      "1 of 3 / 2 of 3 / keys are not sorted",
    ],
  ])("that is refused says %s", async (_name, said, reason) => {
    const { git } = fakeGit({ push: failed(said) });
    const error = await push(git, branch, NEWER).catch((one: unknown) => one);
    expect(error).toMatchObject({ reason: "refused", diagnostics: [{ code: "push_refused" }] });
    const { message } = error as Error;
    expect(message.slice(message.indexOf(": ") + 2)).toBe(reason);
  });

  it.each([
    "unable to access 'https://host.example/a.git/': Could not resolve host: host.example",
    "Could not read from remote repository.\n\nPlease make sure the repository exists.",
    "RPC failed; HTTP 502\nfatal: the remote end hung up unexpectedly\nerror: failed to push some refs to 'origin'",
    "git is not installed",
  ])("that nobody has answered is not refused: %j", async (said) => {
    const { git } = fakeGit({ push: failed(said) });
    await expect(push(git, branch, NEWER)).rejects.toMatchObject({
      reason: "failed",
      diagnostics: [{ code: "push_failed" }],
    });
  });
});
