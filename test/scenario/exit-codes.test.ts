import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { instantClock } from "../fault/support.ts";
import { spawnCli, type CliResult } from "../support/cli.ts";
import { describeDialects } from "../support/dialects.ts";
import { linesWith } from "../support/normalized.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const GOOD = "driftline: 1\norganizations:\n  acme:\n    name: Acme Inc\n    enforce_2fa: true\n";

/** Sixty domains to create. */
const MANY = `${GOOD}    domains:\n${Array.from({ length: 60 }, (_, index) => `      d${String(index)}: { domain: d${String(index)}.com }\n`).join("")}`;

/** Calls a function when the eighth create has arrived. */
function onEighthCreate({ emulator }: Workspace, act: () => void): void {
  // The emulator awaits the promise when the request has arrived.
  const gate = { catch: () => Promise.resolve(act()) };
  const fault = { type: "delay-before", until: gate as unknown as Promise<unknown> } as const;
  emulator.faults.add({ method: "POST", path: "/domains", nth: 8, times: 1, fault });
}

/** A service that answers everything alike. */
async function stub(answer: (server: Server) => void): Promise<string> {
  const server = createServer();
  answer(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

/** Every failure says what is wrong and what to do, in a line each, without a stack trace. */
function expectReported(result: CliResult, code: number): void {
  expect(result.code, result.stderr).toBe(code);
  expect(result.stderr).toContain("error");
  expect(result.stderr).toContain("hint: ");
  expect(result.stderr + result.stdout).not.toMatch(/\n\s+at /);
}

/** The command was interrupted in the middle of its creates, and the next one does the rest. */
async function expectInterrupted(space: Workspace, ending: Promise<CliResult>): Promise<void> {
  const { code, stdout } = await ending;
  expect(code).toBe(130);
  const made = space.emulator.find("domain").length;
  expect(made).toBeGreaterThan(0);
  expect(made).toBeLessThan(60);
  expect(stdout).toMatch(/^Interrupted\. .*`driftline apply`$/m);
  expect((await space.run(["apply", "--yes"])).code).toBe(0);
  expect(space.emulator.find("domain").length).toBe(60);
}

describeDialects("exit codes of the command", () => {
  it("0: done, nothing differs", async () => {
    const space = await workspace();
    await space.configure(GOOD);
    expect((await space.run(["apply", "--yes"])).code).toBe(0);
    expect((await space.run(["plan", "--detailed-exitcode"])).code).toBe(0);
    expect((await space.run(["drift"])).code).toBe(0);
    expect((await space.run(["validate"])).code).toBe(0);
    expect((await space.run(["export"])).code).toBe(0);
    expect((await space.run(["--help"])).code).toBe(0);
  });

  it("1: the service cannot be reached", async () => {
    const space = await workspace();
    await space.configure(GOOD);
    expectReported(await space.run(["plan"], { env: { DRIFTLINE_URL: "http://127.0.0.1:1" } }), 1);
  });

  it("1: HTML instead of JSON", async () => {
    const space = await workspace();
    await space.configure(GOOD);
    const url = await stub((server) =>
      server.on("request", (_request, response) => response.setHeader("content-type", "text/html").end("<html>")),
    );
    expectReported(await space.run(["plan"], { env: { DRIFTLINE_URL: url } }), 1);
  });

  it("2: plan --detailed-exitcode and drift find differences", async () => {
    const space = await workspace();
    await space.configure(GOOD);
    expect((await space.run(["plan"])).code).toBe(0);
    expect((await space.run(["plan", "--detailed-exitcode"])).code).toBe(2);
    expect((await space.run(["drift"])).code).toBe(2);
  });

  it.each([
    ["an unknown command", ["aply"]],
    ["an unknown option", ["plan", "--frobnicate"]],
    ["apply without --yes and without a terminal", ["apply"]],
    ["an address that is not declared", ["plan", "--only", "acme/domains/corp"]],
    ["an invalid saved plan", ["show", "driftline.yaml"]],
    ["a configuration that does not parse", ["plan", "broken.yaml"]],
  ])("10: %s, and nothing was requested", async (_name, args) => {
    const space = await workspace();
    await space.configure(GOOD);
    await space.configure("driftline: 1\norganizations: [", "broken.yaml");
    const result = await space.run(args);
    expect(result.code, result.stderr).toBe(10);
    expect(result.stderr).toContain("error");
    expect(space.emulator.requests).toEqual([]);
  });

  it.each([
    ["a project id outside of the organization", 'id: "9"'],
    ["a mistyped project name", "name: Wbe"],
    ["an ambiguous project name", "name: Twin"],
  ])("10: %s, with its place, and nothing was written", async (_name, project) => {
    const space = await workspace();
    const [organization] = space.emulator.find("organization");
    for (let twin = 0; twin < 2; twin += 1) space.emulator.addProject(String(organization?.["id"]), "Twin");
    await space.configure(`${GOOD}    projects:\n      web: { ${project}, insights: { a: { name: A } } }\n`);
    const reported = new Set<string>();
    for (const args of [["plan"], ["apply", "--yes"]]) {
      const result = await space.run(args);
      expectReported(result, 10);
      reported.add(linesWith(result.stderr, "driftline.yaml:7:7: error unknown_project"));
    }
    expect([...reported].join("\n")).toMatchSnapshot();
    expect(space.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it("11: a wrong key, no key, and a missing scope", async () => {
    const space = await workspace({ keys: [{ key: "good" }, { key: "narrow", scopes: ["organization:read"] }] });
    await space.configure(`${GOOD}    pipeline_destinations:\n      p: { name: P }\n`);
    const wrong = await space.run(["plan"], { env: { DRIFTLINE_API_KEY: "wrong" } });
    expectReported(wrong, 11);
    expectReported(await space.run(["plan"], { env: { DRIFTLINE_API_KEY: "" } }), 11);
    const narrow = await space.run(["plan"], { env: { DRIFTLINE_API_KEY: "narrow" } });
    expectReported(narrow, 11);
    expect(narrow.stderr).toContain("plugin:read");
  });

  it("14: applied in part", async () => {
    const space = await workspace();
    await space.configure(`${GOOD}    domains:\n      a: { domain: a.com }\n      b: { domain: b.com }\n`);
    space.emulator.faults.add({ method: "POST", times: 1, fault: { type: "status", status: 403 } });
    const result = await space.run(["apply", "--yes"]);
    expect(result.code, result.stderr + result.stdout).toBe(14);
  });

  it("15: the outcome is unknown, with the way to find out", async () => {
    const space = await workspace();
    await space.configure(`${GOOD}    domains:\n      a: { domain: a.com }\n`);
    space.emulator.faults.add({ method: "POST", fault: { type: "process-then-drop" } });
    // The list that would show the object cannot be read from then on.
    space.emulator.faults.add({
      method: "GET",
      path: "/domains",
      nth: 3,
      times: 100,
      fault: { type: "status", status: 503 },
    });
    const runtime = { clock: instantClock() };
    const result = await space.run(["apply", "--yes", "--settle-after", "1"], { runtime });
    expect(result.code, result.stderr + result.stdout).toBe(15);
    expect(result.stdout).toContain("(outcome_unknown)");
    expect(linesWith(result.stdout, "acme/domains/a ")).toMatchSnapshot();
  });

  it("130: interrupted, after finishing the requests in flight", async () => {
    const space = await workspace({ latencyMs: 20 });
    await space.configure(MANY);
    const controller = new AbortController();
    onEighthCreate(space, () => controller.abort());
    await expectInterrupted(space, space.run(["apply", "--yes"], { runtime: { signal: controller.signal } }));
  });

  it("130: a saved plan that is partly applied is not suggested again", async () => {
    const space = await workspace({ latencyMs: 20 });
    await space.configure(MANY);
    await space.run(["plan", "--out", "plan.json"]);
    const controller = new AbortController();
    onEighthCreate(space, () => controller.abort());
    const apply = ["apply", "--yes", "--plan", "plan.json"];
    await expectInterrupted(space, space.run(apply, { runtime: { signal: controller.signal } }));
  });

  it("a saved plan is written for its owner only and can be shown", async () => {
    const space = await workspace();
    await space.configure(GOOD);
    await writeFile(join(space.folder, "x"), "");
    expect((await space.run(["plan", "--out", "plan.json"])).code).toBe(0);
    const shown = await space.run(["show", "plan.json"]);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain("enforce_2fa");
    expect((await stat(join(space.folder, "plan.json"))).mode & 0o777).toBe(0o600);
  });
});

describe("the real process", () => {
  it("ends with the code of the command, with results on stdout and everything else on stderr", async () => {
    const space = await workspace();
    await space.configure(GOOD);
    const process = (args: readonly string[]): Promise<CliResult> =>
      spawnCli(args, { cwd: space.folder, env: space.env }).result;
    const [drift, missing] = await Promise.all([
      process(["drift", "--format", "json"]),
      process(["plan", "missing.yaml"]),
    ]);
    expect(drift.code).toBe(2);
    expect(JSON.parse(drift.stdout)).toMatchObject({ type: "driftline.drift" });
    expect(drift.stderr).toContain("warning protection_off");
    expect(missing.stdout).toBe("");
    expectReported(missing, 10);
  });

  it("130: finishes the requests in flight after a signal", async () => {
    const space = await workspace({ latencyMs: 100 });
    await space.configure(MANY);
    const { child, result } = spawnCli(["apply", "--yes"], { cwd: space.folder, env: space.env });
    onEighthCreate(space, () => void child.kill("SIGINT"));
    await expectInterrupted(space, result);
  });
});

describeDialects("the real process", () => {
  it("a reader that ends early neither ends an apply nor changes its result", async () => {
    const space = await workspace({ latencyMs: 20 });
    await space.configure(
      `${GOOD}    domains: { a: { domain: a.com }, b: { domain: b.com, saml_entity_id: "urn:b" } }\n`,
    );
    const { child, result } = spawnCli(["apply", "--yes"], { cwd: space.folder, env: space.env });
    // It ends before the plan is shown, so before any write.
    child.stdout?.destroy();
    expect((await result).code).toBe(0);
    expect(space.emulator.find("domain").length).toBe(2);
    space.emulator.faults.add({ method: "PATCH", path: "/domains", fault: { type: "status", status: 400 } });
    await space.configure(`${GOOD}    domains: { a: { domain: a.com, saml_entity_id: "urn:a" } }\n`);
    const again = spawnCli(["apply", "--yes"], { cwd: space.folder, env: space.env });
    again.child.stdout?.destroy();
    again.child.stderr?.destroy();
    expect((await again.result).code).toBe(1);
  });
});
