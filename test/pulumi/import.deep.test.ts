import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import type { Seed } from "../../src/emulator/index.ts";
import { filterKeys } from "../../src/model/json/object.ts";
import { UNKNOWN_SECRET } from "../../src/model/secret-values.ts";
import { cli } from "../support/cli.ts";
import { AWKWARD, seeds } from "../support/organizations.ts";
import { compile, importFileIn, type ImportedResource } from "../support/program.ts";
import { engine } from "./support/engine.ts";
import { generatingHosts } from "./support/generated-sdk.ts";
import { createPackagedStack } from "./support/packaged-stack.ts";
import { createStack, stepsOf, type Stack } from "./support/stack.ts";
import { besideKeyChecks } from "./support/key-checks.ts";

const { bin, missing } = engine();
const python = inject("python");

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

const writes = (stack: Stack): readonly string[] =>
  stack.emulator.requests.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`);

/** Exports into the project of a stack. */
async function exported(stack: Stack, provider: "dynamic" | "packaged"): Promise<readonly ImportedResource[]> {
  const cwd = join(stack.folder, "project");
  const result = await cli(["export", "--pulumi", ".", "--provider", provider], { cwd, env: stack.env });
  expect(result.code, result.stderr).toBe(0);
  return importFileIn(cwd);
}

describe.skipIf(missing !== undefined)("the file of an export", () => {
  it("imports all dynamic resources, changes nothing, and then shows only what was edited", async () => {
    const stack = await createStack(bin, { seed: organization(), dialect: "deployed" });
    const resources = await exported(stack, "dynamic");
    // The invite of the fixture has expired, so it is not exported.
    const titles = TITLES.filter((title) => title !== "Invite");
    expect(new Set(resources.map(({ type }) => type.split(":").at(-1)))).toEqual(new Set(titles));
    stack.emulator.clearRequests();
    const imported = await stack.run("import", "--file", "import.json", "--generate-code=false", "--yes");
    expect(imported).not.toMatch(/warning|failed to validate/);
    const text = await readFile(join(stack.folder, "project/constructors.ts"), "utf8");
    const program = resources.map(({ type, name, id, inputs }) => {
      const title = type.split(":").at(-1) ?? "";
      expect(text).toContain(`// new ${title}(${JSON.stringify(name)}, { ... }); // ${JSON.stringify(id)}\n`);
      return [name, { type: title, args: filterKeys(inputs, (key) => key !== "__provider") }] as const;
    });
    await stack.declare(Object.fromEntries(program));
    await stack.run("preview", "--expect-no-changes");
    expect(besideKeyChecks(stack.emulator)).toEqual([]);
    await stack.run("preview", "--refresh", "--expect-no-changes");
    await stack.run("up", "--yes", "--skip-preview", "--expect-no-changes");
    const insight = resources.find(
      ({ type, inputs }) => type.endsWith(":Insight") && (inputs["name"] ?? null) !== null,
    );
    stack.emulator.edit("insight", Number(insight?.id), { name: "Renamed" });
    const drift = await stack.pulumi(["preview", "--refresh", "--json"]);
    expect(stepsOf(drift.output)).toEqual([{ op: "update", name: insight?.name, paths: ["name"] }]);
    expect((await stack.pulumi(["preview", "--refresh", "--expect-no-changes"])).code).toBe(7);
    expect(writes(stack)).toEqual([]);
  });

  it.skipIf("missing" in python)("makes a program in TypeScript, which sends a secret once it is set", async () => {
    const paths = "missing" in python ? [] : python.paths;
    const config = {
      bucket_name: "b",
      region: "eu",
      prefix: "",
      aws_access_key_id: "AKIA",
      aws_secret_access_key: "hush",
    };
    const batch_exports = [{ name: "Events", interval: "hour", destination: { type: "S3", config } }];
    // What a program must not take for code, in the places that it shows. Pulumi composes characters.
    const insights = AWKWARD.filter((text) => text.trim() !== "" && text === text.normalize()).map((text) => ({
      name: text,
      description: text,
      // It writes a key with a line break in a way that does not compile, and a plain key of these is none.
      query: { [/[\r\n]|__proto__|toString/.test(text) ? "key" : text]: [text] },
    }));
    const project = { id: 2, name: "*/ ${x} `\u2028", batch_exports, insights };
    const stack = await createPackagedStack(bin, {
      dialect: "document",
      seed: { organizations: [{ name: "class", members: [{ email: "bob@acme.com", level: 1 }], projects: [project] }] },
    });
    await exported(stack, "packaged");
    const PATH = await generatingHosts(stack.folder, paths, stack.env["PATH"] ?? "");
    const made = await stack.pulumi(["import", "--file", "import.json", "--yes", "--out", "index.ts"], { PATH });
    expect(made.code, made.output).toBe(0);
    const file = join(stack.folder, "project/index.ts");
    const text = (await readFile(file, "utf8")).replace("driftline-pulumi", "driftline/packaged");
    const declare = async (...names: readonly string[]): Promise<void> => {
      const program = names.reduce(
        (all, name) => all.replace(JSON.stringify(UNKNOWN_SECRET), `new pulumi.Config().requireSecret("${name}")`),
        text,
      );
      await writeFile(file, program);
      expect(compile(file)).toEqual([]);
    };
    await declare();
    await stack.run("preview", "--expect-no-changes");
    await stack.run("preview", "--refresh", "--expect-no-changes");
    expect(writes(stack)).toEqual([]);
    await declare("first");
    await stack.run("config", "set", "--secret", "first", "hush-hush-42");
    const refused = await stack.pulumi(["preview"]);
    expect([refused.code === 0, refused.output]).toEqual([false, expect.stringContaining("config set --secret")]);
    await declare("first", "second");
    await stack.run("config", "set", "--secret", "second", "hush-hush-42");
    await stack.run("up", "--yes", "--skip-preview");
    expect(writes(stack)).toHaveLength(1);
    expect(stack.emulator.find("batch_export", () => true)).toMatchObject([
      { destination: { config: { aws_secret_access_key: "hush-hush-42" } } },
    ]);
    await stack.run("preview", "--refresh", "--expect-no-changes");
  });
});
