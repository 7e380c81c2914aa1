/** If organization and project are pinned, a key needs the scope of what is declared in them, and no other. */
import { expect, it } from "vitest";
import { outcomesOf, planOf } from "../support/cli.ts";
import { describeDialects } from "../support/dialects.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const ORG = "0190aa11-0000-4000-8000-00000000000a";
const EXPORT = { name: "Events", interval: "hour", destination: { type: "NoOp", config: {} } };
const PLUGIN = { name: "One", plugin_type: "source" };

const inOrganization = (declared: object) => ({ driftline: 1, organizations: { acme: { id: ORG, ...declared } } });
const inProject = (declared: object) => inOrganization({ projects: { web: { id: 2, ...declared } } });

/** A change of each family: its scope, and a configuration that asks for one write. */
const FAMILIES: readonly (readonly [name: string, scope: string, config: object])[] = [
  ["organization", "organization", inOrganization({ is_member_join_email_enabled: false })],
  ["domain", "organization", inOrganization({ domains: { one: { domain: "one.acme.com" } } })],
  ["membership", "organization_member", inOrganization({ memberships: { "eve@acme.com": { level: "member" } } })],
  ["member", "organization_member", inOrganization({ members: { "bob@acme.com": { level: "admin" } } })],
  ["invite", "organization_member", inOrganization({ invites: { eve: { target_email: "eve@acme.com" } } })],
  [
    "pipeline_destination",
    "plugin",
    inOrganization({ pipeline_destinations: { one: { ...PLUGIN, capabilities: { methods: ["onEvent"] } } } }),
  ],
  [
    "pipeline_frontend_app",
    "plugin",
    inOrganization({ pipeline_frontend_apps: { one: { ...PLUGIN, capabilities: {} } } }),
  ],
  [
    "pipeline_import_app",
    "plugin",
    inOrganization({
      pipeline_import_apps: { one: { ...PLUGIN, capabilities: { scheduled_tasks: ["runEveryHour"] } } },
    }),
  ],
  ["batch_export", "batch_export", inProject({ batch_exports: { one: EXPORT } })],
  ["insight", "insight", inProject({ insights: { one: { name: "One" } } })],
];

async function spaceWith(config: object, ...scopes: readonly string[]): Promise<Workspace> {
  const space = await workspace({ keys: [{ key: "scoped", scopes }] });
  await space.configure(config);
  return space;
}

const writesOf = ({ emulator }: Workspace) => emulator.requests.filter(({ method }) => method !== "GET");

async function planWith(space: Workspace, ...args: readonly string[]) {
  const result = await space.run(["plan", "--format", "json", ...args]);
  return { code: result.code, stderr: result.stderr, document: planOf(result) };
}

const applyWith = (space: Workspace) => space.run(["apply", "--yes", "--format", "json"]);

describeDialects("a key with no scope", () => {
  it.each(FAMILIES)("cannot plan %s: it stays unknown, and the scope is named", async (kind, scope, config) => {
    const space = await spaceWith(config);
    const { code, document, stderr } = await planWith(space);
    expect(code).toBe(11);
    expect(document.changes.find((change) => change.kind === kind)?.action).toBe("unknown");
    expect(stderr).toContain(`${scope}:read`);
    expect((await applyWith(space)).code).toBe(11);
    expect(writesOf(space)).toEqual([]);
  });
});

describeDialects("a key with only the scope to read", () => {
  it.each(FAMILIES)("can plan %s, and apply is refused with the scope to write", async (kind, scope, config) => {
    const space = await spaceWith(config, `${scope}:read`);
    const { code, document, stderr } = await planWith(space);
    expect(code, stderr).toBe(0);
    expect(document.changes.filter(({ action }) => action !== "no_op").map((change) => change.kind)).toEqual([kind]);
    expect(document.summary.unknown).toBe(0);
    expect(document.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    const applied = await applyWith(space);
    expect(applied.code, applied.stderr).toBe(11);
    expect(applied.stdout).toContain(`${scope}:write`);
    expect(writesOf(space).every(({ status }) => status === 403)).toBe(true);
  });
});

describeDialects("a key with only", () => {
  it.each(
    FAMILIES.flatMap(([kind, scope, config]) => [`${scope}:write`, "*"].map((held) => [held, kind, config] as const)),
  )("%s can plan and apply %s", async (scope, kind, config) => {
    const space = await spaceWith(config, scope);
    const { code, stderr } = await planWith(space);
    expect(code, stderr).toBe(0);
    const applied = await applyWith(space);
    expect(applied.code, applied.stderr).toBe(0);
    const written = outcomesOf(applied).changes.filter(({ action }) => action !== "no_op");
    expect(written.map((change) => [change.kind, change.status])).toEqual([[kind, "applied"]]);
  });
});

describeDialects("a read that only serves a warning", () => {
  it("does not fail the plan if it is refused", async () => {
    const space = await spaceWith(inOrganization({ enforce_2fa: true }), "organization:write");
    const { code, document } = await planWith(space);
    expect([code, document.summary.update, document.diagnostics]).toEqual([0, 1, []]);
    expect((await applyWith(space)).code).toBe(0);
  });
});
