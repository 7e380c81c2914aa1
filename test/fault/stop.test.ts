/**
 * A machine that stops at every boundary of an apply of every kind, on both dialects: the boundaries are those of a run that
 * is not stopped, counted first. kill.test.ts does the same with a real signal to a real process, for fewer kinds.
 */
import { describe, expect, it } from "vitest";
import { allKinds } from "../../src/kinds/registry.ts";
import { outcomesOf, planOf } from "../support/cli.ts";
import { workspace, type Workspace } from "../support/workspace.ts";
import { ACME, configOf, instantClock } from "./support.ts";
import { stopAt, type Moment } from "./stop.ts";

const ABSENT = { lifecycle: { state: "absent" } };
const NOTHING = { type: "NoOp", config: {} };
const app = (name: string, more: object = {}): object => ({ name, plugin_type: "source", ...more });
const ARGS = ["apply", "--yes", "--format", "json", "--settle-after", "1", "--confirm-organization", "Gone Inc"];
/** In which group a deployed server shows a plugin. */
const GROUPS = {
  pipeline_destinations: { methods: ["onEvent"] },
  pipeline_frontend_apps: {},
  pipeline_import_apps: { methods: [], scheduled_tasks: ["runEveryHour"] },
};
const groups = (of: (capabilities: object) => object): object =>
  Object.fromEntries(Object.entries(GROUPS).map(([name, capabilities]) => [name, of(capabilities)]));

/** Everything that can be done to every kind. */
const CONFIG = configOf({
  beta: { name: "Beta", lifecycle: { create: true }, domains: { b: { domain: "beta.com" } } },
  gone: { name: "Gone Inc", ...ABSENT },
  acme: {
    id: ACME,
    enforce_2fa: true,
    domains: {
      made: { domain: "made.com" },
      changed: { domain: "changed.com", jit_provisioning_enabled: true },
      gone: { domain: "gone.com", ...ABSENT },
    },
    invites: {
      made: { target_email: "made@acme.com", level: "admin" },
      replaced: { target_email: "replaced@acme.com", level: "admin" },
      gone: { target_email: "gone@acme.com", ...ABSENT },
    },
    members: { "ada@acme.com": { level: "member" }, "lea@acme.com": ABSENT },
    memberships: { "eve@acme.com": { level: "admin" }, "bob@acme.com": { level: "admin" }, "max@acme.com": ABSENT },
    ...groups((capabilities) => ({
      made: app(`Made ${JSON.stringify(capabilities)}`, { capabilities }),
      changed: app(`Changed ${JSON.stringify(capabilities)}`, { description: "new" }),
      gone: { ...app(`Gone ${JSON.stringify(capabilities)}`), ...ABSENT },
    })),
    projects: {
      web: {
        id: "2",
        batch_exports: {
          made: { name: "Made", interval: "hour", destination: NOTHING, lifecycle: { create: true } },
          paused: { name: "Changed", interval: "day", destination: NOTHING, paused: true },
          gone: { name: "Gone", ...ABSENT },
        },
        insights: {
          made: { name: "Made", description: "made" },
          changed: { name: "Changed", description: "new" },
          restored: { id: 9, name: "Restored" },
          gone: { name: "Gone", ...ABSENT },
        },
      },
    },
  },
});

const SEED = {
  organizations: [
    {
      id: ACME,
      name: "Acme Inc",
      members: [
        { email: "ada@acme.com", level: 8 },
        ...["bob", "lea", "max"].map((name) => ({ email: `${name}@acme.com`, level: 1 })),
      ],
      domains: [
        { domain: "changed.com", is_verified: true, verified_at: "2026-01-01T00:00:00Z" },
        { domain: "gone.com" },
      ],
      invites: ["replaced", "gone"].map((name) => ({ target_email: `${name}@acme.com`, level: 1 })),
      ...groups((capabilities) =>
        ["Changed", "Gone"].map((name) =>
          app(`${name} ${JSON.stringify(capabilities)}`, { description: "old", capabilities }),
        ),
      ),
      projects: [
        {
          id: 2,
          name: "Web",
          insights: [
            { name: "Changed", description: "old" },
            { name: "Gone" },
            { id: 9, name: "Restored", deleted: true },
          ],
          batch_exports: ["Changed", "Gone"].map((name) => ({ name, interval: "hour", destination: NOTHING })),
        },
      ],
    },
    { name: "Gone Inc" },
  ],
};

