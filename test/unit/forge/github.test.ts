import { createServer } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { createGitHub } from "../../../src/forge/github.ts";
import { codeHost, HOST_TOKEN, type CodeHost } from "../../support/code-host.ts";
import { listen } from "../../support/listening.ts";

const BRANCHES = { name: "driftline/drift", base: "main" };
const TEXT = { title: "T", body: "B" };
const forgeOf = (url: string, token = HOST_TOKEN) =>
  createGitHub({ GITHUB_TOKEN: token, GITHUB_REPOSITORY: "acme/analytics", GITHUB_API_URL: url });

async function opened() {
  const host = await codeHost();
  const forge = forgeOf(host.url);
  await forge.openOrUpdate(BRANCHES, TEXT, undefined);
  return { host, forge };
}

describe("a pull request on GitHub", () => {
  it("is not found before there is one", async () => {
    const host = await codeHost();
    expect(await forgeOf(host.url).find(BRANCHES)).toBeUndefined();
  });

  it("is opened from the branch to its base, and found", async () => {
    const { host, forge } = await opened();
    expect(host.pulls).toMatchObject([{ base: "main", head: { ref: BRANCHES.name }, title: "T", body: "B" }]);
    const url = host.pulls[0]?.html_url;
    expect(await forge.find(BRANCHES)).toEqual({ number: 100, url, state: "open", title: "T", body: "B", commit: "" });
    expect(await forge.find({ ...BRANCHES, name: "other" })).toBeUndefined();
  });

  it.each<[string, (host: CodeHost) => void, string]>([
    ["closed", ({ pulls: [pull] }) => Object.assign(pull ?? {}, { state: "closed" }), "closed"],
    [
      "merged",
      ({ pulls: [pull] }) => Object.assign(pull ?? {}, { state: "closed", merged_at: "2026-03-02" }),
      "merged",
    ],
  ])("that is %s is told from the others, and followed by a new one", async (_name, change, state) => {
    const { host, forge } = await opened();
    change(host);
    const found = await forge.find(BRANCHES);
    expect(found?.state).toBe(state);
    expect(await forge.openOrUpdate(BRANCHES, TEXT, found)).toBe(host.pulls[1]?.html_url);
    expect((await forge.find(BRANCHES))?.number).toBe(101);
  });

  it("that is open gets the new text, and no second one is opened", async () => {
    const { host, forge } = await opened();
    const found = await forge.find(BRANCHES);
    expect(await forge.openOrUpdate(BRANCHES, { title: "T", body: "New" }, found)).toBe(found?.url);
    expect(host.pulls).toMatchObject([{ title: "T", body: "New" }]);
  });

  it("is closed with a sentence", async () => {
    const { host, forge } = await opened();
    const found = await forge.find(BRANCHES);
    if (found !== undefined) await forge.close(found, "Nothing differs any more.");
    expect(host.pulls).toMatchObject([{ state: "closed", comments: ["Nothing differs any more."] }]);
  });

  it("has a text without a body", async () => {
    const { host, forge } = await opened();
    Object.assign(host.pulls[0] ?? {}, { body: null });
    expect((await forge.find(BRANCHES))?.body).toBe("");
  });
});

describe("GitHub refuses", () => {
  it.each<[string, (host: CodeHost) => Promise<unknown>]>([
    ["a token without the right", ({ url }) => forgeOf(url, "other").find(BRANCHES)],
    [
      "a pull request that the token may not open",
      (host) => ((host.failure = 403), forgeOf(host.url).openOrUpdate(BRANCHES, TEXT, undefined)),
    ],
  ])("%s, and the token is not shown", async (_name, ask) => {
    const asked = ask(await codeHost());
    await expect(asked).rejects.toMatchObject({ reason: "refused", diagnostics: [{ code: "forge_refused" }] });
    await expect(asked).rejects.not.toThrow(HOST_TOKEN);
  });
});

/** A forge whose host gives one answer to everything. */
async function answering(status: number, headers: Readonly<Record<string, string>>, text = "") {
  const server = createServer((_request, response) => void response.writeHead(status, headers).end(text));
  const { url, close } = await listen(server);
  onTestFinished(close);
  return forgeOf(url);
}

describe("GitHub gives no answer", () => {
  it.each<[string, (host: CodeHost) => Promise<unknown>]>([
    ["to a request to nowhere", () => forgeOf("http://127.0.0.1:1").find(BRANCHES)],
    ["during an outage", (host) => ((host.failure = 502), forgeOf(host.url).openOrUpdate(BRANCHES, TEXT, undefined))],
    [
      "to too many requests",
      (host) => ((host.failure = 429), forgeOf(host.url).openOrUpdate(BRANCHES, TEXT, undefined)),
    ],
    [
      "to more requests in an hour",
      async () => (await answering(403, { "x-ratelimit-remaining": "0" })).find(BRANCHES),
    ],
    ["to requests that come too fast", async () => (await answering(403, { "retry-after": "60" })).find(BRANCHES)],
    ["that is JSON", async () => (await answering(200, {}, "<html>Sign in</html>")).find(BRANCHES)],
  ])("%s, which says nothing about the token", async (_name, ask) => {
    const asked = ask(await codeHost());
    await expect(asked).rejects.toMatchObject({ reason: "failed", diagnostics: [{ code: "forge_failed" }] });
    await expect(asked).rejects.not.toThrow(HOST_TOKEN);
  });
});

it.each<[string, string, string | undefined]>([
  ["a token with a line end", `${HOST_TOKEN}\n`, undefined],
  ["an address that is none", HOST_TOKEN, ""],
])("no request can be made with %s, and the token is not shown", async (_name, token, address) => {
  const asked = forgeOf(address ?? (await codeHost()).url, token).find(BRANCHES);
  await expect(asked).rejects.toMatchObject({ reason: "invalid", diagnostics: [{ code: "forge_refused" }] });
  await expect(asked).rejects.not.toThrow(HOST_TOKEN);
});
