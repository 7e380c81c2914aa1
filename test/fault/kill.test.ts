/**
 * SIGKILL at every boundary of an apply: each request, before and after it took effect, and each access to lock and journal,
 * before, in the middle and after. The boundaries are enumerated: a run is killed one further each time, until one is not.
 * After each kill the next run has to converge: exit code 0, everything once, and an empty plan.
 */
import { spawn } from "node:child_process";
import { describe, expect, it } from "vitest";
import type { Emulator } from "../../src/emulator/index.ts";
import { spawnCli } from "../support/cli.ts";
import { SEED, workspace, type Workspace } from "../support/workspace.ts";
import { ACME, applyNow, changesOf, configOf } from "./support.ts";

const APPLY = ["apply", "--yes", "--format", "json", "--settle-after", "1"];
const KILLER = new URL("killer.mjs", import.meta.url).pathname;
const AT_ONCE = 4;

/** Creates of most kinds, an update, the replace of an invite, and removals. */
const CONFIG = configOf({
  beta: { name: "Beta", lifecycle: { create: true }, domains: { b: { domain: "beta.com" } } },
  acme: {
    id: ACME,
    enforce_2fa: true,
    domains: {
      a: { domain: "a.com", sso_enforcement: "saml" },
      gone: { domain: "gone.com", lifecycle: { state: "absent" } },
    },
    invites: {
      i: { target_email: "invited@acme.com", level: "admin" },
      old: { target_email: "old@acme.com", level: "admin" },
    },
    memberships: { "eve@acme.com": { level: "admin" } },
    pipeline_destinations: { p: { name: "Sink", plugin_type: "source" } },
    projects: {
      web: {
        id: "2",
        batch_exports: { e: { name: "Events", interval: "hour", destination: { type: "NoOp", config: {} } } },
        insights: {
          i: { name: "Made" },
          u: { name: "Changed", description: "new" },
          g: { name: "Gone", lifecycle: { state: "absent" } },
        },
      },
    },
  },
});

const [SEEDED] = SEED.organizations;
const [WEB] = SEEDED?.projects ?? [];
const FULL = {
  organizations: [
    {
      ...SEEDED,
      domains: [{ domain: "gone.com" }],
      invites: [{ target_email: "old@acme.com", level: 1 }],
      projects: [{ ...WEB, insights: [{ name: "Changed", description: "old" }, { name: "Gone" }] }],
    },
  ],
};

/** What is there in the end, however often it was killed on the way. */
const EXPECTED = {
  organization: ["Acme Inc", "Beta"],
  domain: ["a.com", "beta.com"],
  invite: ["eve@acme.com", "invited@acme.com", "old@acme.com"],
  pipeline_destination: ["Sink"],
  batch_export: ["Events"],
  insight: ["Changed", "Made"],
} as const;

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

/** The run after a kill does what is left, and the one after that nothing. */
async function expectConverges(killed: Workspace, where: string): Promise<void> {
  const again = await applyNow(killed);
  expect(again.code, `${where}: ${again.stderr}${again.stdout}`).toBe(0);
  expect(contents(killed.emulator), where).toEqual(EXPECTED);
  expect(killed.emulator.find("batch_export"), where).toMatchObject([{ paused: false }]);
  killed.emulator.clearRequests();
  expect(changesOf(await applyNow(killed)), where).toEqual([]);
  expect(killed.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
}

/** Runs `attempt` with 1, 2, 3, ... until it says that there is no such boundary; several at a time. Gives how many there are. */
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

type Moment = "and never arrives" | "and takes effect" | "after it took effect";

/** Kills the process when its nth request is there. False where it ended before. */
async function killAtRequest(number: number, moment: Moment): Promise<boolean> {
  const killed = await space();
  const { child, result } = spawnCli(APPLY, { cwd: killed.folder, env: killed.env });
  // The emulator asks the promise only when the request is there: that is the moment.
  const kill = {
    catch: async () => {
      child.kill("SIGKILL");
      await result;
    },
  };
  const type = moment === "after it took effect" ? "delay-after" : "delay-before";
  const hit = killed.emulator.faults.add({ nth: number, fault: { type, until: kill as unknown as Promise<unknown> } });
  if (moment === "and never arrives") killed.emulator.faults.add({ nth: number, fault: { type: "drop-before" } });
  await result;
  // What had arrived by then is still at work for a moment.
  await new Promise((resolve) => setTimeout(resolve, 20));
  killed.emulator.faults.clear();
  if (hit.hits > 0) await expectConverges(killed, `request ${String(number)} ${moment}`);
  return hit.hits > 0;
}

/** Kills the process at its nth access to lock or journal. False where it ended before. */
async function killAtWrite(number: number, moment: string): Promise<boolean> {
  const killed = await space();
  const env = { ...killed.env, NODE_OPTIONS: `--import ${KILLER}`, DRIFTLINE_TEST_KILL: `${String(number)} ${moment}` };
  const { code, signal } = await real(killed, env);
  await new Promise((resolve) => setTimeout(resolve, 20));
  if (signal === null) expect(code).toBe(0);
  await expectConverges(killed, `write ${String(number)} ${moment}`);
  return signal === "SIGKILL";
}

async function real(
  { folder }: Workspace,
  env: Readonly<Record<string, string>>,
): Promise<{ code: number | null; signal: string | null }> {
  const main = new URL("../../dist/cli/main.js", import.meta.url).pathname;
  const child = spawn(process.execPath, [main, ...APPLY], {
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: "ignore",
  });
  return new Promise((resolve) => child.on("close", (code, signal) => resolve({ code, signal })));
}

describe("an apply of many kinds that is killed", { timeout: 300_000 }, () => {
  it.each(["and never arrives", "and takes effect", "after it took effect"] as const)(
    "at each request, %s",
    async (moment) => {
      const boundaries = await enumerate((number) => killAtRequest(number, moment));
      expect(boundaries).toBeGreaterThan(25);
      console.log(`killed at each of ${String(boundaries)} requests, ${moment}`);
    },
  );

  it.each(["before", "torn", "after"])("at each touch of lock and journal, %s it", async (moment) => {
    const boundaries = await enumerate((number) => killAtWrite(number, moment));
    expect(boundaries).toBeGreaterThan(15);
    console.log(`killed ${moment} each of ${String(boundaries)} accesses`);
  });
});

describe("a create that takes effect only while the next run is at work", { timeout: 60_000 }, () => {
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
