/** A host that only a file names gets no key where nobody can confirm it: a pull request can change the file. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MockAgent } from "undici";
import { describe, expect, it, onTestFinished } from "vitest";
import { hashOf } from "../../src/plan/document.ts";
import type { CliResult } from "../support/cli.ts";
import { workspace, type RunOptions } from "../support/workspace.ts";

const COMMANDS: readonly (readonly string[])[] = [
  ["plan"],
  ["drift"],
  ["drift", "--accept", "--yes"],
  ["apply", "--yes"],
  ["import", "--all", "--yes"],
  ["pin", "--yes"],
  ["export"],
  ["call", "organizations.list"],
  ["doctor"],
  ["access"],
];

interface Sent {
  readonly result: CliResult;
  /** The origins that a request went to. */
  readonly to: ReadonlySet<string>;
}

/** Runs a command with `service.url` in a file. Each host answers 404, and nothing leaves this machine. */
async function sent(url: string, args: readonly string[], more: RunOptions = {}): Promise<Sent> {
  const space = await workspace();
  await space.configure({ driftline: 1, service: { url }, organizations: { acme: { name: "Acme Inc" } } });
  const to = new Set<string>();
  const agent = new MockAgent();
  agent.disableNetConnect();
  onTestFinished(() => agent.close());
  const dispatch = agent.dispatch.bind(agent);
  agent.dispatch = (options, handler) => {
    to.add(String(options.origin));
    return dispatch(options, handler);
  };
  const runtime = { dispatcher: agent, ...more.runtime };
  const env = { DRIFTLINE_URL: "", NO_PROXY: "*", ...more.env };
  return { result: await space.run(args, { env, runtime }), to };
}

const REFUSED = [
  "https://evil.example",
  "https://us.posthog.com.evil.example",
  "https://us.posthog.com@evil.example",
  "https://us.posthog.com:8443",
  "http://us.posthog.com",
  "http://127.0.0.1.evil.example",
  "http://localhost.evil.example/",
  "http://10.0.0.1",
  "http://[::2]",
  "https://0.0.0.0",
  "https://${env:HOST}",
  "${env:START}evil.example",
  // The author of a merge request writes these.
  "${env:CI_COMMIT_TITLE}",
  "${env:BUILD_SOURCEVERSIONMESSAGE}",
];
const env = {
  HOST: "evil.example",
  START: "https://",
  WHOLE: "https://service.example",
  OPEN: "http://service.example",
  CI_COMMIT_TITLE: "https://evil.example",
  BUILD_SOURCEVERSIONMESSAGE: "https://evil.example",
};

describe.each(REFUSED)("service.url %s", (url) => {
  it.each(COMMANDS)("gets no key from %s %s %s", async (...args) => {
    const { result, to } = await sent(url, args, { env });
    const shown = result.stdout + result.stderr;
    expect(
      [result.code, shown.includes("unconfirmed_url") || shown.includes("only a file names it"), [...to]],
      shown,
    ).toEqual([10, true, []]);
  });

  it.each<[string, readonly string[], RunOptions]>([
    ["--url", ["plan", "--url", "http://service.example"], { env }],
    ["DRIFTLINE_URL", ["plan"], { env: { DRIFTLINE_URL: "http://service.example" } }],
  ])("gets none from %s, which names the service", async (_what, args, more) => {
    const { to } = await sent(url, args, { ...more, env: { ...env, ...more.env } });
    expect([...to]).toEqual(["http://service.example"]);
  });
});

it.each<[string, RunOptions]>([
  ["https://us.posthog.com", {}],
  ["https://eu.posthog.com", {}],
  ["https://app.posthog.com", {}],
  ["https://EU.posthog.com:443/", {}],
  ["http://localhost:1", {}],
  ["http://127.1:1", {}],
  ["http://[::1]:1", {}],
  ["${env:WHOLE}", { env }],
  ["https://service.example", { runtime: { interactive: true } }],
])("a known service, and what a person or the environment says, gets it: %s %o", async (url, more) => {
  const { to } = await sent(url, ["plan"], more);
  expect(to.size).toBe(1);
});

it.each<[string, RunOptions]>([
  ["http://service.example", { runtime: { interactive: true } }],
  ["${env:OPEN}", { env }],
])("http in a file shows no key to the network: %s %o", async (url, more) => {
  const { result, to } = await sent(url, ["plan"], more);
  expect([result.code, to.size]).toEqual([10, 0]);
});

it("a variable is no answer of the environment", async () => {
  const space = await workspace();
  await space.configure({
    driftline: 1,
    variables: { url: "${env:WHOLE}" },
    service: { url: "${var:url}" },
    organizations: { acme: { name: "Acme Inc" } },
  });
  const none = { env: { ...env, DRIFTLINE_URL: "" } };
  expect(await space.run(["plan"], none)).toMatchObject({ code: 10 });
  expect(await space.run(["plan", "--var", "url=https://service.example"], none)).toMatchObject({ code: 10 });
});

it("the address in a saved plan is one in a file", async () => {
  const space = await workspace();
  await space.configure({ driftline: 1, organizations: { acme: { name: "Acme Inc", enforce_2fa: true } } });
  expect(await space.run(["plan", "--out", "plan.json", "--url", space.emulator.url])).toMatchObject({ code: 0 });
  const file = join(space.folder, "plan.json");
  const text = (await readFile(file, "utf8")).replaceAll(space.emulator.url, "https://evil.example");
  const plan = JSON.parse(text) as Readonly<Record<string, unknown>>;
  await writeFile(file, JSON.stringify({ ...plan, hash: hashOf(plan) }));
  const { code, stderr } = await space.run(["apply", "--plan", "plan.json", "--yes"], { env: { DRIFTLINE_URL: "" } });
  expect([code, stderr]).toEqual([10, expect.stringContaining("error unconfirmed_url")]);
});
