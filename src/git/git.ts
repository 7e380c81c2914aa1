import { engineError } from "../model/engine-error.ts";
import { errorReason } from "../model/text/error-reason.ts";
import { visible } from "../model/text/quote.ts";
import { withoutUrlTokens } from "../model/secret-values.ts";
import { spawn } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

export interface GitOptions {
  /** What git reads from its standard input. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** After this time git is stopped, and the call fails. Milliseconds. */
  readonly timeout?: number;
  /** Of what git prints: "latin1" keeps each byte as a character. UTF-8 by default. */
  readonly encoding?: "latin1";
}

/** Runs git with arguments, and returns what it prints, without the last line end. @throws Error with what git said */
export type Git = (args: readonly string[], options?: GitOptions) => Promise<string>;

/**
 * Git in a folder. It never asks for a password: a run in a pipeline would wait for ever. Its hooks, which may come from the repository,
 * do not see the key of the service.
 */
export function createGit(cwd: string, all: Readonly<Record<string, string | undefined>>): Git {
  const { DRIFTLINE_API_KEY: _key, ...env } = all;
  return (args, options = {}) =>
    new Promise((resolve, reject) => {
      const { timeout } = options;
      const gitEnv = { ...env, ...settingsBeside(env), GIT_TERMINAL_PROMPT: "0", LC_ALL: "C", ...options.env };
      const child = spawn("git", args, { cwd, env: gitEnv, timeout });
      const out: Buffer[] = [];
      const err: Buffer[] = [];
      child.stdout.on("data", (data: Buffer) => out.push(data));
      child.stderr.on("data", (data: Buffer) => err.push(data));
      child.on("error", ({ code, message }: NodeJS.ErrnoException) =>
        reject(new Error(code === "ENOENT" ? "git is not installed" : message)),
      );
      child.on("close", (code) => {
        if (code === 0) resolve(Buffer.concat(out).toString(options.encoding).replace(/\n$/u, ""));
        else reject(new Error(problemIn(Buffer.concat(err).toString())));
      });
      // Git may end before it has read everything. Its exit code says why.
      child.stdin.on("error", () => undefined);
      child.stdin.end(options.input ?? "");
    });
}

const SETTINGS = {
  // A folder that looks like a repository of its own is none: a pull request can bring one, and the settings in it start programs. Git
  // knows this since 2.38.
  "safe.bareRepository": "explicit",
  // The repository may name a program for each of these. The second one would print beside a commit.
  "core.fsmonitor": "false",
  "log.showSignature": "false",
} as const;

/** The settings beside those that the environment has. */
function settingsBeside({
  GIT_CONFIG_COUNT: given,
}: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const count = Number(given ?? 0);
  const pairs = Object.entries(SETTINGS).flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${String(count + index)}`, key] as const,
    [`GIT_CONFIG_VALUE_${String(count + index)}`, value] as const,
  ]);
  return { GIT_CONFIG_COUNT: String(count + Object.keys(SETTINGS).length), ...Object.fromEntries(pairs) };
}

/** What git said about a failure. An address that it names may have a token in it. */
function problemIn(said: string): string {
  return withoutUrlTokens(said, "")
    .replaceAll(/\/\/[^\s/@]*@/gu, "//")
    .replace(/^(?:fatal|error): /u, "")
    .trim();
}

/** A repository, and git in the folder at its top. */
export interface Repository {
  readonly git: Git;
  readonly top: string;
}

/** @throws EngineError `invalid` if there is no git, or the folder is in no repository */
export async function openRepository(
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Repository> {
  const top = await createGit(
    cwd,
    env,
  )(["rev-parse", "--show-toplevel"]).catch((error: unknown) => {
    const message = `there is no git repository to commit to (${visible(errorReason(error).split("\n")[0] ?? "")})`;
    throw engineError("invalid", "git_unusable", message, "Run the command in a clone, with git installed.");
  });
  return { git: createGit(top, env), top };
}

/** Whether git can find a repository around a folder. Looking for it costs a hundredth of starting git. @throws if there is no such folder */
export function isInRepository(folder: string, env: Readonly<Record<string, string | undefined>>): boolean {
  return env["GIT_DIR"] !== undefined || isBelowRepository(realpathSync(folder));
}

function isBelowRepository(folder: string): boolean {
  return existsSync(join(folder, ".git")) || (dirname(folder) !== folder && isBelowRepository(dirname(folder)));
}

/** The commit that the work tree around a folder has, with its subject and author. Undefined without a repository, a commit or git. */
export async function describeHead(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const git = createGit(folder, env);
  try {
    if (!isInRepository(folder, env)) return undefined;
    const commit = await git(["log", "-1", "--format=%h %s (by %an)"]);
    const changed = await git(["status", "--porcelain", "--untracked-files=no", "--", "."]);
    return changed === "" ? commit : `${commit} (and changes that are not committed)`;
  } catch {
    return undefined;
  }
}
