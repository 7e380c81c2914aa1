/** Runs that apply at the same time from several machines: one object each, or both ids and no exit code 0. */
import { join } from "node:path";
import { Agent, type Dispatcher } from "undici";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Dialect, EmulatedKind, EmulatorOptions, Seed, StoredObject } from "../../src/emulator/index.ts";
import type { Outcome } from "../../src/model/outcome.ts";
import { ACME, configOf, CREATABLE, made, type Creatable } from "../fault/support.ts";
import { openJournal } from "../../src/apply/journal/journal.ts";
import { stateFiles } from "../../src/engine/state/state-files.ts";
import { hideLists } from "../support/hidden.ts";
import { outcomesOf, type CliResult } from "../support/cli.ts";
import { simulatedTime } from "../support/simulated-time.ts";
import { SEED, workspace, type Workspace } from "../support/workspace.ts";

interface Race {
  readonly space: Workspace;
  /** Applies on several machines at once. Each sends its first create only when all have come so far. */
  readonly apply: (runs: number, beforeCreates?: () => void) => Promise<readonly CliResult[]>;
}

async function race(dialect: Dialect, config: object, options: EmulatorOptions = {}): Promise<Race> {
  const time = simulatedTime();
  const space = await workspace({ dialect, now: time.now, sleep: time.sleep, ...options });
  await space.configure(config);
  return {
    space,
    apply: (runs, beforeCreates = () => undefined) => {
      const start = barrier(runs, beforeCreates);
      const all = Array.from({ length: runs }, (_, index) =>
        space.run(["apply", "--yes", "--format", "json"], {
          env: { DRIFTLINE_STATE_DIR: join(space.folder, `state-${String(index)}`) },
          runtime: { clock: time.clock, dispatcher: held(start) },
          leaves: "another run has applied at the same time",
        }),
      );
      return time.run(Promise.all(all));
    },
  };
}

/** Resolves once it was called as many times as given. */
function barrier(calls: number, before: () => void): () => Promise<void> {
  let open = (): void => undefined;
  let left = calls;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return () => {
    left -= 1;
    if (left === 0) before();
    if (left === 0) open();
    return opened;
  };
}

/** A dispatcher that waits before its first create. */
function held(start: () => Promise<void>): Dispatcher {
  const agent = new Agent();
  onTestFinished(() => agent.destroy());
  let isHeld: Promise<void> | undefined;
  return agent.compose((dispatch) => (options, handler) => {
    if (options.method !== "POST") return dispatch(options, handler);
    isHeld ??= start();
    void isHeld.then(() => dispatch(options, handler));
    return true;
  });
}

const changesOf = (result: CliResult): readonly Outcome[] =>
  outcomesOf(result).changes.filter(({ action }) => action !== "no_op");

const EXPORT = { name: "Made", interval: "hour", destination: { type: "NoOp", config: {} } };
/** Services of today refuse an insight without a query. */
const QUERY = { kind: "DataVisualizationNode", source: { kind: "HogQLQuery", query: "select 1" } };
const insights = (count: number): object =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`i${String(at)}`, { name: `Made ${String(at)}`, query: QUERY }]),
  );
const web = (inner: object): object => configOf({ acme: { id: ACME, projects: { web: { id: "2", ...inner } } } });

/** The export of a run that has ended before it looked for others. */
const addExport = ({ emulator }: Workspace, created: string): void =>
  void emulator.insert("batch_export", { project: 2 }, { ...EXPORT, paused: true, created_at: created });

const KINDS: readonly Creatable[] = CREATABLE.filter(({ name }) => name !== "batch_export").map((one) =>
  one.stored === "insight"
    ? {
        ...one,
        config: { acme: { id: ACME, projects: { web: { id: "2", insights: { i: { name: "Made", query: QUERY } } } } } },
      }
    : one,
);
const live = (space: Workspace, creatable: Creatable): readonly StoredObject[] =>
  made(space, creatable).filter(({ deleted }) => deleted !== true);

