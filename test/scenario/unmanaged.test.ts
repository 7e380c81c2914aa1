/** What nothing declares is listed with `--unmanaged`, wherever it is; without the option, the report says what was not read. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CAPABILITIES, NOOP, config, seedOf } from "../support/acme.ts";
import { budget } from "../support/budget.ts";
import { planOf } from "../support/cli.ts";
import { describeDialects } from "../support/dialects.ts";
import { linesWith } from "../support/normalized.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const OWNER = "owner@example.com";
const PROJECT = { id: "2" };

/** An organization that has objects of most kinds. */
function rich(): ReturnType<typeof workspace> {
  const insights = Array.from({ length: 20 }, (_, index) => ({ id: index + 1, name: `I${String(index)}` }));
  const batch_exports = [{ name: "Nightly", interval: "day", destination: NOOP }];
  const more = {
    domains: [{ domain: "acme.com" }],
    invites: [{ target_email: "eve@acme.com", level: 1 }],
    pipeline_destinations: [{ name: "P", plugin_type: "source", capabilities: CAPABILITIES.pipeline_destinations }],
  };
  return workspace({ seed: seedOf(more, { insights, batch_exports }) });
}

/** A part of the organization: what is declared of it decides which lists a plan reads. */
const PARTS = {
  domains: { corp: { domain: "acme.com" } },
  members: { [OWNER]: { level: "owner" } },
  memberships: { "eve@acme.com": { level: "member" } },
  pipeline_destinations: { p: { name: "P" } },
} as const;
const PROJECT_PARTS = {
  insights: { first: { id: "1", name: "I0" } },
  batch_exports: { nightly: { name: "Nightly", interval: "day", destination: NOOP } },
} as const;

async function reports(space: Workspace, ...args: readonly string[]) {
  const [plan, wide] = await Promise.all([
    space.run(["plan", "--format", "json", "--detailed-exitcode", ...args]),
    space.run(["plan", "--format", "json", "--detailed-exitcode", "--unmanaged", ...args]),
  ]);
  return { plan: planOf(plan), wide: planOf(wide), codes: [plan.code, wide.code] };
}

/** How many objects `import` offers. */
async function importable(space: Workspace): Promise<number> {
  const { stdout } = await space.run(["import"]);
  return Number(/^(\d+) objects? can be imported/m.exec(stdout)?.[1] ?? 0);
}

describeDialects("plan --unmanaged", () => {
  it("lists what is beside a few pinned objects, which --only reads by their ids", async () => {
    const space = await rich();
    await space.configure(config({ projects: { web: { ...PROJECT, insights: PROJECT_PARTS.insights } } }));
    const { plan, wide } = await reports(space, "--only", "acme/projects/web/insights");
    expect(plan.not_read).toEqual(["acme/projects/web/insights"]);
    expect(wide.unmanaged).toHaveLength(19);
    // One that nothing declares is only in the list.
    for (const more of [[], ["--only", "acme/projects/web/insights/first"]]) {
      const { plan: named } = await reports(space, "--only", "acme/projects/web/insights/id=7", ...more);
      expect([named.not_read, named.unmanaged.length]).toEqual([[], 19]);
    }
    // If one of them is not there, the whole list is read.
    const insights = { first: { id: "99", name: "I0" } };
    await space.configure(config({ projects: { web: { ...PROJECT, insights } } }));
    const whole = await reports(space, "--only", "acme/projects/web/insights");
    expect([whole.plan.not_read, whole.wide.unmanaged.length]).toEqual([[], 20]);
  });

  it("lists no invite that is declared, though --only leaves out its list", async () => {
    const space = await rich();
    const invites = { eve: { target_email: "eve@acme.com", level: "member" } };
    await space.configure(config({ memberships: { [OWNER]: { level: "owner" } }, invites }));
    const { unmanaged } = await space.plan("--unmanaged", "--only", `acme/memberships/${OWNER}`);
    expect(unmanaged).toEqual([]);
    const whole = await space.plan("--unmanaged");
    expect(whole.unmanaged.filter(({ kind }) => kind === "invite" || kind === "membership")).toEqual([]);
  });

  it("lists what import offers, whatever is declared, and changes nothing else of the plan", async () => {
    const space = await rich();
    const parts = fc.subarray(Object.keys(PARTS).filter((part) => part !== "members"));
    const projectParts = fc.subarray(Object.keys(PROJECT_PARTS));
    await fc.assert(
      fc.asyncProperty(parts, projectParts, async (chosen, inProject) => {
        const pick = (names: readonly string[], from: object): object =>
          Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)));
        const web = { ...PROJECT, ...pick(inProject, PROJECT_PARTS) };
        await space.configure(config({ ...pick(chosen, PARTS), projects: { web } }));
        const { plan, wide, codes } = await reports(space);
        expect(wide.unmanaged.length).toBe(await importable(space));
        expect([wide.changes, codes[1]]).toEqual([plan.changes, codes[0]]);
        expect(wide.not_read).toEqual([]);
        const seen = plan.unmanaged.map(({ kind, id }) => `${kind} ${id}`);
        expect(wide.unmanaged.map(({ kind, id }) => `${kind} ${id}`)).toEqual(expect.arrayContaining(seen));
      }),
      { numRuns: budget(60) },
    );
  });
});

