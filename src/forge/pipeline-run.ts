import type { PipelineRun } from "../model/outcome.ts";

/** The run of the pipeline that the command is a part of, as GitHub and GitLab name it in the environment. Undefined outside of one. */
export function pipelineRun(env: Readonly<Record<string, string | undefined>>): PipelineRun | undefined {
  if (env["GITHUB_ACTIONS"] === "true") {
    const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env;
    const by = env["GITHUB_TRIGGERING_ACTOR"] ?? env["GITHUB_ACTOR"];
    if (server === undefined || repository === undefined || run === undefined) return undefined;
    return { url: `${server}/${repository}/actions/runs/${run}`, started_by: by };
  }
  const { GITLAB_CI: isGitLab, CI_JOB_URL: url, GITLAB_USER_LOGIN: by } = env;
  return isGitLab === "true" && url !== undefined ? { url, started_by: by } : undefined;
}