describe.each(["document", "deployed", "current"] as const)("on a server that speaks %s", (dialect) => {
  const kinds = KINDS.filter(({ stored }) => dialect !== "current" || !stored.startsWith("pipeline_"));

  it.each(kinds.filter(({ name }) => name !== "organization"))(
    "two runs that create the same $name end with one, and the younger says both ids",
    async (creatable) => {
      const { space, apply } = await race(dialect, configOf(creatable.config));
      const results = await apply(2);
      const [object, ...others] = live(space, creatable);
      const outcomes = results.flatMap(changesOf);
      expect(others).toEqual([]);
      expect(
        results.map(({ code }) => code),
        JSON.stringify(outcomes),
      ).toEqual([0, 0]);
      const statuses = outcomes.map(({ status }) => status).toSorted();
      expect(statuses).toEqual(["applied", "yielded"]);
      expect(outcomes.map(({ id }) => id)).toEqual([String(object?.id), String(object?.id)]);
    },
  );

  it("two runs that create the same organization name both ids, and end with 14", async () => {
    const [creatable] = KINDS;
    if (creatable === undefined) throw new Error("there is one");
    const { space, apply } = await race(dialect, configOf(creatable.config));
    const results = await apply(2);
    const ids = made(space, creatable).map(({ id }) => String(id));
    expect(ids).toHaveLength(2);
    expect(results.map(({ code }) => code)).toEqual([14, 14]);
    for (const { stdout } of results) for (const id of ids) expect(stdout).toContain(id);
  });

  it("of 60 insights that two runs create at once 60 are left, after a few lists", async () => {
    const { space, apply } = await race(dialect, web({ insights: insights(60) }));
    const results = await apply(2);
    expect(space.emulator.find("insight", ({ deleted }) => deleted !== true)).toHaveLength(60);
    expect(results.map(({ code }) => code)).toEqual([0, 0]);
    const statuses = results.flatMap(changesOf).map(({ status }) => status);
    expect(statuses.filter((status) => status === "yielded")).toHaveLength(60);
    const lists = space.emulator.requests.filter(({ method, path }) => method === "GET" && path.endsWith("/insights/"));
    expect(lists.length).toBeLessThan(20);
  });

  it("an export of two runs is unpaused once, after the other one is gone", async () => {
    const { space, apply } = await race(dialect, web({ batch_exports: { e: { ...EXPORT, paused: false } } }));
    const results = await apply(3);
    expect(space.emulator.find("batch_export").map(({ paused }) => paused)).toEqual([false]);
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0]);
  });
});

describe("an object of a run that has ended", () => {
  const EXPORTS = web({ batch_exports: { e: { ...EXPORT, paused: false } } });

  it("is named with the own one if it is younger, and the export stays paused", async () => {
    const { space, apply } = await race("deployed", EXPORTS);
    const [result] = await apply(1, () => addExport(space, "2027-01-01T00:00:00Z"));
    const objects = space.emulator.find("batch_export");
    expect(objects.map(({ paused }) => paused)).toEqual([true, true]);
    expect(result).toMatchObject({ code: 14 });
    const [outcome] = changesOf(result as CliResult);
    expect(outcome).toMatchObject({ status: "unverified", error: { code: "created_twice" } });
    for (const { id } of objects) expect(outcome?.error?.message).toContain(String(id));
    expect(outcome?.error?.command).toContain("project_batch_exports.delete");
    const plan = await space.run(["plan"]);
    expect(plan.code).toBe(1);
    for (const { id } of objects) expect(plan.stdout + plan.stderr).toContain(String(id));
  });

  it("is looked for again by the next run, if the lists did not show the own one", async () => {
    const { space, apply } = await race("deployed", EXPORTS);
    hideLists(space.emulator, /batch_exports/);
    const [first] = await apply(1);
    expect(first).toMatchObject({ code: 15 });
    const [{ id } = { id: "" }] = space.emulator.find("batch_export");
    expect(first?.stdout).toContain(String(id));
    expect(space.emulator.find("batch_export").map(({ paused }) => paused)).toEqual([true]);
    space.emulator.faults.clear();
    addExport(space, "2025-01-01T00:00:00Z");
    const [second] = await apply(1);
    expect(second).toMatchObject({ code: 0 });
    const [outcome] = changesOf(second as CliResult);
    expect(outcome).toMatchObject({ status: "yielded", taken_back: String(id) });
    expect(space.emulator.find("batch_export")).toMatchObject([{ id: outcome?.id, paused: false }]);
    expect(await space.plan()).toMatchObject({ summary: { no_op: 2 } });
  });
});

