import { expect, it } from "vitest";
import { systemClock, type Clock } from "../../src/api/limits/clock.ts";
import type { EmulatorOptions, Fault } from "../../src/emulator/index.ts";
import type { Change } from "../../src/model/change.ts";
import { CAPABILITIES } from "../support/acme.ts";
import { outcomesOf, planOf } from "../support/cli.ts";
import { describeDialects } from "../support/dialects.ts";
import { workspace, type Workspace } from "../support/workspace.ts";
import { startWire, type Hook } from "./properties/wire.ts";

const ACME = "0190aa11-0000-4000-8000-00000000000a";
const GROUPS = ["pipeline_destinations", "pipeline_frontend_apps", "pipeline_import_apps"] as const;
/** Waits pass at once. */
const IMPATIENT: Clock = { ...systemClock, random: () => 0, sleep: () => Promise.resolve() };

/** One resource of each kind. */
const EVERYTHING = {
  driftline: 1,
  organizations: {
    acme: {
      id: ACME,
      name: "Acme Inc",
      enforce_2fa: true,
      domains: { corp: { domain: "d0.acme.com", sso_enforcement: "google-oauth2" } },
      memberships: { "ada@acme.com": { level: "admin" } },
      members: { "bob@acme.com": { level: "member" } },
      invites: { carol: { target_email: "i0@acme.com", level: "member" } },
      batch_exports: { own: { name: "Own 0", interval: "hour", destination: { type: "NoOp", config: {} } } },
      pipeline_destinations: { sink: { name: "pipeline_destinations 0", plugin_type: "source" } },
      projects: {
        web: {
          id: "2",
          batch_exports: { events: { name: "Events 0", interval: "hour", destination: { type: "NoOp", config: {} } } },
          insights: { signups: { name: "Insight 0", description: "New accounts" } },
        },
      },
    },
  },
};

/** An organization that has so many objects of each kind. */
function seedOf(count: number): NonNullable<EmulatorOptions["seed"]> {
  const times = <T>(make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));
  const people = [
    { email: "ada@acme.com", level: 8 },
    { email: "bob@acme.com", level: 1 },
  ];
  return {
    organizations: [
      {
        id: ACME,
        name: "Acme Inc",
        members: [...people, ...times((index) => ({ email: `m${String(index)}@acme.com` }))].slice(
          0,
          Math.max(2, count - 1),
        ),
        domains: times((index) => ({ domain: `d${String(index)}.acme.com`, is_verified: true })),
        invites: times((index) => ({ target_email: `i${String(index)}@acme.com` })),
        ...Object.fromEntries(
          GROUPS.map((group) => [
            group,
            times((index) => ({
              name: `${group} ${String(index)}`,
              plugin_type: "source",
              capabilities: CAPABILITIES[group],
            })),
          ]),
        ),
        batch_exports: count === 1 ? [{ name: "Own 0" }] : [],
        projects: [
          {
            id: 2,
            name: "Web",
            batch_exports: times((index) => ({ name: `Events ${String(index)}` })),
            insights: times((index) => ({ name: `Insight ${String(index)}` })),
          },
        ],
      },
    ],
  };
}

/** A workspace whose service is reached through a socket of the test's own. */
async function wired(options: EmulatorOptions, hook?: Hook) {
  const space = await workspace(options);
  const wire = await startWire(space.emulator.url, hook);
  const env = { DRIFTLINE_URL: wire.url };
  const run: Workspace["run"] = (args, more = {}) =>
    space.run(args, { env: { ...env, ...more.env }, runtime: { clock: IMPATIENT, ...more.runtime } });
  return { ...space, wire, run };
}

describeDialects("reading commands", () => {
  it.each<[string, readonly string[], number, boolean]>([
    ["plan", ["plan", "--out", "plan.json"], 0, true],
    [
      "plan with all options",
      ["plan", "--prune", "--only", "acme/domains", "--rotate", "acme/batch_exports/own"],
      0,
      true,
    ],
    ["drift", ["drift"], 2, true],
    ["export", ["export", "--out", "exported"], 0, true],
    ["validate", ["validate"], 0, false],
    ["show", ["show", "saved.json"], 0, false],
    ["explain", ["explain", "insight"], 0, false],
  ])("%s sends nothing but GET, if anything", async (_name, args, code, isSent) => {
    const { run, configure, wire, emulator } = await wired({ seed: seedOf(1) });
    await configure(EVERYTHING);
    await run(["plan", "--out", "saved.json"]);
    const before = emulator.dump();
    const count = wire.seen.length;
    expect((await run(args)).code).toBe(code);
    const sent = wire.seen.slice(count);
    expect(sent.length > 0).toBe(isSent);
    expect(sent.filter(({ method }) => method !== "GET")).toEqual([]);
    expect(emulator.dump()).toEqual(before);
  });
});

