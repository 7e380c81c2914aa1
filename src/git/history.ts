/**
 * Reads the history of a repository, without running a program of it.
 *
 * Premise: the configuration of a repository names programs that git runs: hooks, a file system monitor, text converters, a program that
 * checks signatures, a helper that fetches objects. None of them is needed to read commits that are there.
 */
import type { Git } from "./git.ts";

/** A huge history must not slow a run. Milliseconds for each call. */
const TIMEOUT = 5_000;

/** A commit as people write it. */
export function shortCommit(id: string): string {
  return id.slice(0, 10);
}

const OPTIONS = [
  "--no-pager",
  "--no-optional-locks",
  // Paths are needed as they are.
  ...["core.quotePath=false", "core.hooksPath=/dev/null", "protocol.allow=never"].flatMap((setting) => ["-c", setting]),
];

/** Runs git to read commits. It fetches nothing, and runs no program of the repository. */
export function reading(git: Git): Git {
  const env = { GIT_NO_LAZY_FETCH: "1", GIT_NO_REPLACE_OBJECTS: "1" };
  return (args, options) =>
    git([...OPTIONS, ...args], { timeout: TIMEOUT, ...options, env: { ...env, ...options?.env } });
}
