import { expect, it } from "vitest";
import type { DoctorDocument } from "../../src/cli/commands/doctor/report.ts";
import { outcomesOf, planOf } from "../support/cli.ts";
import { describeDialects } from "../support/dialects.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const NOOP = { type: "NoOp", config: {} };

/** Several resources of each family, so that one failing leaves others of its own behind. */
const CONFIG = {
  driftline: 1,
  service: { self: "owner@example.com" },
  organizations: {
    acme: {
      name: "Acme Inc",
      enforce_2fa: true,
      domains: { one: { domain: "one.acme.com" }, two: { domain: "two.acme.com" } },
      memberships: { "ada@acme.com": { level: "member" }, "eve@acme.com": { level: "admin" } },
      pipeline_destinations: {
        one: { name: "One", plugin_type: "source", capabilities: { methods: ["onEvent"] } },
        two: { name: "Two", plugin_type: "source", capabilities: { methods: ["onEvent"] } },
      },
      projects: {
        web: {
          id: 2,
          batch_exports: {
            one: { name: "One", interval: "hour", destination: NOOP, paused: true },
            two: { name: "Two", interval: "day", destination: NOOP, paused: true },
          },
          insights: Object.fromEntries(
            Array.from({ length: 20 }, (_, index) => [`i${String(index)}`, { name: `I ${String(index)}` }]),
          ),
        },
      },
    },
  },
};

/** Changes under way at once: those can no longer be held back when the first refusal comes. Fewer than there are insights. */
const IN_FLIGHT = 8;

const ALL = ["batch_export", "insight", "organization", "organization_member", "plugin"];

/** The kinds whose objects are written with a scope. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  batch_export: ["batch_export"],
  insight: ["insight"],
  organization: ["organization", "domain"],
  organization_member: ["membership"],
  plugin: ["pipeline_destination"],
};

async function scopedSpace(scopes: readonly string[]): Promise<Workspace> {
  const space = await workspace({ keys: [{ key: "scoped", scopes }, { key: "whole" }] });
  await space.configure(CONFIG);
  return space;
}

/** What doctor lists for the configuration. */
async function listed(
  space: Workspace,
): Promise<{ readonly read: readonly string[]; readonly write: readonly string[] }> {
  const { stdout } = await space.run(["doctor", "--format", "json"], { env: { DRIFTLINE_API_KEY: "whole" } });
  const { scopes } = JSON.parse(stdout) as DoctorDocument;
  if (scopes === null) throw new Error(stdout);
  space.emulator.clearRequests();
  return scopes;
}

const writesOf = ({ emulator }: Workspace) => emulator.requests.filter(({ method }) => method !== "GET");

describeDialects("a key with exactly the scopes that doctor lists", () => {
  it("may read and write every family", async () => {
    const { read, write } = await listed(await scopedSpace([]));
    expect(read).toEqual(ALL.map((scope) => `${scope}:read`));
    expect(write).toEqual(ALL.map((scope) => `${scope}:write`));
  });

  it("can plan with only the read scopes", async () => {
    const { read } = await listed(await scopedSpace([]));
    const space = await scopedSpace(read);
    const { code, stdout, stderr } = await space.run(["plan", "--format", "json"]);
    expect(code, stderr).toBe(0);
    expect(planOf({ code, stdout, stderr }).summary).toMatchObject({ unknown: 0, create: 27, update: 2 });
    expect((await space.run(["doctor"])).code).toBe(0);
  });

  it("can apply with all scopes", async () => {
    const { read, write } = await listed(await scopedSpace([]));
    const space = await scopedSpace([...read, ...write]);
    const { code, stderr } = await space.run(["apply", "--yes"]);
    expect(code, stderr).toBe(0);
    expect(space.emulator.requests.some(({ status }) => status === 403)).toBe(false);
  });

  it("needs no write scope for organizations and projects that only hold other resources", async () => {
    const space = await scopedSpace([]);
    await space.configure({
      driftline: 1,
      organizations: { acme: { name: "Acme Inc", projects: { web: { id: 2, insights: { a: { name: "A" } } } } } },
    });
    expect(await listed(space)).toEqual({ read: ["insight:read", "organization:read"], write: ["insight:write"] });
  });
});

