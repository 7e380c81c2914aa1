import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { EXIT } from "../../../src/cli/exit-codes.ts";
import { SEED, workspace, type RunOptions, type Workspace } from "../../support/workspace.ts";

afterEach(() => vi.unstubAllEnvs());

const ACME = "driftline: 1\norganizations:\n  acme:\n    name: Acme Inc\n    enforce_2fa: true\n";

/** Serves one answer to every request. */
async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

const page =
  (status: number, title: string, body = ""): RequestListener =>
  (_request, response) =>
    void response
      .writeHead(status, { "content-type": "text/html; charset=utf-8" })
      .end(`<!doctype html><html><head><title>${title}</title></head><body>${body}</body></html>`);

const redirect =
  (location: string): RequestListener =>
  (_request, response) =>
    void response.writeHead(302, { location }).end();

interface Mistake {
  readonly config?: string;
  readonly seed?: typeof SEED;
  /** What answers in place of the emulator. */
  readonly service?: RequestListener;
  /** The address, made of the one that works. */
  readonly url?: (url: string) => string;
  readonly env?: Readonly<Record<string, string>>;
  /** The address of a proxy, or one that asks for a password. */
  readonly proxy?: string;
  readonly args?: readonly string[];
  readonly runtime?: RunOptions["runtime"];
  readonly code: number;
}

const terminal: Mistake["runtime"] = { interactive: true, ask: () => Promise.resolve("n") };
const twice = {
  organizations: [
    ...SEED.organizations,
    { id: "0190aa11-0000-4000-8000-00000000000b", name: "Acme Inc", projects: [], members: [] },
  ],
};

/** Each row is a mistake of a user. What the command prints is in the file of its name. */
const MISTAKES: Readonly<Record<string, Mistake>> = {
  "url-with-api": { url: (url) => `${url}/api`, code: EXIT.error },
  "url-with-project": { url: (url) => `${url}/project/2`, code: EXIT.error },
  "url-with-project-on-a-website": {
    service: page(200, "PostHog"),
    url: (url) => `${url}/project/2/insights`,
    code: EXIT.error,
  },
  "url-without-protocol": { url: () => "eu.posthog.com", code: EXIT.invalid },
  "url-of-a-website": { service: page(200, "Acme &amp; Sons"), code: EXIT.error },
  "login-page": { service: page(200, "Sign in to Acme", '<input type="password">'), code: EXIT.error },
  "login-page-that-refuses": { service: page(403, "Acme Single Sign-On"), code: EXIT.denied },
  "website-without-the-route": { service: page(404, "Page not found"), code: EXIT.error },
  "redirect-to-a-login": { service: redirect("https://sso.acme.com/oauth2/start?rd=x"), code: EXIT.error },
  "redirect-to-another-host": { service: redirect("https://eu.acme.com/x?token=abc"), code: EXIT.error },
  "redirect-on-the-same-host": { service: redirect("/other"), code: EXIT.error },
  "dead-proxy": {
    proxy: "http://user:hunter2@127.0.0.1:1",
    url: () => "http://analytics.example.com",
    code: EXIT.error,
  },
  "proxy-without-password": { proxy: "407", url: () => "http://analytics.example.com", code: EXIT.error },
  "proxy-that-is-no-url": { proxy: "http://user:hunter2@bad host", code: EXIT.error },
  "wrong-organization-name": { config: ACME.replace("Acme Inc", "Umbrella"), code: EXIT.refused },
  "misspelled-organization-name": { config: ACME.replace("Acme Inc", "Acme In"), code: EXIT.refused },
  "organizations-of-one-name": { seed: twice, code: EXIT.error },
  "wrong-project-id": {
    config: `${ACME}    projects: { web: { id: 3, insights: { a: { name: A } } } }\n`,
    code: EXIT.invalid,
  },
  "own-user": {
    config:
      "driftline: 1\norganizations:\n  acme:\n    name: Acme Inc\n    memberships:\n      owner@example.com: { level: member }\n",
    code: EXIT.refused,
  },
  "wrong-key": { env: { DRIFTLINE_API_KEY: "phx_expired" }, code: EXIT.denied },
  "key-with-a-line-break": { env: { DRIFTLINE_API_KEY: "phx_a\nphx_b" }, code: EXIT.denied },
  "no-key": { env: { DRIFTLINE_API_KEY: "" }, code: EXIT.denied },
  "no-configuration": { args: ["plan", "empty"], code: EXIT.invalid },
  "misspelled-command": { args: ["paln"], code: EXIT.invalid },
  "misspelled-option": { args: ["plan", "--onyl", "acme"], code: EXIT.invalid },
  "misspelled-file": { args: ["plan", "driftlin.yaml"], code: EXIT.invalid },
  "apply-without-configuration": { args: ["apply", "empty"], code: EXIT.invalid },
  "apply-without-terminal": { args: ["apply"], code: EXIT.invalid },
  "answer-no": { args: ["apply"], runtime: terminal, code: EXIT.error },
  "narrow-terminal": {
    config: ACME.replace("name: Acme Inc", "nme: Acme: Inc"),
    runtime: { errColumns: 60 },
    code: EXIT.invalid,
  },
};

describe("messages for a mistake", () => {
  it.each(Object.entries(MISTAKES))("%s", async (name, mistake) => {
    const { config = ACME, seed = SEED, args = ["plan"], runtime, code } = mistake;
    const space = await workspace({ seed });
    await mkdir(join(space.folder, "empty"));
    await writeFile(join(space.folder, "driftline.yaml"), config);
    const result = await space.run(args, {
      env: await environment(space, mistake),
      ...(runtime === undefined ? {} : { runtime }),
    });
    const text = `$ driftline ${args.join(" ")}\n${result.stderr}${result.stdout}exit code ${String(result.code)}\n`;
    expect(result.stderr + result.stdout).not.toContain("hunter2");
    await expect(text.replaceAll(/127\.0\.0\.1:\d{2,}/gu, "127.0.0.1:PORT")).toMatchFileSnapshot(`${name}.txt`);
    expect(result.code).toBe(code);
  });

  it("have no file that no mistake writes", async () => {
    const texts = (await readdir(import.meta.dirname)).filter((name) => name.endsWith(".txt"));
    expect(texts.toSorted()).toEqual(
      Object.keys(MISTAKES)
        .map((name) => `${name}.txt`)
        .toSorted(),
    );
  });
});

async function environment(space: Workspace, mistake: Mistake): Promise<Readonly<Record<string, string>>> {
  const { proxy, service, url = (text: string) => text, env } = mistake;
  if (proxy !== undefined) vi.stubEnv("http_proxy", proxy === "407" ? await serveRefusals() : proxy);
  const base = service === undefined ? space.emulator.url : await serve(service);
  return { DRIFTLINE_URL: url(base), ...env };
}

/** A proxy that asks for a password. */
async function serveRefusals(): Promise<string> {
  const server = createServer();
  server.on("connect", (_request, socket) => void socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}