describe("a report without --unmanaged", () => {
  const declared = config({ domains: PARTS.domains, projects: { web: PROJECT } });

  it("names the collections that were not read with --verbose, in each format, and a complete one names none", async () => {
    const space = await rich();
    await space.configure(declared);
    const { document } = await space.drift();
    expect(document.not_read).toEqual([
      "acme/members",
      "acme/invites",
      "acme/pipeline_destinations",
      "acme/pipeline_frontend_apps",
      "acme/pipeline_import_apps",
      "acme/projects/web/batch_exports",
      "acme/projects/web/insights",
    ]);
    for (const format of ["markdown", "html"])
      expect((await space.run(["drift", "--verbose", "--format", format])).stdout).toContain("Not read");
    const narrow = { runtime: { columns: 80 } };
    expect((await space.run(["drift", "--verbose"], narrow)).stdout).toMatchSnapshot("drift");
    for (const args of [["drift"], ["drift", "--verbose", "--unmanaged"]])
      expect((await space.run(args, narrow)).stdout).not.toContain("Not read");
  });
});

describeDialects("projects that no file declares", () => {
  const projects = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      id: 10 + index,
      name: `P${String(index)}`,
      insights: index === 0 ? [{ name: "A" }, { name: "B" }] : [],
      batch_exports: index === 0 ? [{ name: "Nightly", interval: "day", destination: NOOP }] : [],
    }));
  const declared = { organizations: { acme: { name: "Acme Inc", projects: { p: { id: "11" } } } } };
  const warningsOf = async (count: number, args: readonly string[]) => {
    const space = await workspace({ seed: seedOf({ projects: projects(count) }) });
    await space.configure({ driftline: 1, ...declared });
    const { code, stdout } = await space.run(["drift", "--format", "json", ...args]);
    const { diagnostics } = planOf({ code, stdout, stderr: "" });
    const methods = new Set(space.emulator.requests.map(({ method }) => method));
    const found = diagnostics.filter((one) => one.code === "undeclared_projects");
    return { code, found, methods: [...methods], emulator: space.emulator };
  };

  it("are named with what is in them", async () => {
    const { code, found, methods } = await warningsOf(3, ["--unmanaged"]);
    expect([code, methods]).toEqual([0, ["GET"]]);
    expect(found).toMatchObject([{ severity: "warning", address: "acme" }]);
    expect(found[0]?.message).toContain('"P0" (id 10) with 1 batch export and 2 insights');
    expect(found[0]?.message).toContain('"P2" (id 12) with nothing in it');
    expect(found[0]?.message).not.toContain("P1");
  });

  it("are counted up to 20, and the rest is a number", async () => {
    const { found, emulator } = await warningsOf(31, ["--unmanaged"]);
    expect(found[0]?.message).toMatch(/^no file declares 30 projects: .* and 10 more$/u);
    expect(emulator.requests.filter(({ query }) => query["limit"] === "1").length).toBeLessThanOrEqual(40);
  });

  it("are not looked for without the option, nor elsewhere", async () => {
    expect((await warningsOf(3, [])).found).toEqual([]);
    expect((await warningsOf(3, ["--unmanaged", "--only", "acme/projects/p/insights"])).found).toEqual([]);
  });
});

