/** Faults on updates and removals, time-outs, a full disk, and runs that meet. */
import { execFileSync, spawn } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { applyPlan } from "../../src/engine/apply/apply-plan.ts";
import type { EmulatedKind, Fault } from "../../src/emulator/index.ts";
import { LARGE_HEADERS, NO_HTTP } from "../support/no-http.ts";
import { linesWith } from "../support/normalized.ts";
import { withLibrary } from "../support/ways.ts";
import { commandFile } from "../support/command.ts";
import { SEED, workspace, type Workspace } from "../support/workspace.ts";
import { ACME, applyNow, applyWithLibrary, changesOf, configOf } from "./support.ts";

const LAST = { type: "NoOp", config: {} };
const acme = (inner: object): object => configOf({ acme: { id: ACME, ...inner } });
const web = (inner: object): object => acme({ projects: { web: { id: "2", ...inner } } });

/** An existing object, and its change. */
interface Write {
  readonly name: string;
  readonly method: "PATCH" | "DELETE" | "POST";
  readonly path: RegExp;
  readonly config: object;
  readonly stored: EmulatedKind;
  /** Whether the service is as declared. */
  readonly isDone: (objects: readonly object[]) => boolean;
}

const [SEEDED] = SEED.organizations;
const [WEB] = SEEDED?.projects ?? [];
const WORLD = {
  organizations: [
    {
      ...SEEDED,
      domains: [{ domain: "a.com" }],
      invites: [{ target_email: "eve@acme.com", level: 1 }],
      pipeline_destinations: [{ name: "P", plugin_type: "source" }],
      projects: [
        {
          ...WEB,
          insights: [{ name: "I", description: "old" }],
          batch_exports: [{ name: "E", interval: "hour", destination: LAST }],
        },
      ],
    },
  ],
};
const ABSENT = { lifecycle: { state: "absent" } };
const none = (objects: readonly object[]): boolean => objects.length === 0;
const has =
  (fields: Readonly<Record<string, unknown>>) =>
  (objects: readonly object[]): boolean =>
    objects.some((object) =>
      Object.entries(fields).every(([key, value]) => (object as Record<string, unknown>)[key] === value),
    );

const WRITES: readonly Write[] = [
  {
    name: "update of an organization",
    method: "PATCH",
    path: /organizations\/[^/]+\/?$/,
    config: acme({ enforce_2fa: true }),
    stored: "organization",
    isDone: has({ enforce_2fa: true }),
  },
  {
    name: "update of a domain",
    method: "PATCH",
    path: /domains/,
    config: acme({ domains: { d: { domain: "a.com", sso_enforcement: "google-oauth2" } } }),
    stored: "domain",
    isDone: has({ sso_enforcement: "google-oauth2" }),
  },
  {
    name: "update of a member",
    method: "PATCH",
    path: /members/,
    config: acme({ members: { "bob@acme.com": { level: "admin" } } }),
    stored: "member",
    isDone: (objects) => objects.filter(has1({ level: 8 })).length === 2,
  },
  {
    name: "update of an insight",
    method: "PATCH",
    path: /insights/,
    config: web({ insights: { i: { name: "I", description: "new" } } }),
    stored: "insight",
    isDone: has({ description: "new" }),
  },
  {
    name: "pausing of a batch export",
    method: "POST",
    path: /pause/,
    config: web({ batch_exports: { e: { name: "E", interval: "hour", destination: LAST, paused: true } } }),
    stored: "batch_export",
    isDone: has({ paused: true }),
  },
  {
    name: "removal of a domain",
    method: "DELETE",
    path: /domains/,
    config: acme({ domains: { d: { domain: "a.com", ...ABSENT } } }),
    stored: "domain",
    isDone: none,
  },
  {
    name: "removal of an invite",
    method: "DELETE",
    path: /invites/,
    config: acme({ memberships: { "eve@acme.com": ABSENT } }),
    stored: "invite",
    isDone: none,
  },
  {
    name: "removal of a plugin",
    method: "DELETE",
    path: /pipeline_destinations/,
    config: acme({ pipeline_destinations: { p: { name: "P", plugin_type: "source", ...ABSENT } } }),
    stored: "pipeline_destination",
    isDone: none,
  },
  {
    name: "removal of an insight",
    method: "PATCH",
    path: /insights/,
    config: web({ insights: { i: { name: "I", ...ABSENT } } }),
    stored: "insight",
    isDone: has({ deleted: true }),
  },
  {
    name: "removal of a batch export",
    method: "DELETE",
    path: /batch_exports/,
    config: web({ batch_exports: { e: { name: "E", interval: "hour", destination: LAST, ...ABSENT } } }),
    stored: "batch_export",
    isDone: none,
  },
];