describeDialects("with one read scope fewer", () => {
  it.each(ALL)("%s is reported as the missing scope, and nothing is written", async (scope) => {
    const { read, write } = await listed(await scopedSpace([]));
    const missing = `${scope}:read`;
    // A key that may write a thing may read it.
    const scopes = [...read, ...write].filter((one) => one !== missing && one !== `${scope}:write`);
    const space = await scopedSpace(scopes);
    const doctor = await space.run(["doctor", "--format", "json"]);
    expect(doctor.code).toBe(11);
    const errors = (JSON.parse(doctor.stdout) as DoctorDocument).findings.filter(({ status }) => status === "error");
    expect(errors.map(({ message, fix }) => `${message} ${fix}`).join()).toContain(missing);
    const plan = await space.run(["plan"]);
    expect(plan.code).toBe(11);
    expect(plan.stderr).toContain(missing);
    expect(writesOf(space)).toEqual([]);
  });
});

describeDialects("with one write scope fewer", () => {
  it.each(ALL)("%s: the family stops at its first 403, the rest is applied", async (scope) => {
    const { read, write } = await listed(await scopedSpace([]));
    const missing = `${scope}:write`;
    const space = await scopedSpace([...read, ...write.filter((one) => one !== missing)]);
    const result = await space.run(["apply", "--yes", "--format", "json"]);
    expect(result.code, result.stderr).toBe(14);
    expect(result.stdout + result.stderr).toContain(missing);

    // A family is what stands after the organization or project; the organizations themselves are one, too.
    const refused = writesOf(space).filter(({ status }) => status === 403);
    const families = refused.map(({ path }) => path.split("/")[4] ?? "");
    expect(families).not.toEqual([]);
    for (const family of families)
      expect(families.filter((one) => one === family).length).toBeLessThanOrEqual(IN_FLIGHT);
    const tries = refused.map(({ method, path, body }) => JSON.stringify([method, path, body]));
    expect(tries).toEqual([...new Set(tries)]);

    for (const { kind, action, status, error } of outcomesOf(result).changes) {
      if (action === "no_op") continue;
      const isOwn = KINDS[scope]?.includes(kind) === true;
      expect([kind, isOwn ? status !== "applied" : status === "applied"]).toEqual([kind, true]);
      if (isOwn) expect(`${error?.message ?? ""} ${error?.hint ?? ""}`).toContain(missing);
    }
  });
});

it("objects whose writes would be refused are not read one by one first", async () => {
  const insights = Array.from({ length: 30 }, (_, index) => ({ id: index + 1, name: `I ${String(index)}` }));
  const organization = { name: "Acme Inc", projects: [{ id: 2, name: "Web", insights }] };
  const space = await workspace({
    dialect: "current",
    seed: { organizations: [organization] },
    keys: [{ key: "scoped", scopes: ["organization:read", "project:read", "insight:read"] }],
  });
  const declared = insights.map(({ id, name }) => [`i${String(id)}`, { id, name, description: "New" }] as const);
  await space.configure({
    driftline: 1,
    organizations: { acme: { name: "Acme Inc", projects: { web: { id: 2, insights: Object.fromEntries(declared) } } } },
  });
  const { code, stdout } = await space.run(["apply", "--yes", "--format", "json"]);
  expect([code, outcomesOf({ code, stdout, stderr: "" }).changes.filter(({ status }) => status === "failed")]).toEqual([
    11,
    expect.objectContaining({ length: 30 }),
  ]);
  const one = space.emulator.requests.filter(({ path }) => /\/insights\/\d+\/$/u.test(path));
  expect(one.length).toBeLessThanOrEqual(2 * IN_FLIGHT);
});