it("a plan that was saved with --unmanaged shows what is unmanaged, and apply --plan takes it", async () => {
  const space = await rich();
  await space.configure(config({ domains: { corp: { domain: "new.acme.com" } } }));
  await space.run(["plan", "--unmanaged", "--out", "plan.json"]);
  const shown = await space.run(["show", "plan.json", "--unmanaged"]);
  expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining("acme/invites/eve@acme.com")]);
  expect((await space.run(["apply", "--plan", "plan.json", "--yes"])).code).toBe(0);
});

it("the hash of a plan with --unmanaged approves an apply with --unmanaged, and no other", async () => {
  const space = await rich();
  await space.configure(config({ domains: { corp: { domain: "new.acme.com" } } }));
  const { hash } = planOf(await space.run(["plan", "--unmanaged", "--format", "json"]));
  expect((await space.run(["apply", "--approve", hash, "--yes"])).code).toBe(13);
  expect((await space.run(["apply", "--unmanaged", "--approve", hash, "--yes"])).code).toBe(0);
});

it("drift --unmanaged --accept declares what it lists, and drift --accept alone does not", async () => {
  const space = await rich();
  const domains = { corp: { domain: "acme.com" } };
  await space.configure(config({ domains, projects: { web: { id: "2", insights: { first: { id: 1 } } } } }));
  const listed = async () => (await space.drift("--unmanaged")).document.unmanaged.map(({ kind }) => kind);
  const before = await listed();
  expect(new Set(before)).toEqual(new Set(["batch_export", "insight", "invite", "member", "pipeline_destination"]));
  expect((await space.run(["drift", "--accept", "--yes"])).code).toBe(0);
  expect(await listed()).toEqual(before);
  const accepted = await space.run(["drift", "--unmanaged", "--accept", "--yes"]);
  expect([accepted.code, linesWith(accepted.stderr, "rights_accepted")]).toMatchSnapshot();
  expect(await listed()).toEqual([]);
  expect((await space.drift()).code).toBe(0);
});

it("drift --unmanaged --accept --only takes a collection where nothing else differs", async () => {
  const insights = [1, 2, 3].map((id) => ({ id, name: `I${String(id)}` }));
  const space = await workspace({ seed: seedOf({ domains: [{ domain: "stray.com" }] }, { insights }) });
  await space.configure(config({ projects: { web: { id: "2", insights: { first: { name: "I1" } } } } }));
  const listed = async () => (await space.drift("--unmanaged")).document.unmanaged.map(({ kind }) => kind);
  expect((await listed()).filter((kind) => kind === "insight")).toHaveLength(2);
  const only = ["--only", "acme/projects/web/insights"];
  const { code } = await space.run(["drift", "--unmanaged", "--accept", "--yes", ...only]);
  expect([code, (await listed()).includes("insight"), (await listed()).includes("domain")]).toEqual([0, false, true]);
  expect((await space.run(["drift", "--accept", "--yes", ...only])).code).toBe(10);
});

it("a command that is suggested after --unmanaged has it, too", async () => {
  const space = await rich();
  await space.configure(config({ domains: { corp: { domain: "new.acme.com" } } }));
  expect((await space.run(["plan", "--unmanaged"])).stdout).toMatch(/`driftline apply .*--unmanaged/);
  const { stdout } = await space.run(["drift", "--unmanaged"]);
  expect(stdout).toMatch(/`driftline drift --unmanaged --accept`/);
  expect(stdout).toMatch(/`driftline apply`/);
});

it("apply --unmanaged lists more in HTML than are listed without it", async () => {
  const insights = Array.from({ length: 501 }, (_, index) => ({ id: index + 1, name: `I${String(index)}` }));
  const space = await workspace({ seed: seedOf({}, { insights }) });
  await space.configure(config({ projects: { web: PROJECT } }));
  const { code, stdout } = await space.run(["apply", "--yes", "--unmanaged", "--format", "html"]);
  expect([code, stdout.includes("I500"), stdout.includes("are left out")]).toEqual([0, true, false]);
});
