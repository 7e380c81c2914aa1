import { mkdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Dialect, Seed } from "../../src/emulator/index.ts";
import { cli } from "../support/cli.ts";
import { seeds } from "../support/organizations.ts";
import { compile, importFileIn } from "../support/program.ts";
import { engine } from "./support/engine.ts";
import { ROOT } from "./support/package.ts";
import { createStack, stepsOf, type Result, type Stack } from "./support/stack.ts";

const { bin, missing } = engine();

/** The classes that an export uses. Members become memberships. */
const TITLES = [
  "BatchExport",
  "Domain",
  "Insight",
  "Invite",
  "Membership",
  "Organization",
  "PipelineDestination",
  "PipelineFrontendApp",
  "PipelineImportApp",
];
const LISTS = [
  "batch_exports",
  "domains",
  "invites",
  "members",
  "pipeline_destinations",
  "pipeline_frontend_apps",
  "pipeline_import_apps",
] as const;

/** Returns the first random organization with objects of all these kinds, in its projects too. */
function organization(): Seed {
  const found = fc.sample(seeds, { seed: 20261121, numRuns: 3000 }).find(({ organizations: [first] }) => {
    const projects = first?.projects ?? [];
    const hasAll = LISTS.every((list) => (first?.[list]?.length ?? 0) > 0);
    return (
      hasAll &&
      projects.every(({ insights, batch_exports }) => (insights?.length ?? 0) > 0 && (batch_exports?.length ?? 0) > 0)
    );
  });
  if (found === undefined) throw new Error("no random organization has objects of all kinds");
  return found;
}

interface Exported extends Stack {
  readonly program: string;
  /** Runs the engine in the exported project. */
  readonly engine: (...args: readonly string[]) => Promise<Result>;
}

/** The program of an organization after the steps that the export prints. */
async function exported(dialect: Dialect, seed: Seed): Promise<Exported> {
  const stack = await createStack(bin, { seed, dialect });
  const result = await cli(["export", "--pulumi", "program"], { cwd: stack.folder, env: stack.env });
  expect(result.code, result.stderr).toBe(0);
  expect(result.stderr).toContain("pulumi import --file import.json --generate-code=false --yes");
  const program = join(stack.folder, "program");
  await mkdir(join(program, "node_modules"));
  for (const name of ["driftline", "@pulumi"])
    await symlink(join(stack.folder, "project/node_modules", name), join(program, "node_modules", name));
  await symlink(join(ROOT, "node_modules/@types"), join(program, "node_modules/@types"));
  expect(compile(program)).toEqual([]);
  return { ...stack, program, engine: (...args) => stack.pulumi([...args, "-C", program], { PWD: program }) };
}

async function must(step: Promise<Result>): Promise<string> {
  const { code, output } = await step;
  expect(code, output).toBe(0);
  return output;
}

const IMPORT = ["import", "--file", "import.json", "--generate-code=false", "--yes"] as const;
const writes = (stack: Stack): readonly string[] =>
  stack.emulator.requests.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`);

describe.skipIf(missing !== undefined)("an exported program", () => {
  it("imports all resources, changes nothing, and then shows only what was edited", async () => {
    const stack = await exported("deployed", organization());
    const resources = await importFileIn(stack.program);
    // The invite of the fixture has expired, so it is not exported.
    const titles = TITLES.filter((title) => title !== "Invite");
    expect(new Set(resources.map(({ type }) => type.split(":").at(-1)))).toEqual(new Set(titles));
    await must(stack.engine("stack", "init", "dev"));
    stack.emulator.clearRequests();
    expect(await must(stack.engine(...IMPORT))).not.toMatch(/warning|failed to validate/);
    await must(stack.engine("preview", "--expect-no-changes"));
    expect(stack.emulator.requests).toEqual([]);
    await must(stack.engine("preview", "--refresh", "--expect-no-changes"));
    await must(stack.engine("up", "--yes", "--skip-preview", "--expect-no-changes"));
    const insight = resources.find(({ type }) => type.endsWith(":Insight"));
    stack.emulator.edit("insight", Number(insight?.id), { favorited: insight?.inputs["favorited"] !== true });
    const drift = await stack.engine("preview", "--refresh", "--json");
    expect(stepsOf(drift.output)).toEqual([{ op: "update", name: insight?.name, paths: ["favorited"] }]);
    expect((await stack.engine("preview", "--refresh", "--expect-no-changes")).code).toBe(7);
    expect(writes(stack)).toEqual([]);
  });

  it("adopts with up if the engine cannot import, and sends a secret once it is set", async () => {
    const config = {
      bucket_name: "b",
      region: "eu",
      prefix: "",
      aws_access_key_id: "AKIA",
      aws_secret_access_key: "hush",
    };
    const batch_exports = [{ name: "Events", interval: "hour", destination: { type: "S3", config } }];
    const insights = [{ name: "Signups" }, { description: "nameless" }];
    const seed = {
      organizations: [
        {
          name: "Acme Inc",
          members: [{ email: "bob@acme.com", level: 1 }],
          projects: [{ id: 2, name: "Web", batch_exports, insights }],
        },
      ],
    };
    const stack = await exported("document", seed);
    const names = (await importFileIn(stack.program)).map(({ name }) => name);
    await must(stack.engine("stack", "init", "dev"));
    await must(stack.engine("up", "--yes", "--skip-preview"));
    expect(writes(stack)).toEqual([]);
    await must(stack.engine("preview", "--refresh", "--expect-no-changes"));
    const text = await readFile(join(stack.program, "index.ts"), "utf8");
    const secrets = [...text.matchAll(/missingSecret\("(\w+)"\)/g)].map(([, name = ""]) => name);
    expect(names).toContain("acme-inc/projects/web/batch_exports/events");
    expect(secrets).toContain("DL_VALUE_EVENTS_AWS_SECRET_ACCESS_KEY");
    const [first = "", ...others] = secrets;
    await must(stack.engine("config", "set", "--secret", first, "hush-hush-42"));
    if (others.length > 0) {
      const refused = await stack.engine("preview");
      expect([refused.code === 0, refused.output]).toEqual([
        false,
        expect.stringContaining("pulumi config set --secret"),
      ]);
    }
    for (const name of others) await must(stack.engine("config", "set", "--secret", name, "hush-hush-42"));
    await must(stack.engine("up", "--yes", "--skip-preview"));
    expect(writes(stack)).toHaveLength(1);
    expect(stack.emulator.find("batch_export", () => true)).toMatchObject([
      { destination: { config: { aws_secret_access_key: "hush-hush-42" } } },
    ]);
    await must(stack.engine("preview", "--refresh", "--expect-no-changes"));
  });
});