describeDialects("a plan of one organization with one project", () => {
  /** What is listed for {@link EVERYTHING}: members, invites and plugins once, regardless of the number of kinds that need them. */
  const lists = ["", "domains", "members", "invites", "batch_exports", ...GROUPS].map((list) =>
    list === "" ? "/api/organizations" : `/api/organizations/${ACME}/${list}`,
  );
  const all = [...lists, "/api/projects/2/batch_exports", "/api/projects/2/insights"];

  it.each([
    ["one object of each kind", 1, 1],
    ["as many as fit on a page", 100, 1],
    ["250 objects of each kind", 250, 3],
  ])("takes one list per kind and page: %s", async (_name, count, pages) => {
    const { run, configure, wire } = await wired({ seed: seedOf(count), maxPageSize: 100 });
    await configure(EVERYTHING);
    const result = await run(["plan", "--format", "json"]);
    expect(planOf(result).summary.unknown).toBe(0);
    const sent = wire.seen.map(({ path }) => path.replace(/\/$/, ""));
    const expected = all.flatMap((path) =>
      Array.from({ length: path === "/api/organizations" ? 1 : pages }, () => path),
    );
    expect(sent.toSorted()).toEqual(expected.toSorted());
  });

  it("requests nothing that is not declared", async () => {
    const { run, configure, wire } = await wired({ seed: seedOf(1) });
    await configure({
      driftline: 1,
      organizations: { acme: { id: ACME, domains: { corp: { domain: "d0.acme.com" } } } },
    });
    await run(["plan"]);
    expect(wire.seen.map(({ path }) => path.replace(/\/$/, "")).toSorted()).toEqual([
      `/api/organizations/${ACME}/domains`,
    ]);
  });
});

const DENIED = {
  type: "authentication_error",
  code: "authentication_failed",
  detail: "Personal API key is invalid.",
  attr: null,
};

