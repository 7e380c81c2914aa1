import type { Forge } from "./forge.ts";
import { createGitHub } from "./github.ts";
import { GITLAB } from "./gitlab.ts";

/** The forge of the pipeline that the command runs in; undefined outside of one. @throws EngineError `invalid` without a token */
export function findForge(env: Readonly<Record<string, string | undefined>>): Forge | undefined {
  if (env["GITHUB_ACTIONS"] === "true") return createGitHub(env);
  return env["GITLAB_CI"] === "true" ? GITLAB : undefined;
}
