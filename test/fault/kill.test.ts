/**
 * SIGKILL to the command itself, alone in its process, for a few changes: while each request is under way, and after each access
 * to lock and journal. Each run is killed one moment later, until one ends by itself. After each kill the next run has to
 * converge: exit code 0, everything once, and an empty plan. Every kind, every change and every moment: kill-everything.test.ts.
 */
import { spawn } from "node:child_process";
import { describe, expect, it } from "vitest";
import type { Emulator } from "../../src/emulator/index.ts";
import { spawnCli } from "../support/cli.ts";
import { commandFile } from "../support/command.ts";
import { SEED, workspace, type Workspace } from "../support/workspace.ts";
import { ACME, applyNow, changesOf, configOf } from "./support.ts";

const APPLY = ["apply", "--yes", "--format", "json", "--settle-after", "1"];
const KILLER = new URL("killer.mjs", import.meta.url).pathname;
const AT_ONCE = 4;

/** A create, a create of several steps, and a replace that removes first. */
const CONFIG = configOf({
  acme: {
    id: ACME,
    domains: { a: { domain: "a.com" } },
    invites: { old: { target_email: "old@acme.com", level: "admin" } },
    projects: {
      web: {
        id: "2",
        batch_exports: { e: { name: "Events", interval: "hour", destination: { type: "NoOp", config: {} } } },
      },
    },
  },
});

const [SEEDED] = SEED.organizations;
const FULL = { organizations: [{ ...SEEDED, invites: [{ target_email: "old@acme.com", level: 1 }] }] };

/** The live objects in the end, regardless of the number of kills. */
const EXPECTED = { domain: ["a.com"], invite: ["old@acme.com"], batch_export: ["Events"] } as const;

function contents(emulator: Emulator): object {
  const all = Object.keys(EXPECTED).map((kind) => {
    const live = emulator.find(kind as keyof typeof EXPECTED, (object) => object["deleted"] !== true);
    return [
      kind,
      live.map((object) => String(object["target_email"] ?? object["domain"] ?? object["name"])).toSorted(),
    ];
  });
  return Object.fromEntries(all) as object;
}

async function space(): Promise<Workspace> {
  const made = await workspace({ seed: FULL as never });
  await made.configure(CONFIG);
  return made;
}

/** The run after a kill finishes the work, and the one after that does nothing. */
async function expectConverges(killed: Workspace, where: string): Promise<void> {
  const again = await applyNow(killed);
  expect(again.code, `${where}: ${again.stderr}${again.stdout}`).toBe(0);
  expect(contents(killed.emulator), where).toEqual(EXPECTED);
  expect(killed.emulator.find("batch_export"), where).toMatchObject([{ paused: false }]);
  killed.emulator.clearRequests();
  expect(changesOf(await applyNow(killed)), where).toEqual([]);
  expect(killed.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
}

/** Runs `attempt` with 1, 2, 3, ... until no such boundary exists; several at a time. Returns the number of boundaries. */
async function enumerate(attempt: (number: number) => Promise<boolean>): Promise<number> {
  let [next, last] = [1, Infinity];
  const worker = async (): Promise<void> => {
    while (next < last) {
      const number = next++;
      if (!(await attempt(number))) last = Math.min(last, number);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return last - 1;
}

/** Kills the process when its nth request has arrived, which then takes effect. Returns false if the process ended before. */
async function killAtRequest(number: number): Promise<boolean> {
  const killed = await space();
  const { child, result } = spawnCli(APPLY, { cwd: killed.folder, env: killed.env });
  // The emulator awaits the promise only when the request has arrived: that is the moment.
  const kill = {
    catch: async () => {
      child.kill("SIGKILL");
      await result;
    },
  };
  const fault = { type: "delay-before", until: kill as unknown as Promise<unknown> } as const;
  const hit = killed.emulator.faults.add({ nth: number, fault });
  await result;
  // Requests that had arrived by then need a moment to finish.
  await expect.poll(() => killed.emulator.requests.every(({ status }) => status !== null)).toBe(true);
  killed.emulator.faults.clear();
  if (hit.hits > 0) await expectConverges(killed, `request ${String(number)}`);
  return hit.hits > 0;
}

/** Kills the process after its nth access to lock or journal. Returns false if the process ended before. */
async function killAtWrite(number: number): Promise<boolean> {
  const killed = await space();
  const env = { ...killed.env, NODE_OPTIONS: `--import ${KILLER}`, DRIFTLINE_TEST_KILL: String(number) };
  const { code, signal } = await real(killed, env);
  await expect.poll(() => killed.emulator.requests.every(({ status }) => status !== null)).toBe(true);
  if (signal === null) expect(code).toBe(0);
  await expectConverges(killed, `write ${String(number)}`);
  return signal === "SIGKILL";
}

async function real(
  { folder }: Workspace,
  env: Readonly<Record<string, string>>,
): Promise<{ code: number | null; signal: string | null }> {
  const child = spawn(process.execPath, [commandFile(), ...APPLY], {
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: "ignore",
  });
  return new Promise((resolve) => child.on("close", (code, signal) => resolve({ code, signal })));
}

describe("an apply that is killed", () => {
  it.each([
    ["while any request is under way", killAtRequest, 12],
    ["after any access to lock and journal", killAtWrite, 12],
  ] as const)("%s, is finished by the next one", async (words, kill, least) => {
    const boundaries = await enumerate(kill);
    console.log(`killed ${words}: ${String(boundaries)}`);
    expect(boundaries).toBeGreaterThan(least);
  });
});

describe("a create that takes effect only during the next run", () => {
  it("is found by that run and not sent again", async () => {
    const killed = await workspace();
    await killed.configure(configOf({ acme: { id: ACME, domains: { a: { domain: "a.com" } } } }));
    const { child, result } = spawnCli(["apply", "--yes", "--settle-after", "3"], {
      cwd: killed.folder,
      env: killed.env,
    });
    let land = (): void => undefined;
    const later = new Promise<void>((resolve) => (land = resolve));
    const kill = {
      catch: async () => {
        child.kill("SIGKILL");
        await result;
        await later;
      },
    };
    killed.emulator.faults.add({
      method: "POST",
      nth: 1,
      fault: { type: "delay-before", until: kill as unknown as Promise<unknown> },
    });
    await result;
    // The plan of the next run does not see it, nor does its first probe.
    let lists = 0;
    const watch = { catch: () => Promise.resolve(lists++ === 1 ? land() : undefined) };
    killed.emulator.faults.add({
      method: "GET",
      path: "/domains",
      fault: { type: "delay-after", until: watch as unknown as Promise<unknown> },
    });
    const again = await killed.run(["apply", "--yes", "--format", "json", "--settle-after", "3"]);
    expect(again.code, again.stderr).toBe(0);
    expect(lists).toBeGreaterThan(2);
    expect(killed.emulator.requests.filter(({ method }) => method === "POST")).toHaveLength(1);
    expect(killed.emulator.find("domain")).toHaveLength(1);
  });
});
