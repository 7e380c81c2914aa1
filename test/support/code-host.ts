import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A comment on a pull request, or a note on a merge request. */
export interface Comment {
  readonly id: number;
  body: string;
  readonly user: { readonly type: "Bot" | "User" };
}

/** An artifact of a workflow on GitHub. */
export interface Artifact {
  readonly name: string;
  /** A folder with its files. */
  readonly folder: string;
  readonly run: number;
  readonly sha: string;
  /** Number of the repository that the commit came from; the host's own is 1. */
  readonly from?: number;
  readonly expired?: boolean;
}

/** The part of GitHub's and GitLab's interface that the action and the recipes use. */
export interface CodeHost {
  readonly url: string;
  readonly comments: Comment[];
  readonly artifacts: Artifact[];
  /** The commits of the pull or merge request 17, in the order of their pushes. */
  readonly pushed: Set<string>;
  /** Status with which the next comment is answered, although it is made, or the next pull request, which is not. */
  failure?: number;
  /** Commits on the main branch, with the last commit of the pull request that they merged. */
  readonly merged: Map<string, string>;
  /** Contents of plan.json by the reference of a merge request. */
  readonly plans: Map<string, string>;
  /** Pull requests that were opened. */
  readonly pulls: Pull[];
}

/** A pull request, with the comments on it. */
export interface Pull {
  readonly number: number;
  readonly html_url: string;
  readonly head: { readonly ref: string; sha: string };
  readonly base: string;
  state: "open" | "closed";
  merged_at: string | null;
  title: string;
  body: string;
  readonly comments: string[];
}

/** What every request has to present. */
export const HOST_TOKEN = "host-token";
const PAGE = 100;

type Answer = readonly [status: number, body: unknown];

/** Starts a stub of a code host. It stops at the end of the test. */
export async function codeHost(): Promise<CodeHost> {
  const host: CodeHost & { url: string } = {
    url: "",
    comments: [],
    artifacts: [],
    pushed: new Set<string>(),
    merged: new Map<string, string>(),
    plans: new Map<string, string>(),
    pulls: [],
  };
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const [status, body] = respond(host, request, await readAll(request));
      response.writeHead(status, { "content-type": "application/json" });
      response.end(typeof body === "string" ? body : JSON.stringify(body));
    };
    void answer();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  host.url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return host;
}

async function readAll(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of request) text += String(part);
  return text;
}

function respond(host: CodeHost, request: IncomingMessage, text: string): Answer {
  const { headers, method = "" } = request;
  const url = new URL(request.url ?? "", "http://host");
  if (headers.authorization !== `Bearer ${HOST_TOKEN}` && headers["private-token"] !== HOST_TOKEN)
    return [401, { message: "Bad credentials" }];
  const path = `${method} ${url.pathname.replace(/^\/(repos\/acme\/analytics|projects\/42)/u, "")}`;
  const found = ROUTES.flatMap(([pattern, answer]) => {
    const match = pattern.exec(path);
    return match === null ? [] : [answer({ host, url, id: decodeURIComponent(match[1] ?? ""), text })];
  })[0];
  return found ?? [404, { message: "Not Found" }];
}

interface Asked {
  readonly host: CodeHost;
  readonly url: URL;
  readonly id: string;
  readonly text: string;
}

