/**
 * The programs that `driftline export --pulumi` writes for random organizations, without an engine.
 *
 * Terms: a program is sound if it compiles, registers exactly the resources of the import file, and the provider's
 * check returns the inputs of that file for its arguments. A state is sound if a refresh changes nothing.
 */
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { startEmulator, type Emulator, type Seed } from "../../src/emulator/index.ts";
import { pulumiProperties } from "../../src/generated/pulumi.ts";
import { allKinds } from "../../src/kinds/registry.ts";
import type { Kind } from "../../src/kinds/kind.ts";
import { KindProvider } from "../../src/pulumi/provider/adapter.ts";
import { check } from "../../src/pulumi/properties/check.ts";
import { cli, envOf } from "../support/cli.ts";
import { AWKWARD, seeds } from "../support/organizations.ts";
import { compile, filesIn, importFileIn, register, type ImportedResource } from "../support/program.ts";
import { PACKAGE, ROOT } from "./support/package.ts";

const COUNT = 12;

/** Random organizations, and one with every awkward text in the places that programs show. */
function organizations(): readonly Seed[] {
  const awkward = AWKWARD.filter((text) => text.trim() !== "" && text !== "toString");
  const insights = awkward.map((text) => ({
    name: text,
    description: text,
    query: { [text]: [text, { [text]: null }] },
  }));
  // The SDK calls the `toString` of each value, and fails if that is not a function.
  const printable = seeds.filter((seed) => !JSON.stringify(seed).includes('"toString":'));
  const project = { id: 7, name: "*/ ${x} `\u2028", insights };
  return [
    ...fc.sample(printable, { seed: 5, numRuns: COUNT }),
    { organizations: [{ name: "class", projects: [project] }] },
  ];
}

interface Case {
  readonly name: string;
  readonly emulator: Emulator;
  readonly imported: readonly ImportedResource[];
}

/** Exports all organizations into one folder, each from a service of its own. */
async function exportAll(): Promise<{ readonly folder: string; readonly cases: readonly Case[] }> {
  const folder = await mkdtemp(join(tmpdir(), "driftline-programs-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, "node_modules"));
  await symlink(PACKAGE, join(folder, "node_modules/driftline"));
  for (const name of ["@pulumi", "@types"])
    await symlink(join(ROOT, "node_modules", name), join(folder, "node_modules", name));
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  const cases: Case[] = [];
  for (const [index, seed] of organizations().entries()) {
    const name = `p${String(index)}`;
    const emulator = await startEmulator({ seed, dialect: index % 2 === 0 ? "document" : "deployed" });
    onTestFinished(() => emulator.close());
    const result = await cli(["export", "--pulumi", name], {
      cwd: folder,
      env: envOf(emulator, join(folder, "state")),
    });
    expect(result.code, result.stderr).toBe(0);
    cases.push({ name, emulator, imported: await importFileIn(join(folder, name)) });
  }
  await copyFile(join(folder, "p0/tsconfig.json"), join(folder, "tsconfig.json"));
  return { folder, cases };
}

function kindOf(type: string): Kind {
  const kind = allKinds.find(({ name }) => type === `pulumi-nodejs:dynamic/driftline:${pulumiProperties[name].title}`);
  if (kind === undefined) throw new Error(`no kind has the type ${type}`);
  return kind;
}

/** Returns the outputs of a state after a refresh. */
async function refreshed({ emulator }: Case, { type, id, outputs }: ImportedResource): Promise<unknown> {
  const { __provider, ...props } = outputs;
  const provider = new KindProvider(kindOf(type));
  const settings: Readonly<Record<string, string>> = {
    "driftline:url": emulator.url,
    "driftline:apiKey": emulator.key,
  };
  await provider.configure({ config: { get: (key) => settings[key] } });
  const { id: found, props: shown } = await provider.read(id, props);
  return { id: found, props: { ...shown, __provider } };
}

describe("the programs of random organizations", () => {
  it("compile, declare the imported resources, and show no difference on a refresh", async () => {
    const { folder, cases } = await exportAll();
    expect(
      compile(
        folder,
        cases.map(({ name }) => name),
      ),
    ).toEqual([]);
    const seen = new Map<string, number>();
    for (const one of cases) {
      const { name: project, emulator, imported } = one;
      const ids = new Map(imported.map(({ name, id }) => [name, id]));
      expect(ids.size).toBe(imported.length);
      const registered = await register(join(folder, "dist", project, "index.js"), ids);
      expect(registered.map(({ name }) => name).toSorted()).toEqual([...ids.keys()].toSorted());
      for (const { name, type, inputs } of registered) {
        const kind = kindOf(type);
        seen.set(kind.name, (seen.get(kind.name) ?? 0) + 1);
        const entry = imported.find((resource) => resource.name === name);
        const { __provider, ...given } = inputs;
        const { inputs: checked, failures } = check(kind, given);
        expect(failures).toEqual([]);
        expect({ type, inputs: { ...checked, __provider } }).toEqual({ type: entry?.type, inputs: entry?.inputs });
      }
      for (const entry of imported) expect(await refreshed(one, entry)).toEqual({ id: entry.id, props: entry.outputs });
      expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
      // The user name of a database is not a secret, though some services do not return it.
      const lines = Object.values(await filesIn(join(folder, project))).flatMap((text) => text.split("\n"));
      expect(lines.filter((line) => line.includes("hush-hush") && !/^ *"?user"?: /.test(line))).toEqual([]);
    }
    // All kinds are exported except members, which become memberships, and what only today's service has.
    const missing = new Set<string>(["member", "identity_provider_config"]);
    const exported = allKinds.map(({ name }) => name).filter((name) => !missing.has(name));
    expect([...seen.keys()].toSorted()).toEqual(exported.toSorted());
  });
});
