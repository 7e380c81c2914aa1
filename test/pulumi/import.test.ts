import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Dialect, Seed } from "../../src/emulator/index.ts";
import { cli } from "../support/cli.ts";
import { seeds } from "../support/organizations.ts";
import { compile, importFileIn } from "../support/program.ts";
import { engine } from "./support/engine.ts";
import { ROOT } from "./support/package.ts";
import { createStack, type Result, type Stack } from "./support/stack.ts";

const { bin, missing } = engine();

/** What an export declares: members become memberships. */
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

/** The first random organization that has all of that, in projects too. */
function organization(): Seed {
  const found = fc.sample(seeds, { seed: 20261121, numRuns: 3000 }).find(({ organizations: [first] }) => {
    const projects = first?.projects ?? [];
    const hasAll = LISTS.every((list) => (first?.[list]?.length ?? 0) > 0);
    return (
      hasAll &&
      projects.every(({ insights, batch_exports }) => (insights?.length ?? 0) > 0 && (batch_exports?.length ?? 0) > 0)
    );
  });
  if (found === undefined) throw new Error("no random organization has everything");
  return found;
}

interface Exported extends Stack {
  readonly program: string;
  /** Runs the engine in the exported project. */
  readonly engine: (...args: readonly string[]) => Promise<Result>;
}

/** An organization's program as a user has it after the steps that the export tells. */
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

describe.skipIf(missing !== undefined)("an exported program", { timeout: 600_000 }, () => {
  it.each(["document", "deployed"] as const)("is imported without a change: %s", async (dialect) => {
    const stack = await exported(dialect, organization());
    const resources = await importFileIn(stack.program);
    expect([...new Set(resources.map(({ type }) => type.split(":").at(-1)))].toSorted()).toEqual(TITLES);
    await must(stack.engine("stack", "init", "dev"));
    stack.emulator.clearRequests();
    const imported = await must(stack.engine("import", "--file", "import.json", "--generate-code=false", "--yes"));
    expect(imported).not.toMatch(/warning|failed to validate/);
    await must(stack.engine("preview", "--expect-no-changes"));
    expect(stack.emulator.requests).toEqual([]);
    await must(stack.engine("preview", "--refresh", "--expect-no-changes"));
    await must(stack.engine("up", "--yes", "--skip-preview", "--expect-no-changes"));
    await must(stack.engine("preview", "--refresh", "--expect-no-changes"));
    expect(stack.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });
});