const ROUTES: readonly (readonly [RegExp, (asked: Asked) => Answer])[] = [
  [/^GET \/pulls$/u, listPulls],
  [/^POST \/pulls$/u, openPull],
  [/^PATCH \/pulls\/(1\d\d)$/u, ({ host, id, text }) => [200, Object.assign(pullOf(host, id), JSON.parse(text))]],
  [
    /^POST \/issues\/(1\d\d)\/comments$/u,
    ({ host, id, text }) => [201, pullOf(host, id).comments.push((JSON.parse(text) as Comment).body)],
  ],
  [/^GET \/pulls\/17$/u, ({ host }) => [200, { number: 17, head: { sha: newestOf(host) } }]],
  [/^GET \/issues\/17\/comments$/u, listComments],
  [/^POST \/issues\/17\/comments$/u, ({ host, text }) => addComment(host, (JSON.parse(text) as Comment).body)],
  [/^PATCH \/issues\/comments\/(\d+)$/u, ({ host, id, text }) => edit(host, id, (JSON.parse(text) as Comment).body)],
  [/^GET \/commits\/(\w+)\/pulls$/u, ({ host, id }) => [200, pullsOf(host, id)]],
  [/^GET \/actions\/artifacts$/u, ({ host, url }) => [200, { artifacts: artifactsNamed(host, url) }]],
  [/^GET \/merge_requests\/17$/u, ({ host }) => [200, { iid: 17, sha: newestOf(host) }]],
  [/^GET \/merge_requests\/17\/notes$/u, listComments],
  [/^POST \/merge_requests\/17\/notes$/u, ({ host, text }) => addComment(host, formBody(text))],
  [/^PUT \/merge_requests\/17\/notes\/(\d+)$/u, ({ host, id, text }) => edit(host, id, formBody(text))],
  [
    /^GET \/repository\/commits\/(\w+)\/merge_requests$/u,
    ({ host, id }) => [200, host.merged.has(id) ? [{ iid: 17, state: "merged", sha: host.merged.get(id) }] : []],
  ],
  [
    /^GET \/jobs\/artifacts\/([^/]+)\/raw\/plan\.json$/u,
    ({ host, id }) => (host.plans.has(id) ? [200, host.plans.get(id)] : [404, { message: "404 Not Found" }]),
  ],
];

function listPulls({ host, url }: Asked): Answer {
  const head = url.searchParams.get("head");
  const found = host.pulls.filter(({ head: { ref } }) => `acme:${ref}` === head);
  return [200, found.toReversed().slice(0, Number(url.searchParams.get("per_page")))];
}

function openPull({ host, text }: Asked): Answer {
  const { title, body, head, base } = JSON.parse(text) as Record<"title" | "body" | "head" | "base", string>;
  if (host.pulls.some((pull) => pull.head.ref === head && pull.state === "open"))
    return [422, { message: "A pull request already exists" }];
  if (host.failure !== undefined) return failOnce(host, host.failure);
  const number = 100 + host.pulls.length;
  const html_url = `https://github.example/acme/analytics/pull/${String(number)}`;
  const pull: Pull = {
    number,
    html_url,
    title,
    body,
    base,
    head: { ref: head, sha: "" },
    state: "open",
    merged_at: null,
    comments: [],
  };
  host.pulls.push(pull);
  return [201, pull];
}

function pullOf({ pulls }: CodeHost, number: string): Pull {
  const found = pulls.find((pull) => String(pull.number) === number);
  if (found === undefined) throw new Error(`there is no pull request ${number}`);
  return found;
}

function listComments({ host, url }: Asked): Answer {
  const page = Number(url.searchParams.get("page") ?? 1);
  return [200, host.comments.slice((page - 1) * PAGE, page * PAGE)];
}

function newestOf({ pushed }: CodeHost): string | undefined {
  return [...pushed].at(-1);
}

function addComment(host: CodeHost, body: string): Answer {
  const { comments, failure } = host;
  comments.push({ id: comments.length + 1, body, user: { type: "Bot" } });
  return failure === undefined ? [201, comments.at(-1)] : failOnce(host, failure);
}

function failOnce(host: CodeHost, status: number): Answer {
  delete host.failure;
  return [status, { message: "Failed" }];
}

function edit({ comments }: CodeHost, id: string, body: string): Answer {
  const comment = comments.find((one) => one.id === Number(id));
  if (comment === undefined) return [404, { message: "Not Found" }];
  comment.body = body;
  return [200, comment];
}

function formBody(text: string): string {
  return new URLSearchParams(text).get("body") ?? "";
}

/** A pull request that was merged as this commit, after one that was closed. */
function pullsOf({ merged }: CodeHost, sha: string): readonly object[] {
  const head = merged.get(sha);
  if (head === undefined) return [];
  return [
    { number: 16, merged_at: null, head: { sha: "closed" } },
    { number: 17, merged_at: "2026-11-22T10:00:00Z", head: { sha: head } },
  ];
}

function artifactsNamed({ artifacts }: CodeHost, url: URL): readonly object[] {
  return artifacts.flatMap(({ name, run, sha, from = 1, expired = false }, index) => {
    const workflow = { id: run, head_sha: sha, repository_id: 1, head_repository_id: from };
    const created = new Date(1_700_000_000_000 + index * 60_000).toISOString();
    const artifact = { name, expired, created_at: created, workflow_run: workflow };
    return name === url.searchParams.get("name") ? [artifact] : [];
  });
}