function has1(fields: Readonly<Record<string, unknown>>): (object: object) => boolean {
  return (object) => has(fields)([object]);
}

const FAULTS: readonly {
  readonly name: string;
  readonly fault: Fault;
  readonly times: number;
  /** How often the write is sent, if that is certain. */
  readonly sent?: number;
  readonly ends: readonly string[];
}[] = [
  { name: "processed, then dropped", fault: { type: "process-then-drop" }, times: 1, ends: ["applied"] },
  { name: "processed, then dropped, for ever", fault: { type: "process-then-drop" }, times: 99, ends: ["applied"] },
  { name: "dropped before", fault: { type: "drop-before" }, times: 1, ends: ["applied"] },
  { name: "dropped before, for ever", fault: { type: "drop-before" }, times: 99, ends: ["failed"] },
  { name: "half a body", fault: { type: "half-body" }, times: 1, ends: ["applied"] },
  ...Object.entries({ ...NO_HTTP, ...LARGE_HEADERS }).map(([name, text]) => ({
    name,
    fault: { type: "bytes", text } as const,
    times: 99,
    sent: 1,
    ends: ["applied"],
  })),
  { name: "HTML 502, for ever", fault: { type: "html-502" }, times: 99, ends: ["failed"] },
  { name: "503", fault: { type: "status", status: 503 }, times: 1, ends: ["applied"] },
  { name: "500, for ever", fault: { type: "status", status: 500 }, times: 99, ends: ["failed"] },
  { name: "403", fault: { type: "status", status: 403 }, times: 99, ends: ["failed", "applied"] },
  { name: "429", fault: { type: "throttle", retryAfter: 1 }, times: 1, ends: ["applied"] },
];

async function spaceOf(config: object): Promise<Workspace> {
  const space = await workspace({ seed: WORLD as never });
  await space.configure(config);
  return space;
}

describe.each(WRITES)("the $name", (write) => {
  const { method, path, config, stored, isDone } = write;
  it.each(FAULTS)(
    "with $name: the outcome is correct, and the next run finishes the work",
    async ({ fault, times, sent, ends }) => {
      const space = await spaceOf(config);
      const handle = space.emulator.faults.add({ method, path, nth: 1, times, fault });
      const first = await applyNow(space);
      expect(handle.hits).toBeGreaterThan(0);
      if (sent !== undefined) expect(handle.hits).toBe(sent);
      const [outcome] = changesOf(first);
      expect(ends, first.stdout).toContain(outcome?.status);
      const done = isDone(space.emulator.find(stored));
      if (outcome?.status === "applied") expect(done, first.stdout).toBe(true);
      if (outcome?.status === "failed") expect(done, first.stdout).toBe(false);
      // A key that may not write is 11.
      expect(outcome?.status === "applied" ? [0] : [1, 11], first.stdout).toContain(first.code);
      space.emulator.faults.clear();
      const again = await applyNow(space);
      expect(again.code, again.stdout + again.stderr).toBe(0);
      expect(isDone(space.emulator.find(stored))).toBe(true);
      expect(changesOf(await applyNow(space))).toEqual([]);
    },
  );
});

describe("the replace of a batch export that could not be finished", () => {
  it("is finished by the next run: no third export, one left, of the new type and running", async () => {
    const destination = { type: "HTTP", config: { url: "https://a.com" } };
    const space = await spaceOf(web({ batch_exports: { e: { name: "E", interval: "hour", destination } } }));
    const refused: Fault = { type: "status", status: 403 };
    space.emulator.faults.add({ method: "DELETE", path: "/batch_exports", times: 1, fault: refused });
    expect(await applyWithLibrary(space)).toMatchObject([{ action: "replace", status: "unverified" }]);
    expect(space.emulator.find("batch_export").map(({ paused }) => paused)).toEqual([false, true]);
    expect(await applyWithLibrary(space)).toMatchObject([{ action: "replace", status: "applied" }]);
    expect(space.emulator.find("batch_export")).toMatchObject([{ paused: false, destination: { type: "HTTP" } }]);
    expect(await applyWithLibrary(space)).toEqual([]);
  });
});

