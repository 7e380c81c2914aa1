/** A disk that is full, a folder that cannot be made, a working directory that is gone: nothing half is left, and a sentence says it. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CliResult } from "../support/cli.ts";
import { commandFile } from "../support/command.ts";
import { linesWith } from "../support/normalized.ts";
import { workspace, type Workspace } from "../support/workspace.ts";
import { ACME, configOf } from "./support.ts";

const DOMAINS = Object.fromEntries(
  Array.from({ length: 30 }, (_, index) => [`d${String(index)}`, { domain: `made-${String(index)}.com` }]),
);

/** Runs the command in bash, after `first`. */
async function after(space: Workspace, first: string, args: string): Promise<CliResult> {
  const child = spawn("bash", ["-c", `${first}; exec '${process.execPath}' '${commandFile()}' ${args}`], {
    cwd: space.folder,
    env: { PATH: process.env["PATH"] ?? "", ...space.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (data: Buffer) => void (stdout += data.toString()));
  child.stderr.on("data", (data: Buffer) => void (stderr += data.toString()));
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code: code ?? -1, stdout, stderr };
}

/** No file may be larger than 1 KiB. */
const FULL = "ulimit -f 1";

describe("on a full disk", () => {
  it("plan --out leaves the old file whole, and nothing beside it", async () => {
    const space = await workspace();
    await space.configure(configOf({ acme: { id: ACME, domains: DOMAINS } }));
    await writeFile(join(space.folder, "plan.json"), "old");
    const before = await readdir(space.folder);
    const { code, stderr } = await after(space, FULL, "plan --out plan.json");
    expect(code, stderr).toBe(1);
    expect(stderr).toContain("cannot_write");
    expect(await readFile(join(space.folder, "plan.json"), "utf8")).toBe("old");
    expect(await readdir(space.folder)).toEqual(before);
  });

  it.each(["", "--single-file"])("export %s leaves no file", async (option) => {
    const insights = Array.from({ length: 30 }, (_, index) => ({ name: `Insight ${String(index)}` }));
    const projects = [{ id: 2, name: "Web", insights }];
    const space = await workspace({ seed: { organizations: [{ id: ACME, name: "Acme Inc", projects }] } });
    const { code, stderr } = await after(space, FULL, `export --out live ${option}`);
    expect(code, stderr).toBe(1);
    expect(stderr).toContain("cannot_write");
    const left = await readdir(join(space.folder, "live"), { recursive: true, withFileTypes: true });
    expect(left.filter((entry) => entry.isFile()).map(({ name }) => name)).toEqual([]);
  });
});

describe.runIf(existsSync("/proc/self"))("a folder that can never be made", () => {
  it("for the state is no_journal, and nothing is sent", async () => {
    const space = await workspace();
    await space.configure(configOf({ acme: { id: ACME, domains: DOMAINS } }));
    const { code, stderr } = await space.run(["apply", "--yes"], { env: { DRIFTLINE_STATE_DIR: "/proc/none/state" } });
    expect(code).toBe(1);
    expect(linesWith(stderr, "no_journal")).toMatchSnapshot();
    expect(space.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it("for an export is cannot_write", async () => {
    const space = await workspace();
    const { code, stderr } = await space.run(["export", "--out", "/proc/none/live"]);
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining("cannot_write") as string });
  });
});

it("a working directory that was deleted has a sentence", async () => {
  const space = await workspace();
  const folder = join(space.folder, "gone");
  await mkdir(folder);
  const { code, stderr } = await after(space, `cd '${folder}' && rmdir '${folder}'`, "plan");
  await rm(folder, { recursive: true, force: true });
  expect(code).toBe(10);
  expect(stderr).toMatchSnapshot();
});