describeDialects("unknown is not absent", () => {
  /** Two pages of domains; one is declared anew, one differs, one is to go, the others may be pruned. */
  const seed = {
    organizations: [
      {
        id: ACME,
        name: "Acme Inc",
        domains: ["a", "b", "c", "d", "e"].map((name) => ({ domain: `${name}.acme.com` })),
      },
    ],
  };
  const domains = {
    create: { domain: "new.acme.com" },
    update: { domain: "a.acme.com", sso_enforcement: "google-oauth2" },
    delete: { domain: "b.acme.com", lifecycle: { state: "absent" } },
  };
  const config = {
    driftline: 1,
    organizations: { acme: { id: ACME, name: "Acme Inc", enforce_2fa: true, exclusive: ["domains"], domains } },
  };
  const domainList = `/api/organizations/${ACME}/domains`;

  it.each<[string, Fault | "401", number]>([
    ["401", "401", 11],
    ["403", { type: "status", status: 403 }, 11],
    ["404", { type: "status", status: 404 }, 1],
    ["500", { type: "status", status: 500 }, 1],
    ["503", { type: "status", status: 503 }, 1],
    ["a connection that breaks", { type: "drop-before" }, 1],
    ["a connection that breaks after the work", { type: "process-then-drop" }, 1],
    ["half a body", { type: "half-body" }, 1],
    ["a page of HTML", { type: "html-502" }, 1],
    ["a count that is too high", { type: "lying-count", by: 1 }, 1],
    ["a count that is too low", { type: "lying-count", by: -1 }, 1],
    ["rows that move between pages", { type: "move-row" }, 1],
    ["rows without an id", { type: "drop-field", field: "id" }, 1],
    ["no rows at all", { type: "drop-field", field: "results" }, 1],
  ])(
    "%s on one list makes that kind unknown, nothing of it is written, and the others go on",
    async (_name, fault, code) => {
      const isList = (path: string): boolean => path.replace(/\/$/, "") === domainList;
      const { run, configure, emulator, wire } = await wired({ seed, maxPageSize: 3 }, ({ path }) =>
        fault === "401" && isList(path) ? { status: 401, body: DENIED } : undefined,
      );
      if (fault !== "401") emulator.faults.add({ path: /\/domains\/?$/, fault });
      await configure(config);
      const before = emulator.find("domain");

      const planned = await run(["plan", "--prune", "--format", "json"]);
      expect(planned.code).toBe(code);
      expect(actionsOf(planOf(planned).changes)).toEqual({
        acme: "update",
        "acme/domains/create": "unknown",
        "acme/domains/update": "unknown",
        "acme/domains/delete": "unknown",
      });
      expect(planOf(planned).summary.unmanaged).toBe(0);
      expect((await run(["drift"])).code).toBe(code);

      const applied = await run(["apply", "--yes", "--prune", "--format", "json"]);
      expect(applied.code).toBe(14);
      expect(statusesOf(applied)).toEqual({
        acme: "applied",
        "acme/domains/create": "skipped",
        "acme/domains/update": "skipped",
        "acme/domains/delete": "skipped",
      });
      expect(
        wire.seen.filter(({ method }) => method !== "GET").map(({ method, path }) => [method, path.replace(/\/$/, "")]),
      ).toEqual([["PATCH", `/api/organizations/${ACME}`]]);
      expect(emulator.find("domain")).toEqual(before);
    },
  );

  it.each<[string, string, Fault, readonly string[]]>([
    [
      "members",
      "members",
      { type: "status", status: 500 },
      ["acme/memberships/ada@acme.com", "acme/members/bob@acme.com", "acme/invites/carol"],
    ],
    ["invites", "invites", { type: "status", status: 403 }, ["acme/memberships/ada@acme.com", "acme/invites/carol"]],
    ["insights", "insights", { type: "status", status: 403 }, ["acme/projects/web/insights/signups"]],
    [
      "the project's batch exports",
      "projects/2/batch_exports",
      { type: "half-body" },
      ["acme/projects/web/batch_exports/events"],
    ],
    [
      "one group of plugins, which share their ids",
      "pipeline_import_apps",
      { type: "status", status: 404 },
      ["acme/pipeline_destinations/sink"],
    ],
  ])("a list of %s that cannot be read is unknown to every kind that needs it", async (_name, path, fault, unknown) => {
    const { run, configure, emulator } = await wired({
      seed: {
        organizations: [
          {
            id: ACME,
            name: "Acme Inc",
            projects: [{ id: 2, name: "Web" }],
            members: [{ email: "ada@acme.com" }, { email: "bob@acme.com" }],
          },
        ],
      },
    });
    emulator.faults.add({ path: new RegExp(`${path}/?$`), fault });
    await configure(EVERYTHING);
    const { changes } = planOf(await run(["plan", "--format", "json"]));
    expect(
      changes
        .filter(({ action }) => action === "unknown")
        .map(({ address }) => address)
        .toSorted(),
    ).toEqual(unknown.toSorted());
  });

  it("a list of organizations that is refused is unknown, not absent: nothing is created, not even with lifecycle.create", async () => {
    const { run, configure, emulator } = await wired({});
    emulator.faults.add({ path: /\/organizations\/?$/, fault: { type: "status", status: 500 } });
    await configure({ driftline: 1, organizations: { beta: { name: "Beta", lifecycle: { create: true } } } });
    expect((await run(["apply", "--yes"])).code).toBe(1);
    expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it.each([
    [[], 1],
    [["--only", "beta"], 1],
    [["--only", "acme"], 0],
  ] as const)("it also counts beside an organization whose id is known: plan %j exits with %i", async (only, code) => {
    const { run, configure, emulator } = await wired({ seed: seedOf(1) });
    await configure({ driftline: 1, organizations: { acme: { id: ACME }, beta: { name: "Beta" } } });
    emulator.faults.add({ path: /\/organizations\/?$/, fault: { type: "status", status: 500 } });
    const planned = await run(["plan", ...only]);
    expect([planned.code, planned.stderr.includes("/api/organizations/")]).toEqual([code, code === 1]);
    expect((await run(["apply", "--yes", ...only])).code).toBe(code);
  });
});

describeDialects("pages", () => {
  const config = {
    driftline: 1,
    organizations: { acme: { id: ACME, exclusive: ["domains"], domains: { last: { domain: "d249.acme.com" } } } },
  };

  it("never contacts another host that `next` names", async () => {
    const elsewhere = await startWire("http://127.0.0.1:9");
    const { run, configure, emulator } = await wired({ seed: seedOf(250), maxPageSize: 100 });
    emulator.faults.add({ fault: { type: "wrong-next-host", origin: elsewhere.url } });
    await configure(config);
    const { summary } = planOf(await run(["plan", "--format", "json"]));
    expect(summary).toMatchObject({ no_op: 2, delete: 249, unknown: 0 });
    expect(elsewhere.seen).toEqual([]);
  });
});

function actionsOf(changes: readonly Pick<Change, "address" | "action">[]): Readonly<Record<string, string>> {
  return Object.fromEntries(changes.map(({ address, action }) => [address, action]));
}

function statusesOf(result: Parameters<typeof outcomesOf>[0]): Readonly<Record<string, string>> {
  return Object.fromEntries(outcomesOf(result).changes.map(({ address, status }) => [address, status]));
}
