import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { commitAll, committedFiles } from "../../../src/git/commit.ts";
import { TRAILER } from "../../../src/git/remote-branch.ts";
import { failed, fakeGit, type Said } from "./fake-git.ts";

const SAID: Said = {
  "hash-object": "blob",
  "ls-files": "100755 old 0\ta.yaml",
  "write-tree": "tree",
  "commit-tree": "commit",
};
const CONTENT = { files: [{ path: "a.yaml", text: "a: 1\n" }], message: "Accept\n\n", date: "2026-03-02T12:00:00Z" };

describe("a commit without a work tree", () => {
  it("has the files with their filters and their mode, on top of its parent", async () => {
    const { git, ran, options } = fakeGit(SAID);
    expect(await commitAll(git, "parent", [CONTENT])).toBe("commit");
    expect(ran.slice(1)).toEqual([
      "read-tree parent",
      "hash-object -w --stdin --path a.yaml",
      "ls-files --stage -- :(literal)a.yaml",
      "update-index --add --cacheinfo 100755,blob,a.yaml",
      "write-tree",
      "commit-tree tree -p parent",
    ]);
    expect(options[2]?.input).toBe("a: 1\n");
  });

  it("has a new file as one that is not run", async () => {
    const { git, ran } = fakeGit({ ...SAID, "ls-files": "" });
    await commitAll(git, "parent", [CONTENT]);
    expect(ran).toContain("update-index --add --cacheinfo 100644,blob,a.yaml");
  });

  it("names its own tree, and its date is given, so that the same content is the same commit", async () => {
    const { git, options } = fakeGit(SAID);
    await commitAll(git, "parent", [CONTENT]);
    expect(options.at(-1)).toMatchObject({
      input: `Accept\n\n${TRAILER}: tree\n`,
      env: { GIT_AUTHOR_DATE: CONTENT.date, GIT_COMMITTER_DATE: CONTENT.date },
    });
  });

  it("is the parent of the next one", async () => {
    let count = 0;
    const { git } = fakeGit(SAID);
    const parents: string[] = [];
    const counting: typeof git = async (args, given) => {
      const said = await git(args, given);
      if (args[0] !== "commit-tree") return said;
      parents.push(args.at(-1) ?? "");
      return `commit-${String((count += 1))}`;
    };
    expect(await commitAll(counting, "parent", [CONTENT, CONTENT])).toBe("commit-2");
    expect(parents).toEqual(["parent", "commit-1"]);
    expect(await commitAll(counting, "parent", [])).toBe("parent");
  });

  it("never touches the index of the work tree, and leaves none of its own", async () => {
    const { git, options } = fakeGit({ ...SAID, "write-tree": failed() });
    await expect(commitAll(git, "parent", [CONTENT])).rejects.toThrow("no");
    const indexes = options.flatMap(({ env }) => env?.["GIT_INDEX_FILE"] ?? []);
    expect(indexes).toHaveLength(4);
    expect([new Set(indexes).size, indexes.some((index) => existsSync(dirname(index)))]).toEqual([1, false]);
  });

  it.each([
    ["git, if it knows one", SAID, undefined],
    ["driftline, if git knows nobody", { ...SAID, var: failed() }, "driftline"],
  ])("is by %s", async (_name, said, author) => {
    const { git, options } = fakeGit(said);
    await commitAll(git, "parent", [CONTENT]);
    expect(options.at(-1)?.env?.["GIT_AUTHOR_NAME"]).toBe(author);
    expect(options.at(-1)?.env?.["GIT_COMMITTER_NAME"]).toBe(author);
  });
});

it("the files of a commit may have any name", async () => {
  const names = ["a.yaml", "sub/b c.yaml", "new\nline", "tab\tand é"];
  const listed = names.map((name, index) => `100644 blob id${String(index)}\t${name}\0`).join("");
  const { git } = fakeGit({ "ls-tree -r -z HEAD": listed });
  expect([...(await committedFiles(git))]).toEqual(names.map((name, index) => [name, `id${String(index)}`]));
});