describe("an insight of another run whose number is lower than those that were seen before", () => {
  const NUMBER = 459;
  const even = Array.from({ length: 150 }, (_, at) => ({
    id: 200 + 2 * at,
    name: `Seeded ${String(at)}`,
    query: QUERY,
  }));
  const wanted = { name: "Made 0", query: QUERY, lifecycle: { create: true } };
  const [acme] = SEED.organizations;
  const seed = { organizations: [{ ...acme, projects: [{ id: 2, name: "Web", insights: even }] }] } as unknown as Seed;

  it.each([10, 20])("is found on a later page of %s", async (limit) => {
    const { space, apply } = await race("deployed", web({ insights: { wanted } }), { seed });
    // Its transaction began before those of 20 insights that the plan has seen, and ends only now.
    const rival = { id: NUMBER, name: "Made 0", query: QUERY, created_at: "2025-12-31T00:00:00Z" };
    const [result] = await apply(1, () => {
      space.emulator.insert("insight", { project: 2 }, rival);
      space.emulator.faults.add({ path: /insights/, method: "GET", fault: { type: "clamp-limit", limit } });
      space.emulator.clearRequests();
    });
    expect(changesOf(result as CliResult)).toMatchObject([{ status: "yielded", id: String(NUMBER) }]);
    const left = space.emulator.find("insight", ({ name, deleted }) => name === "Made 0" && deleted !== true);
    expect(left.map(({ id }) => id)).toEqual([NUMBER]);
    const pages = space.emulator.requests.filter(({ method, path }) => method === "GET" && path.endsWith("/insights/"));
    expect(pages.length).toBeLessThan(1 + Math.ceil(150 / limit));
  });
});

describe("a create of a run that was killed before the answer", () => {
  const DOMAINS = configOf({ acme: { id: ACME, domains: { a: { domain: "a.com" } } } });
  const EXPORTS = web({ batch_exports: { e: EXPORT } });
  const ORGANIZATIONS = configOf({ beta: { name: "Made", lifecycle: { create: true } } });
  type Case = readonly [EmulatedKind, object, Record<string, string>, string, Record<string, unknown>];
  const cases: readonly Case[] = [
    ["batch_export", EXPORTS, { project_id: "2" }, "/api/projects/2/batch_exports/", EXPORT],
    ["domain", DOMAINS, { organization_id: ACME }, `/api/organizations/${ACME}/domains/`, { domain: "a.com" }],
    ["organization", ORGANIZATIONS, {}, "/api/organizations/", { name: "Made" }],
  ];
  const posts = ({ emulator }: Workspace): number => emulator.requests.filter(({ method }) => method === "POST").length;

  /** The next run of one that was killed, while another run has created its object; the request of the killed one may still land. */
  async function afterKill(
    [kind, config, scope, path, row]: Case,
    lands: boolean,
  ): Promise<{ space: Workspace; result: CliResult; ids: string[] }> {
    const { space, apply } = await race("document", config);
    const known = space.emulator.find(kind).map(({ id }) => String(id));
    const { DRIFTLINE_URL: url = "", DRIFTLINE_API_KEY: key = "" } = space.env;
    const state = stateFiles({ DRIFTLINE_STATE_DIR: join(space.folder, "state-0") }, url);
    const journal = await openJournal(state.journal, () => Promise.resolve(true));
    const name = String(Object.values(row)[0]);
    await journal.begin({ url, kind, scope, key: name, payload: "sha256:0", known, at: Date.UTC(2026, 0, 1) - 1000 });
    await journal.release();
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const create = (): unknown => fetch(url + path, { method: "POST", headers, body: JSON.stringify(row) });
    await create();
    let lists = 0;
    const land = { catch: () => Promise.resolve((lists += 1) === 2 && lands && create()) };
    const fault = { type: "delay-after", until: land as unknown as Promise<unknown> } as const;
    space.emulator.faults.add({ method: "GET", path: new RegExp(`${path}$`), fault });
    const [result] = await apply(1);
    const objects = space.emulator.find(kind, ({ id }) => !known.includes(String(id)));
    return { space, result: result as CliResult, ids: objects.map(({ id }) => String(id)) };
  }

  it.each(cases)("a %s of another run is taken only after its own request can no longer land", async (...given) => {
    const { ids, result, space } = await afterKill(given, false);
    expect(result.code, result.stdout).toBe(0);
    expect(changesOf(result)).toMatchObject([{ status: "applied", id: ids[0] }]);
    expect(posts(space)).toBe(1);
    expect(await space.plan()).toMatchObject({ summary: { create: 0, update: 0 } });
  });

  it.each(cases.filter(([kind]) => kind !== "domain"))(
    "if a %s lands beside that of another run, both are named",
    async (...given) => {
      const { ids, result, space } = await afterKill(given, true);
      expect([posts(space), ids.length]).toEqual([2, 2]);
      expect([14, 15], result.stdout).toContain(result.code);
      for (const id of ids) expect(result.stdout).toContain(id);
    },
  );
});
