/** The real process, interrupted once and twice in the middle of its writes. */
import { describe, expect, it, onTestFinished } from "vitest";
import type { FaultHandle } from "../../src/emulator/index.ts";
import { outcomesOf, spawnCli, type CliResult } from "../support/cli.ts";
import { domains, numbered } from "../support/acme.ts";
import { linesWith } from "../support/normalized.ts";
import { workspace, type Workspace } from "../support/workspace.ts";
import { ACME, applyNow, configOf } from "./support.ts";

/** The word that every notice of a first interrupt holds. */
const NOTICE = "interrupt";
const MANY = configOf({ acme: { id: ACME, domains: domains(numbered(30)) } });

interface Held {
  readonly handle: FaultHandle;
  readonly release: () => void;
}

/** Holds the matching requests; `onArrival` receives their number so far. */
function hold(
  space: Workspace,
  rule: object,
  type: "delay-before" | "delay-after",
  onArrival: (n: number) => void,
): Held {
  let [release, arrived] = [(): void => undefined, 0];
  const until = new Promise<void>((resolve) => (release = resolve));
  // The emulator awaits the promise only when a request has arrived.
  const gate = {
    catch: () => {
      onArrival((arrived += 1));
      return until;
    },
  };
  const handle = space.emulator.faults.add({ ...rule, fault: { type, until: gate as unknown as Promise<unknown> } });
  return { handle, release };
}

/** Sends the signal, and once more after the notice of the first. */
function stopAtOnce(child: ReturnType<typeof spawnCli>["child"], signal: NodeJS.Signals): void {
  let heard = "";
  child.stderr?.on("data", (data: Buffer) => {
    const before = heard.includes(NOTICE);
    heard += data.toString();
    if (!before && heard.includes(NOTICE)) child.kill(signal);
  });
  child.kill(signal);
}

async function stoppedWhileWriting(
  signal: NodeJS.Signals,
  args: readonly string[],
  type: "delay-before" | "delay-after" = "delay-before",
): Promise<{ readonly space: Workspace; readonly result: CliResult; readonly held: Held }> {
  const space = await workspace();
  await space.configure(MANY);
  const started = spawnCli(["apply", "--yes", ...args], { cwd: space.folder, env: space.env });
  const held = hold(space, { method: "POST", path: "/domains" }, type, (arrived) => {
    if (arrived === 8) stopAtOnce(started.child, signal);
  });
  return { space, result: await started.result, held };
}

/** The domains that requests have asked for so far. */
const asked = ({ emulator }: Workspace): number =>
  emulator.requests.filter(({ method, path }) => method === "POST" && path.includes("/domains")).length;

it.each([
  ["validate", "SIGTERM"],
  ["plan", "SIGINT"],
  ["apply", "SIGHUP"],
] as const)("a file that keeps %s busy does not keep it from ending (%s)", async (command, signal) => {
  const space = await workspace();
  await space.configure('process.stderr.write("busy"); for (;;);', "a.driftline.ts");
  const { child, result } = spawnCli([command, "."], { cwd: space.folder, env: space.env });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stderr?.once("data", () => child.kill(signal));
  expect(await result).toMatchObject({ stdout: "", stderr: "busy" });
  expect(child.signalCode).toBe(signal);
});

