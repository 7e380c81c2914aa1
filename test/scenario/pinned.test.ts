import { describe, expect, it } from "vitest";
import type { EmulatorOptions } from "../../src/emulator/index.ts";
import { planOf } from "../support/cli.ts";
import { linesWith } from "../support/normalized.ts";
import { SEED, workspace, type Workspace } from "../support/workspace.ts";
import { startWire, type Hook } from "./properties/wire.ts";

const ACME = "0190aa11-0000-4000-8000-00000000000a";

async function wired(hook?: Hook, seed: NonNullable<EmulatorOptions["seed"]> = SEED) {
  const space = await workspace({ seed, maxPageSize: 100 });
  const wire = await startWire(space.emulator.url, hook);
  const run: Workspace["run"] = (args) => space.run(args, { env: { DRIFTLINE_URL: wire.url } });
  const paths = (): readonly string[] => wire.seen.map(({ path }) => path.replace(/\/$/, "")).toSorted();
  return { ...space, run, paths };
}

describe("an organization that is declared with only an id", () => {
  const scope = (more: object) => ({ driftline: 1, organizations: { acme: { id: ACME, ...more } } });

  it("is not looked up: 50 members of 250 take three requests at pages of 100", async () => {
    const all = Array.from({ length: 249 }, (_, index) => ({ email: `m${String(index)}@acme.com`, level: 1 }));
    const { configure, run, paths } = await wired(undefined, {
      organizations: [{ id: ACME, name: "Acme Inc", members: all }],
    });
    const some = Object.fromEntries(all.slice(0, 50).map(({ email }) => [email, { level: "member" }]));
    await configure(scope({ members: some }));
    const result = await run(["plan", "--detailed-exitcode", "--format", "json"]);
    expect(result.code).toBe(0);
    expect(planOf(result).summary).toMatchObject({ no_op: 51, unmanaged: 200 });
    expect(paths()).toEqual(Array.from({ length: 3 }, () => `/api/organizations/${ACME}/members`));
  });

  it("is looked up once a member is to be lowered, as the key's own user may not be", async () => {
    const { configure, run, paths } = await wired();
    await configure(scope({ members: { "ada@acme.com": { level: "member" } } }));
    const result = await run(["plan", "--format", "json"]);
    // The key's user has another level than she, so she cannot be that user.
    expect(planOf(result).changes.find(({ kind }) => kind === "member")).toMatchObject({
      action: "update",
      blocked: null,
    });
    expect(paths()).toEqual(["/api/organizations", `/api/organizations/${ACME}/members`]);
  });
});

describe("a list in a scope with a declared id", () => {
  const config = (project: object) => ({
    driftline: 1,
    organizations: {
      acme: {
        id: ACME,
        name: "Acme Inc",
        domains: { corp: { domain: "acme.com" } },
        projects: { web: { ...project, insights: { one: { name: "One" } } } },
      },
    },
  });

  it("is requested before the organizations are known", async () => {
    let arrive: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (arrive = resolve));
    const { configure, run, paths } = await wired(async ({ path }) => {
      if (path.includes("insights")) arrive();
      if (/\/organizations\/?$/.test(path)) await asked;
      return undefined;
    });
    await configure(config({ id: "2" }));
    const result = await run(["plan", "--format", "json"]);
    expect(planOf(result).summary).toMatchObject({ create: 2, no_op: 1, unknown: 0 });
    expect(paths()).toEqual(["/api/organizations", `/api/organizations/${ACME}/domains`, "/api/projects/2/insights"]);
  });
});

describe("a plan of a few insights whose ids are declared", () => {
  const many = Array.from({ length: 250 }, (_, index) => ({ id: index + 1, name: `Insight ${String(index + 1)}` }));
  const seed = { organizations: [{ id: ACME, name: "Acme Inc", projects: [{ id: 2, name: "Web", insights: many }] }] };
  const insights = { a: { id: 7, name: "Seven" }, b: { id: 8, name: "Insight 8" }, c: { name: "Insight 9" } };
  const config = (more: object = {}) => ({
    driftline: 1,
    organizations: { acme: { id: ACME, projects: { web: { id: "2", ...more, insights } } } },
  });
  const at = (...names: readonly string[]): readonly string[] =>
    names.flatMap((name) => ["--only", `acme/projects/web/insights/${name}`]);

  it("reads them one by one if nothing else is selected", async () => {
    const { configure, run, paths } = await wired(undefined, seed);
    await configure(config());
    const result = await run(["plan", "--format", "json", ...at("a", "b")]);
    expect(planOf(result)).toMatchObject({
      summary: { update: 1, no_op: 1, unmanaged: 0 },
      changes: [{ action: "update", fields: [{ path: "/name" }] }, { action: "no_op" }],
    });
    expect(paths()).toEqual(["/api/organizations", "/api/projects/2/insights/7", "/api/projects/2/insights/8"]);
    const verbose = await run(["plan", "--verbose", ...at("a")]);
    expect(linesWith(verbose.stderr, "insights.list")).toMatchSnapshot();
  });
});