const FIELDS = [
  "name",
  "domain",
  "target_email",
  "level",
  "description",
  "enforce_2fa",
  "deleted",
  "paused",
  "interval",
];

/** All that is there, less what differs from run to run. */
function contents({ emulator }: Workspace): readonly string[] {
  return Object.entries(emulator.dump())
    .flatMap(([kind, objects]) =>
      objects.map((object) => {
        const user = object["user"] as { readonly email?: string } | undefined;
        return JSON.stringify([kind, user?.email, ...FIELDS.map((field) => object[field] ?? null)]);
      }),
    )
    .toSorted();
}

/** More is removed than goes without the hash of the plan. */
async function approved(stopped: Workspace, env: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const plan = await stopped.run(["plan", "--format", "json"], { env, runtime: { clock: instantClock() } });
  stopped.emulator.clearRequests();
  return [...ARGS, "--approve", planOf(plan).hash];
}

async function space(dialect: "document" | "deployed"): Promise<Workspace> {
  const made = await workspace({ seed: SEED, dialect });
  await made.configure(CONFIG);
  return made;
}

/** The run after it, with what is left of the state, does the rest; the one after that nothing. */
async function expectConverges(
  stopped: Workspace,
  state: string,
  wanted: readonly string[],
  where: string,
): Promise<void> {
  const env = { DRIFTLINE_STATE_DIR: state };
  const again = await stopped.run(await approved(stopped, env), { env, runtime: { clock: instantClock() } });
  expect(again.code, `${where}: ${again.stderr}${again.stdout}`).toBe(0);
  expect(contents(stopped), where).toEqual(wanted);
  stopped.emulator.clearRequests();
  const last = await stopped.run(["plan", "--format", "json", "--detailed-exitcode"], { env });
  expect(last.code, `${where}: ${last.stdout}`).toBe(0);
  expect(
    stopped.emulator.requests.filter(({ method }) => method !== "GET"),
    where,
  ).toEqual([]);
}

const MOMENTS: readonly Moment[] = ["before it is sent", "before its answer is there"];

describe.each(["document", "deployed"] as const)("an apply of every kind on a %s server", (dialect) => {
  it.each(MOMENTS)("that stops at any request, %s, is finished by the next one", async (moment) => {
    const whole = await space(dialect);
    const before = contents(whole);
    const result = await whole.run(await approved(whole), { runtime: { clock: instantClock() } });
    expect(result.code, result.stderr + result.stdout).toBe(0);
    expect([...new Set(outcomesOf(result).changes.map(({ kind }) => kind))].toSorted()).toEqual(
      allKinds.map(({ name }) => name).toSorted(),
    );
    const boundaries = whole.emulator.requests.length;
    let stops = 0;
    for (let number = 1; number <= boundaries; number += 1) {
      const one = await space(dialect);
      const stopped = await stopAt(one, await approved(one), number, moment);
      expect(stopped, `request ${String(number)}`).toBeDefined();
      if (stopped === undefined) continue;
      stops += 1;
      // Where nothing was written yet, the next run is as good as the first.
      if (one.emulator.requests.every(({ method }) => method === "GET") && !stopped.hasJournal) {
        expect(contents(one)).toEqual(before);
        continue;
      }
      await expectConverges(one, stopped.state, contents(whole), `${dialect}, request ${String(number)}, ${moment}`);
    }
    console.log(`${dialect}: stopped at ${String(stops)} of ${String(boundaries)} requests, ${moment}`);
    expect(stops).toBe(boundaries);
  });
});
