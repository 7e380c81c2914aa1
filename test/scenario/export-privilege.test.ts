/** Exports with a key that may read only a part: it is exported, and every list that is left out is named with its scope. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Seed } from "../../src/emulator/index.ts";
import { importFileIn } from "../support/program.ts";
import { workspace } from "../support/workspace.ts";

const ORG = "0190aa11-0000-4000-8000-00000000000a";
const plugin = (name: string, capabilities: Record<string, string[]>) => ({
  name,
  plugin_type: "source",
  capabilities,
});
const EXPORT = { name: "Events", interval: "hour", destination: { type: "NoOp", config: {} } };

const seed: Seed = {
  organizations: [
    {
      id: ORG,
      name: "Acme Inc",
      domains: [{ domain: "acme.com" }],
      members: [{ email: "bob@acme.com", level: 1 }],
      pipeline_destinations: [plugin("Sink", { methods: ["onEvent"] })],
      pipeline_import_apps: [plugin("Source", { scheduled_tasks: ["runEveryHour"] })],
      projects: [
        { id: 2, name: "Web", insights: [{ name: "Signups" }], batch_exports: [EXPORT] },
        { id: 3, name: "App", insights: [{ name: "Visits" }] },
      ],
    },
  ],
};

const ONE = ["--organization", ORG, "--project", "2"];
const ALL = ["--organization", ORG];
const SCOPES = ["batch_export", "insight", "organization_member", "organization", "plugin"].map((one) => `${one}:read`);

async function exported(scopes: readonly string[], args: readonly string[]) {
  const space = await workspace({ seed, dialect: "deployed", keys: [{ key: "scoped", scopes }] });
  const result = await space.run(["export", ...args, "--out", "live"]);
  const named = SCOPES.filter((scope) => new RegExp(`\\b${scope}`, "u").test(result.stderr));
  const files = result.stdout.split("\n").filter((line) => line.endsWith(".yaml"));
  return { space, named, ...result, files };
}

describe("export with a key of one scope", () => {
  it.each([
    ["insight:read", ONE, ["organization/projects/project-2.yaml"], "insights:", ["batch_export:read"]],
    ["batch_export:read", ONE, ["organization/projects/project-2.yaml"], "batch_exports:", ["insight:read"]],
    [
      "insight:read",
      [...ONE, "3"],
      ["organization/projects/project-2.yaml", "organization/projects/project-3.yaml"],
      "insights:",
      ["batch_export:read"],
    ],
    [
      "organization_member:read",
      ALL,
      ["organization/organization.yaml"],
      "memberships:",
      ["batch_export:read", "organization:read", "plugin:read"],
    ],
    [
      "plugin:read",
      ALL,
      ["organization/organization.yaml"],
      "pipeline_import_apps:",
      ["batch_export:read", "organization_member:read", "organization:read"],
    ],
    [
      "organization:read",
      ALL,
      ["acme-inc/organization.yaml", "acme-inc/projects/app.yaml", "acme-inc/projects/web.yaml"],
      "name: ",
      ["batch_export:read", "insight:read", "organization_member:read", "plugin:read"],
    ],
  ])("%s %j: exports what it may read, which plans to nothing, and names the other scopes", async (...row) => {
    const [scope, args, files, text, missing] = row;
    const { space, code, named, ...result } = await exported([scope], args);
    expect({ code, named, files: result.files }).toEqual({
      code: 11,
      named: missing,
      files: files.map((file) => `live/${file}`),
    });
    expect(await readFile(join(space.folder, "live", files[0] ?? ""), "utf8")).toContain(text);
    expect(await space.run(["plan", "live", "--detailed-exitcode"])).toMatchObject({ code: 0 });
  });

  it.each([
    ["project:read", ONE, ["batch_export:read", "insight:read"]],
    ["insight:read", ALL, ["batch_export:read", "organization_member:read", "organization:read", "plugin:read"]],
    ["insight:read", ["--project", "2"], ["organization:read"]],
    ["insight:read", [], ["organization:read"]],
  ])(
    "%s %j: writes nothing if it may read nothing, and says once which scopes are missing",
    async (scope, args, missing) => {
      const { code, named, files, stderr } = await exported([scope], args);
      expect({ code, named, files }).toEqual({ code: 11, named: missing, files: [] });
      expect(stderr.match(/^error /gmu)).toHaveLength(1);
    },
  );

  it("writes a file for Pulumi that refers to places by id", async () => {
    const space = await workspace({
      seed,
      dialect: "deployed",
      keys: [{ key: "scoped", scopes: ["insight:read", "plugin:read"] }],
    });
    for (const [folder, args] of Object.entries({ project: ONE, organization: ALL })) {
      const result = await space.run(["export", ...args, "--pulumi", folder]);
      expect(result).toMatchObject({ code: 11, stderr: expect.stringContaining("Could not be read: ") as string });
      const imports = await importFileIn(join(space.folder, folder));
      expect(imports.map(({ name, id, inputs }) => ({ name, id, inputs }))).toMatchSnapshot();
    }
  });
});

it("a key that the service rejects is told to be wrong, and not that ids would help", async () => {
  const space = await workspace({ seed, keys: [{ key: "right", scopes: ["organization:read"] }] });
  const rejected = await space.run(["export"], { env: { DRIFTLINE_API_KEY: "wrong" } });
  expect(rejected.code).toBe(11);
  expect(rejected.stderr).toContain("error access_denied: ");
  expect(rejected.stderr).not.toContain("--project");
  const limited = await workspace({ seed, keys: [{ key: "scoped", scopes: ["insight:read"] }] });
  const { code, stderr } = await limited.run(["export"], { env: { DRIFTLINE_API_KEY: "scoped" } });
  expect([code, stderr]).toEqual([11, expect.stringContaining("--project")]);
});