describe("a second interrupt", () => {
  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("stops at once and says what is unknown (%s)", async (signal) => {
    const { space, result, held } = await stoppedWhileWriting(signal, ["--format", "json"]);
    expect(result.code).toBe(130);
    const { changes, statuses, record } = outcomesOf(result);
    expect(record.interrupted).toBe(true);
    expect(asked(space)).toBe(8);
    expect(statuses).toMatchObject({ applied: 0, unchanged: 1, unknown: 8, skipped: 22, failed: 0, unverified: 0 });
    const unknown = changes.filter(({ status }) => status === "unknown");
    expect(unknown.every(({ error, requests }) => error?.code === "outcome_unknown" && requests > 0)).toBe(true);
    for (const { address } of unknown) expect(result.stderr).toContain(address);
    held.release();
  });

  it("is reported in text as well", async () => {
    const { result, held } = await stoppedWhileWriting("SIGINT", []);
    expect(result.code).toBe(130);
    expect(result.stdout.slice(result.stdout.indexOf("Plan: "))).toMatchSnapshot("end");
    expect(result.stderr).not.toContain("outcome_unknown");
    held.release();
  });

  it.each(["delay-before", "delay-after"] as const)(
    "loses nothing: the next run finds the created objects and creates the rest, each once (%s)",
    async (type) => {
      const { space, held } = await stoppedWhileWriting("SIGTERM", [], type);
      held.release();
      space.emulator.faults.clear();
      const again = await applyNow(space);
      expect(again.code, again.stderr).toBe(0);
      expect(space.emulator.find("domain")).toHaveLength(30);
      expect(outcomesOf(await applyNow(space)).summary.no_op).toBe(31);
    },
  );

  it("of a command that only reads prints nothing", async () => {
    const space = await workspace();
    await space.configure(MANY);
    const { child, result } = spawnCli(["plan", "--format", "json"], { cwd: space.folder, env: space.env });
    const held = hold(space, { path: "/domains" }, "delay-before", () => stopAtOnce(child, "SIGINT"));
    expect(await result).toMatchObject({ code: 130, stdout: "" });
    held.release();
  });

  it("of a call that writes says that its outcome is unknown", async () => {
    const space = await workspace();
    const args = ["call", "domains.create", `organization_id=${ACME}`, "domain=a.com", "--yes"];
    const { child, result } = spawnCli(args, { cwd: space.folder, env: space.env });
    const held = hold(space, { method: "POST" }, "delay-before", () => stopAtOnce(child, "SIGINT"));
    const { code, stderr } = await result;
    expect(code).toBe(130);
    expect(linesWith(stderr, "domains.create")).toMatchSnapshot();
    held.release();
  });
});

describe("one interrupt", () => {
  it("finishes the requests in flight and begins nothing else", async () => {
    const space = await workspace();
    await space.configure(MANY);
    const { child, result } = spawnCli(["apply", "--yes", "--format", "json"], { cwd: space.folder, env: space.env });
    const held = hold(space, { method: "POST", path: "/domains" }, "delay-before", (arrived) => {
      if (arrived === 8) child.kill("SIGINT");
    });
    child.stderr?.on("data", (data: Buffer) => void (data.toString().includes(NOTICE) && held.release()));
    const ended = await result;
    expect(ended.code).toBe(130);
    expect(outcomesOf(ended).statuses).toMatchObject({
      applied: 0,
      unchanged: 1,
      skipped: 22,
      unknown: 0,
      unverified: 8,
    });
    expect([asked(space), space.emulator.find("domain").length]).toEqual([8, 8]);
  });

  it("while the outcome of a create is resolved: it is unknown, the code is 130, and the intent is kept", async () => {
    const space = await workspace();
    await space.configure(configOf({ acme: { id: ACME, domains: domains(["a.com"]) } }));
    space.emulator.faults.add({ method: "POST", nth: 1, fault: { type: "drop-before" } });
    const { child, result } = spawnCli(["apply", "--yes", "--format", "json"], { cwd: space.folder, env: space.env });
    let lists = 0;
    // The plan, the check before the create, and the first probe.
    hold(space, { method: "GET", path: "/domains" }, "delay-after", () => {
      if ((lists += 1) === 3) child.kill("SIGINT");
    }).release();
    const ended = await result;
    expect(ended.code, ended.stderr).toBe(130);
    expect(outcomesOf(ended).changes.at(-1)).toMatchObject({ status: "unknown", error: { code: "outcome_unknown" } });
    space.emulator.faults.clear();
    expect((await applyNow(space)).code).toBe(0);
    expect(space.emulator.find("domain")).toHaveLength(1);
  });
});
