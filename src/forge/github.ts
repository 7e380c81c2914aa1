import { EnvHttpProxyAgent, errors, request } from "undici";
import { EngineError, engineError } from "../model/engine-error.ts";
import { errorReason } from "../model/text/error-reason.ts";
import { visible } from "../model/text/quote.ts";
import type { Branches, Forge, PullRequest, RequestText } from "./forge.ts";

/** A pull request as GitHub's REST API shows it, version 2022-11-28. */
interface GitHubPull {
  readonly number: number;
  readonly html_url: string;
  readonly state: "open" | "closed";
  readonly merged_at: string | null;
  readonly title: string;
  readonly body: string | null;
  readonly head: { readonly sha: string };
}

/** Milliseconds for each request. */
const TIMEOUT = 30_000;

/** GitHub, in a workflow. Its variables name the repository and the API; the step hands it the token. */
export function createGitHub(env: Readonly<Record<string, string | undefined>>): Forge {
  const { GITHUB_TOKEN: token = "", GITHUB_REPOSITORY: repository = "", GITHUB_API_URL: api = "" } = env;
  if (token === "") {
    const hint =
      "Add GITHUB_TOKEN: ${{ github.token }} to the env of the step, and pull-requests: write to the permissions of the job.";
    throw engineError("invalid", "forge_refused", "the step has no GITHUB_TOKEN, which opens the pull request", hint);
  }
  const send = (method: "GET" | "POST" | "PATCH", path: string, body?: object): Promise<unknown> =>
    sendToGitHub({ url: `${api}/repos/${repository}${path}`, method, token }, body);
  return {
    find: async ({ name }) => {
      const head = `${repository.split("/")[0] ?? ""}:${name}`;
      const query = new URLSearchParams({ head, state: "all", sort: "created", direction: "desc", per_page: "1" });
      const [newest] = (await send("GET", `/pulls?${query.toString()}`)) as readonly GitHubPull[];
      return newest && toPullRequest(newest);
    },
    openOrUpdate: async ({ name, base }: Branches, text: RequestText, found) => {
      if (found?.state !== "open") {
        const made = (await send("POST", "/pulls", { ...text, head: name, base })) as GitHubPull;
        return made.html_url;
      }
      const isSame = found.title === text.title && found.body === text.body;
      if (!isSame) await send("PATCH", `/pulls/${String(found.number)}`, text);
      return found.url;
    },
    close: async ({ number }, sentence) => {
      await send("POST", `/issues/${String(number)}/comments`, { body: sentence });
      await send("PATCH", `/pulls/${String(number)}`, { state: "closed" });
    },
    pushOptions: () => [],
  };
}

function toPullRequest({ number, html_url: url, state, merged_at, title, body, head }: GitHubPull): PullRequest {
  return { number, url, state: merged_at === null ? state : "merged", title, body: body ?? "", commit: head.sha };
}

interface GitHubRequest {
  readonly url: string;
  readonly method: "GET" | "POST" | "PATCH";
  readonly token: string;
}

async function sendToGitHub({ url, method, token }: GitHubRequest, body: object | undefined): Promise<unknown> {
  const dispatcher = new EnvHttpProxyAgent();
  try {
    const {
      statusCode,
      headers,
      body: answer,
    } = await request(url, {
      method,
      dispatcher,
      headersTimeout: TIMEOUT,
      bodyTimeout: TIMEOUT,
      headers: {
        authorization: `Bearer ${token}`,
        accept: "application/vnd.github+json",
        "content-type": "application/json",
        "user-agent": "driftline",
        "x-github-api-version": "2022-11-28",
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await answer.text();
    if (statusCode >= 300) throw errorOfStatus(statusCode, `${method} ${new URL(url).pathname}`, headers);
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw error instanceof EngineError ? error : errorOfRequest(error);
  } finally {
    await dispatcher.close();
  }
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The error for a status that is no success. A failure of GitHub itself, and a limit of its requests, say nothing about the token. */
function errorOfStatus(status: number, asked: string, headers: Headers): EngineError {
  const message = `GitHub answered ${String(status)} to ${asked}`;
  // GitHub answers a limit with 403 as well.
  const isLimited = status === 429 || headers["retry-after"] !== undefined || headers["x-ratelimit-remaining"] === "0";
  if (status >= 500 || isLimited) return noAnswer(message);
  const hint =
    "The token needs the permissions pull-requests: write and contents: write, and the repository has to allow workflows to open pull requests.";
  return engineError("refused", "forge_refused", message, hint);
}

/** The error for a request that could not be made, or that got no answer to read. */
function errorOfRequest(error: unknown): EngineError {
  const reason = visible(errorReason(error));
  if (error instanceof TypeError || error instanceof errors.InvalidArgumentError)
    return engineError("invalid", "forge_refused", `no request to GitHub can be made: ${reason}`, CHECK_VARIABLES);
  return noAnswer(
    `GitHub ${error instanceof SyntaxError ? "did not answer with JSON" : "cannot be reached"}: ${reason}`,
  );
}

const CHECK_VARIABLES = "Check GITHUB_TOKEN and GITHUB_API_URL: neither may be empty, or hold a space or a line end.";

function noAnswer(message: string): EngineError {
  const hint = "Run the command again later. A branch that was pushed already is used again.";
  return engineError("failed", "forge_failed", message, hint);
}