describe("a disk that is full", () => {
  it("stops a create before it is sent, and says why", async () => {
    const domains = Array.from({ length: 60 }, (_, index) => ({ domain: `seeded-${String(index)}.com` }));
    const space = await workspace({ seed: { organizations: [{ ...SEEDED, domains }] } as never });
    await space.configure(acme({ domains: { d: { domain: "a.com" } } }));
    const command = `ulimit -f 1; exec '${process.execPath}' '${commandFile()}' apply --yes`;
    const child = spawn("bash", ["-c", command], {
      cwd: space.folder,
      env: { PATH: process.env["PATH"] ?? "", ...space.env },
    });
    let stdout = "";
    child.stdout.on("data", (data: Buffer) => void (stdout += data.toString()));
    const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
    expect(code, stdout).toBe(1);
    expect(linesWith(stdout, "(no_journal)")).toMatchSnapshot();
    expect(space.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    expect((await applyNow(space)).code).toBe(0);
    expect(space.emulator.find("domain", ({ domain }) => domain === "a.com")).toHaveLength(1);
  });

  it("or a folder that cannot be written stops it as well", async () => {
    const space = await workspace();
    await space.configure(acme({ domains: { d: { domain: "a.com" } } }));
    execFileSync("touch", [`${space.folder}/file`]);
    const result = await space.run(["apply", "--yes"], { env: { DRIFTLINE_STATE_DIR: `${space.folder}/file/state` } });
    expect(result.code).toBe(1);
    expect(result.stdout + result.stderr).toContain("DRIFTLINE_STATE_DIR");
    expect(space.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });
});

describe("two exports of one name, in an organization and in a project of it", () => {
  it.each(["processed, then dropped", "dropped before"])(
    "are each created once, with both requests %s",
    async (how) => {
      const fault: Fault = { type: how === "dropped before" ? "drop-before" : "process-then-drop" };
      const space = await workspace();
      const own = { name: "Made", interval: "hour", destination: LAST };
      await space.configure(
        acme({ batch_exports: { e: own }, projects: { web: { id: "2", batch_exports: { e: own } } } }),
      );
      const route = (path: RegExp) => space.emulator.faults.add({ method: "POST", path, nth: 1, fault });
      const handles = [route(/organizations.*batch_exports\/?$/), route(/projects.*batch_exports\/?$/)];
      const first = await applyNow(space);
      expect(first.code, first.stdout).toBe(0);
      expect(handles.map(({ hits }) => hits)).toEqual([1, 1]);
      expect(space.emulator.find("batch_export")).toHaveLength(2);
      expect(new Set(changesOf(first).map(({ id }) => id)).size).toBe(2);
      expect(changesOf(await applyNow(space))).toEqual([]);
    },
  );
});

describe("two runs at the same time", () => {
  it("create everything once between them", async () => {
    const space = await workspace({ latencyMs: 5 });
    const insights = Object.fromEntries(
      Array.from({ length: 10 }, (_, index) => [`i${String(index)}`, { name: `I ${String(index)}` }]),
    );
    await space.configure(web({ insights }));
    const codes = (await Promise.all([applyNow(space), applyNow(space), applyNow(space)])).map(({ code }) => code);
    expect(codes.toSorted((a, b) => a - b)).toEqual([0, 1, 1]);
    expect(space.emulator.find("insight")).toHaveLength(10);
  });

  it("also if the second has made its plan before the first began to write, and gets the lock after it has ended", async () => {
    const space = await workspace();
    await space.configure(web({ insights: { i: { name: "Made" } } }));
    let first: Promise<unknown> | undefined;
    // The answer to the second run's list is held back until the first run is over.
    const hold = { catch: () => (first ??= applyNow(space)) };
    space.emulator.faults.add({
      method: "GET",
      path: "/insights",
      nth: 1,
      fault: { type: "delay-after", until: hold as unknown as Promise<unknown> },
    });
    await applyNow(space);
    await first;
    expect(space.emulator.find("insight")).toHaveLength(1);
  });

  it("a run that was suspended until another took over its lock creates nothing", async () => {
    const space = await workspace();
    await space.configure(web({ insights: { i: { name: "Made" } } }));
    const takeOver = (): void => {
      const folder = join(space.folder, "state");
      const lock = readdirSync(folder).find((name) => name.endsWith(".lock")) ?? "";
      writeFileSync(join(folder, lock), "of another run");
    };
    const { changes } = await withLibrary(space, "driftline.plan", (run) =>
      applyPlan(run, { document: run.document }, { onStart: takeOver }),
    );
    expect(changes).toMatchObject([{ action: "no_op" }, { status: "failed", error: { code: "no_journal" } }]);
    expect(space.emulator.find("insight")).toEqual([]);
  });
});
