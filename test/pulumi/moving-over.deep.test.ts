/** From dynamic resources, from nothing, and from an export: each way a stack gets the packaged resources. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/model/json/json.ts";
import { leaksIn } from "../support/canary.ts";
import { cli } from "../support/cli.ts";
import { SECRETS } from "../support/interface/declare.ts";
import { importFileIn } from "../support/program.ts";
import { engine } from "./support/engine.ts";
import { ACME, lives } from "./support/lives.ts";
import { createPackagedStack, createYamlStack, takeResources } from "./support/packaged-stack.ts";
import { createStack, type Program, type Stack } from "./support/stack.ts";
import { besideKeyChecks } from "./support/key-checks.ts";

const { bin, missing } = engine();
const all = Object.entries(lives);
const STACKS = [
  ["Pulumi YAML", createYamlStack],
  ["a Node program", createPackagedStack],
] as const;

/** Every kind, with a change of its last field if `isChanged`. */
function program(isChanged: boolean): Program {
  return Object.fromEntries(
    all.map(([key, { kind, type, create, changes }]) => {
      const [field = "", value = null] = Object.entries(changes).at(-1) ?? [];
      const more: JsonObject = kind === "organization" ? { confirmDelete: "Beta" } : {};
      return [key, { type, args: { ...create, ...more, ...(isChanged ? { [field]: value } : {}) } }];
    }),
  );
}

