import { spawn } from "node:child_process";
import { describe, expect, it } from "vitest";
import type { Fault } from "../../src/emulator/index.ts";
import { AT, ORG, seedWith } from "../support/call.ts";
import type { CliResult } from "../support/cli.ts";
import { commandFile } from "../support/command.ts";
import { describeDialects } from "../support/dialects.ts";
import { linesWith } from "../support/normalized.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const SEED = seedWith([{ name: "A" }]);

const seeded = () => workspace({ seed: SEED });

describeDialects("exit codes", () => {
  const CREATE = ["call", "domains.create", AT, "domain=acme.org", "--yes"];
  const READ = ["call", "domains.list", AT];
  const failing = async (fault: Fault, args: readonly string[]): Promise<CliResult> => {
    const space = await seeded();
    space.emulator.faults.add({ path: "/domains", fault });
    return space.run(args);
  };

  it("11: no key, a wrong one, and one without the scope", async () => {
    const space = await workspace({ seed: SEED, keys: [{ key: "narrow", scopes: ["insight:read"] }] });
    expect((await space.run(READ, { env: { DRIFTLINE_API_KEY: "" } })).code).toBe(11);
    expect((await space.run(READ, { env: { DRIFTLINE_API_KEY: "wrong" } })).code).toBe(11);
    const lacking = await space.run(READ);
    expect(lacking.code).toBe(11);
    expect(lacking.stderr).toContain("organization:read");
  });

  it("15: a write without an answer, with the way to find out its outcome", async () => {
    const { code, stderr } = await failing({ type: "process-then-drop" }, CREATE);
    expect(code).toBe(15);
    expect(stderr).toContain("domains.list");
    expect(linesWith(stderr, "hint: ")).toMatchSnapshot();
  });

  it("15: a write with a server error", async () => {
    expect((await failing({ type: "status", status: 500 }, CREATE)).code).toBe(15);
  });

  it("1: a read without an answer, or a calculation", async () => {
    const { code, stderr } = await failing({ type: "status", status: 404 }, READ);
    expect(code).toBe(1);
    expect(linesWith(stderr, "hint: ")).toMatchSnapshot();
    const space = await seeded();
    space.emulator.faults.add({ path: "/trend", fault: { type: "half-body" } });
    expect((await space.run(["call", "insights.trend", "project_id=2", 'events:=[{"id":"a"}]'])).code).toBe(1);
  });

  it("1: a write that was refused", async () => {
    const space = await seeded();
    const { code, stderr } = await space.run(["call", "domains.create", AT, "domain=acme.com", "--yes"]);
    expect(code).toBe(1);
    expect(linesWith(stderr, "error unique")).toMatchSnapshot();
  });

  it("1: deleting an insight, with the call to use instead", async () => {
    const space = await seeded();
    const { code, stderr } = await space.run(["call", "insights.delete", "project_id=2", "id=1", "--yes"]);
    expect(code).toBe(1);
    expect(linesWith(stderr, "error invalid")).toMatchSnapshot();
  });

  it("130: interrupted before the request, nothing is sent", async () => {
    const space = await seeded();
    const { code } = await space.run(CREATE, { runtime: { signal: AbortSignal.abort() } });
    expect(code).toBe(130);
    expect(space.emulator.requests).toEqual([]);
  });

  it("130: interrupted while a write is in flight, whose answer is awaited", async () => {
    const space = await seeded();
    const controller = new AbortController();
    let open = (): void => undefined;
    const until = new Promise<void>((resolve) => {
      open = resolve;
    });
    space.emulator.faults.add({ path: "/domains", fault: { type: "delay-after", until } });
    const running = space.run(CREATE, { runtime: { signal: controller.signal } });
    await expect.poll(() => space.emulator.requests.length).toBe(1);
    controller.abort();
    open();
    const { code, stdout } = await running;
    expect(code).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({ domain: "acme.org" });
  });
});

describeDialects("the command", () => {
  it.each([
    ["organizations.get", () => [`id=${ORG}`]],
    [
      "batch_exports.pause",
      (space: Workspace) => [AT, `id=${String(space.emulator.find("batch_export")[0]?.id)}`, "--yes"],
    ],
    ["project_batch_exports.list", () => ["project_id=2"]],
    ["domains.verify", (space: Workspace) => [AT, `id=${String(space.emulator.find("domain")[0]?.id)}`, "--yes"]],
    ["invites.create", () => [AT, "target_email=a@b.co", "--yes"]],
    ["members.list", () => [AT]],
    ["pipeline_destinations.list", () => [AT]],
    ["pipeline_frontend_apps.unused", () => [AT]],
    ["pipeline_import_apps.repository", () => [AT]],
    ["insights.funnel", () => ["project_id=2", 'events:=[{"id":"a"},{"id":"b"}]']],
  ] as const)("calls %s", async (name, args) => {
    const space = await workspace({ seed: SEED, resolves: () => true });
    const command = ["call", name, ...args(space)];
    const { code, stdout, stderr } = await space.run(command);
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toBeTypeOf("object");
  });
});

describe("the real process", () => {
  it("reads the body from stdin and writes the result to stdout", async () => {
    const space = await seeded();
    const child = spawn(process.execPath, [commandFile(), "call", "domains.create", AT, "--body", "-", "--yes"], {
      cwd: space.folder,
      env: { PATH: process.env["PATH"] ?? "", ...space.env },
    });
    let stdout = "";
    child.stdout.on("data", (data: Buffer) => void (stdout += data.toString()));
    child.stdin.end('{"domain": "acme.org"}');
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ domain: "acme.org" });
    expect(space.emulator.requests.at(-1)?.body).toEqual({ domain: "acme.org" });
  });
});
