import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createGit, describeHead, openRepository } from "../../../src/git/git.ts";
import { folderOf } from "../config/helpers.ts";

describe("what git says of a failure", () => {
  it.each([
    ["fatal: not a git repository\n", "not a git repository"],
    ["error: no such path\n", "no such path"],
    ["remote: fatal: kept", "remote: fatal: kept"],
    [
      "fatal: unable to access 'https://me:token@host.example/a.git/'",
      "unable to access 'https://host.example/a.git/'",
    ],
    ["From https://token@a.example/x and https://b:c@d.example", "From https://a.example/x and https://d.example"],
    ...["private_token", "access_token", "token", "key"].map((name): [string, string] => [
      `fatal: unable to access 'https://me:hush-2@host.example/a.git?ref=1&${name}=hush-1/': 403`,
      `unable to access 'https://host.example/a.git?ref=1&${name}=': 403`,
    ]),
    ["mail me@host.example // none", "mail me@host.example // none"],
  ])("%j", async (said, message) => {
    const bin = folderOf({ git: '#!/bin/sh\nprintf "%s" "$SAID" >&2\nexit 1\n' });
    chmodSync(join(bin, "git"), 0o755);
    await expect(createGit(bin, { PATH: bin, SAID: said })(["status"])).rejects.toThrow(new Error(message));
  });
});

describe("without git", () => {
  const env = { PATH: "/nowhere" };

  it("a command fails, and says so", async () => {
    await expect(createGit("/", env)(["status"])).rejects.toThrow("git is not installed");
  });

  it("there is no repository to commit to", async () => {
    await expect(openRepository("/", env)).rejects.toMatchObject({
      reason: "invalid",
      diagnostics: [{ code: "git_unusable" }],
    });
  });

  it("a report names no commit", async () => {
    expect(await describeHead(folderOf({ ".git": "" }), env)).toBeUndefined();
  });
});

it("git is not started where no folder around has a repository, unless the environment names one", async () => {
  const { folder, env } = scripted("echo abc");
  const outside = folderOf({});
  expect(await describeHead(outside, env)).toBeUndefined();
  expect(await describeHead(outside, { ...env, GIT_DIR: folder })).toMatch(/^abc/u);
});

/** An environment in which `git` is this script, in a folder. */
function scripted(script: string): { readonly folder: string; readonly env: Readonly<Record<string, string>> } {
  const folder = folderOf({ ".git": "" });
  writeFileSync(join(folder, "git"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { folder, env: { PATH: `${folder}:/usr/bin:/bin` } };
}

describe("the process of git", () => {
  it("never asks for a password, speaks English, and does not get the key of the service", async () => {
    const { folder, env } = scripted("env");
    const said = await createGit(folder, { ...env, DRIFTLINE_API_KEY: "phx_1", OTHER: "kept" })(["status"], {
      env: { MINE: "1" },
    });
    expect(said.split("\n")).toEqual(
      expect.arrayContaining(["GIT_TERMINAL_PROMPT=0", "LC_ALL=C", "OTHER=kept", "MINE=1"]),
    );
    expect(said).not.toContain("phx_1");
  });

  it("reads its input, and the last line end of what it prints does not count", async () => {
    const { folder, env } = scripted('cat; echo "$1"; echo');
    expect(await createGit(folder, env)(["a b"], { input: "in\n" })).toBe("in\na b\n");
  });

  it("fails with what it says, though it printed something", async () => {
    const { folder, env } = scripted("echo out; echo 'fatal: broken' >&2; exit 1");
    await expect(createGit(folder, env)([])).rejects.toThrow(/^broken$/u);
  });

  it("is run at the top of the repository", async () => {
    const { folder, env } = scripted('[ "$1" = rev-parse ] && echo / || pwd');
    const { git, top } = await openRepository(folder, env);
    expect([top, await git(["status"])]).toEqual(["/", "/"]);
  });

  it("tells a commit from one with changes that are not committed", async () => {
    const clean = scripted('[ "$1" = log ] && echo "abc First" || true');
    expect(await describeHead(clean.folder, clean.env)).toBe("abc First");
    const changed = scripted('[ "$1" = log ] && echo "abc First" || echo " M a.yaml"');
    expect(await describeHead(changed.folder, changed.env)).toMatch(/^abc First \(.+\)$/u);
  });
});

it("a folder of files that looks like a repository is none, and its settings start nothing", async () => {
  const top = folderOf({});
  const env = {
    PATH: process.env["PATH"],
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "user.name",
    GIT_CONFIG_VALUE_0: "Ada",
  };
  const git = createGit(top, env);
  await git(["init", "--quiet"]);
  await git(["init", "--quiet", "--bare", "files"]);
  const ran = join(top, "ran");
  const settings = { bare: "false", worktree: ".", fsmonitor: `touch ${ran}; false` };
  for (const [key, value] of Object.entries(settings))
    await git(["config", "--file", "files/config", `core.${key}`, value]);
  const inside = createGit(join(top, "files"), env);
  await expect(inside(["status", "--porcelain"])).rejects.toThrow("safe.bareRepository");
  expect(existsSync(ran)).toBe(false);
  expect(await git(["config", "user.name"])).toBe("Ada");
});

it("a description of a commit starts no program that the repository names", async () => {
  const top = folderOf({ "a.yaml": "a" });
  const git = createGit(top, process.env);
  const ran = join(top, ".git", "ran");
  await git(["init", "--quiet"]);
  await git(["add", "."]);
  await git(["-c", "user.name=Ada", "-c", "user.email=ada@acme.com", "commit", "--quiet", "--message", "Signups"]);
  await git(["config", "core.fsmonitor", `touch ${ran}; false`]);
  expect(await describeHead(top, process.env)).toMatch(/^[0-9a-f]+ Signups \(by Ada\)$/u);
  expect(existsSync(ran)).toBe(false);
});