function writes({ emulator }: Stack): readonly string[] {
  return emulator.requests.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`);
}

/** The identities of all objects in a state. */
async function ids(stack: Stack): Promise<JsonObject> {
  return Object.fromEntries((await stack.state()).map(({ name, id }) => [name, id]));
}

describe.skipIf(missing !== undefined)("a state of dynamic resources", () => {
  it.each(STACKS)("comes over to %s without a request and without a change", async (_language, create) => {
    const dynamic = await createStack(bin);
    await dynamic.declare(program(false));
    await dynamic.run("up", "--yes", "--skip-preview");
    const before = await ids(dynamic);
    const deployment = await dynamic.deployment();
    expect(leaksIn(JSON.stringify(deployment), SECRETS)).toEqual([]);

    const stack = await create(bin);
    await stack.restore(deployment);
    await stack.declare(program(false));
    // The service of the dynamic stack goes on.
    Object.assign(stack.env, { DRIFTLINE_URL: dynamic.emulator.url, DRIFTLINE_API_KEY: dynamic.emulator.key });
    dynamic.emulator.clearRequests();
    await stack.run("preview", "--expect-no-changes");
    await stack.run("up", "--yes", "--skip-preview", "--expect-no-changes");
    expect(besideKeyChecks(dynamic.emulator)).toEqual([]);
    expect(await ids(stack)).toEqual(before);
    for (const { type, inputs } of await stack.state()) {
      expect(type).toMatch(/^driftline:index:/);
      expect(Object.keys(inputs)).not.toContain("__provider");
    }
    expect(leaksIn(JSON.stringify(await stack.deployment()), SECRETS)).toEqual([]);
    await stack.run("refresh", "--yes", "--skip-preview", "--expect-no-changes");
    expect(JSON.stringify(await stack.deployment())).not.toContain("__provider");
    expect(leaksIn(JSON.stringify(await stack.deployment()), SECRETS)).toEqual([]);
    expect(writes(dynamic)).toEqual([]);

    await stack.declare(program(true));
    await stack.run("up", "--yes", "--skip-preview");
    await stack.run("destroy", "--yes", "--skip-preview");
    for (const [, life] of all) expect(dynamic.emulator.find(life.stored, life.find), life.type).toEqual([]);
  });

  it("keeps a failure of its last run, and the next up puts it right", async () => {
    const insight: Program = {
      signups: { type: "Insight", args: { projectId: 2, name: "Signups", description: "d" } },
    };
    const dynamic = await createStack(bin);
    await dynamic.declare(insight);
    for (const method of ["POST", "PATCH"])
      dynamic.emulator.faults.add({ method, fault: { type: "ignore-field", field: "description" } });
    expect((await dynamic.pulumi(["up", "--yes", "--skip-preview"])).code).not.toBe(0);
    dynamic.emulator.faults.clear();
    const stack = await createYamlStack(bin);
    await stack.restore(await dynamic.deployment());
    await stack.declare(insight);
    Object.assign(stack.env, { DRIFTLINE_URL: dynamic.emulator.url, DRIFTLINE_API_KEY: dynamic.emulator.key });
    await stack.run("up", "--yes", "--skip-preview");
    expect(dynamic.emulator.find("insight", () => true)).toMatchObject([{ description: "d" }]);
    await stack.run("up", "--yes", "--skip-preview", "--expect-no-changes");
  });
});

describe.skipIf(missing !== undefined)("an import into an empty stack", () => {
  it("writes the program of every kind, and then nothing changes", async () => {
    const first = await createYamlStack(bin);
    await first.declare(program(false));
    await first.run("up", "--yes", "--skip-preview");
    const made = await first.state();
    const second = await createYamlStack(bin);
    Object.assign(second.env, { DRIFTLINE_URL: first.emulator.url, DRIFTLINE_API_KEY: first.emulator.key });
    const resources = made.map(({ name, type, id, inputs }) => {
      const place = inputs["projectId"] ?? inputs["organizationId"];
      // A member's id is not known to people, but the e-mail is.
      const own = String(inputs["email"] ?? id);
      return { type, name: `it-${name}`, id: place === undefined ? id : `${String(place)}/${own}` };
    });
    await writeFile(join(second.folder, "project/import.json"), JSON.stringify({ resources }));
    first.emulator.clearRequests();
    const output = await second.run(
      "import",
      "--file",
      "import.json",
      "--yes",
      "--protect=false",
      "--out",
      "made.yaml",
    );
    const text = await readFile(join(second.folder, "project/made.yaml"), "utf8");
    expect(writes(first)).toEqual([]);
    expect(leaksIn(`${output}${text}${JSON.stringify(await second.deployment())}`, SECRETS)).toEqual([]);
    await takeResources(join(second.folder, "project"), "made.yaml");
    await second.run("preview", "--expect-no-changes");
    await second.run("preview", "--refresh", "--expect-no-changes");
    expect(writes(first)).toEqual([]);
    expect(new Set(Object.values(await ids(second)))).toEqual(new Set(Object.values(await ids(first))));
  });

  it("says how to write an id that has no place, and that an object does not exist", async () => {
    const stack = await createYamlStack(bin);
    const alone = await stack.pulumi(["import", "driftline:index:Insight", "it", "5", "--yes"]);
    expect([alone.code === 0, alone.output]).toEqual([false, expect.stringContaining("PROJECT_ID/ID")]);
    const gone = await stack.pulumi(["import", "driftline:index:Insight", "it", "2/5", "--yes"]);
    expect([gone.code === 0, gone.output]).toEqual([false, expect.stringContaining("does not exist")]);
    expect(await stack.state()).toEqual([]);
  });
});

describe.skipIf(missing !== undefined)("the file of an export", () => {
  it("imports everything, Pulumi writes the program, and then nothing changes", async () => {
    const first = await createYamlStack(bin);
    await first.declare(program(false));
    await first.run("up", "--yes", "--skip-preview");
    const stack = await createYamlStack(bin);
    Object.assign(stack.env, { DRIFTLINE_URL: first.emulator.url, DRIFTLINE_API_KEY: first.emulator.key });
    const cwd = join(stack.folder, "project");
    const result = await cli(["export", "--pulumi", ".", "--organization", ACME], { cwd, env: stack.env });
    expect(result.code, result.stderr).toBe(0);
    first.emulator.clearRequests();
    await stack.run("import", "--file", "import.json", "--yes", "--out", "resources.yaml");
    await takeResources(cwd, "resources.yaml");
    await stack.run("preview", "--expect-no-changes");
    // The file has the state of everything, so nothing is read.
    expect(besideKeyChecks(first.emulator)).toEqual([]);
    await stack.run("preview", "--refresh", "--expect-no-changes");
    expect(writes(first)).toEqual([]);
    expect((await importFileIn(cwd)).length).toBeGreaterThan(5);
    const { deployment } = await stack.deployment();
    const exports = (deployment.resources ?? []).filter(({ type }) => type === "driftline:index:BatchExport");
    for (const { inputs, outputs } of exports)
      for (const side of [inputs, outputs]) expect(side).toHaveProperty("destination.ciphertext");
    expect(exports.length).toBeGreaterThan(0);
    expect(leaksIn(JSON.stringify(deployment), { ...SECRETS, key: first.emulator.key })).toEqual([]);
  });
});
