/**
 * Pulumi's own judge of providers, providertest, on every kind: the Go program in `providertest/` previews, updates, refreshes,
 * changes, replaces, imports and destroys what the programs here declare.
 *
 * Premise: each life has a service of its own, so that lives can run at once.
 * Algorithm: write the programs of each life, have the Go program go through all of them, and read which of its tests passed.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../src/emulator/index.ts";
import type { JsonObject } from "../../src/emulator/json.ts";
import type { KindName } from "../../src/model/kind-name.ts";
import { NOOP } from "../support/acme.ts";
import { envOf } from "../support/cli.ts";
import { SEED } from "../support/workspace.ts";
import { build, versionOf } from "./engine/build.ts";
import { cacheFolder } from "./engine/cache.ts";
import { oneAtATime } from "./engine/one-at-a-time.ts";
import { envOfSdk } from "./sdks/sdks.ts";
import { engine } from "./support/engine.ts";
import { programOf, type Lives } from "./support/living.ts";
import { ACME, currentLives, lives, type Life } from "./support/lives.ts";
import { yamlOf } from "./support/packaged-stack.ts";
import { OWN } from "./support/provider-process.ts";
import { installPackages, layProject, writeData, type Program } from "./support/stack.ts";

const { bin, missing } = engine();
const MODULE = fileURLToPath(new URL("providertest", import.meta.url));
const hasGo = versionOf("go", ["version"]) !== undefined;
const reason = missing ?? (hasGo ? undefined : "providertest needs Go");
if (reason !== undefined) process.stderr.write(`providertest is skipped: ${reason}\n`);

/** Arguments that replace an object, by kind. */
const REPLACING: Partial<Readonly<Record<KindName, JsonObject>>> = {
  domain: { organizationId: ACME },
  invite: { firstName: "Caro" },
  batch_export: { destination: NOOP, hogqlQuery: "" },
};

/** One life for the Go program. */
interface Case {
  readonly name: string;
  readonly these: Lives;
  readonly isDynamic?: boolean;
  readonly options?: EmulatorOptions;
}

const of = (...kinds: readonly KindName[]): Lives =>
  Object.entries(lives).filter(([, { kind }]) => kinds.includes(kind));
const CASES: readonly Case[] = [
  { name: "Organizations", these: of("organization", "domain") },
  { name: "People", these: of("membership", "member", "invite") },
  { name: "Exports", these: of("batch_export", "insight") },
  { name: "Pipelines", these: of("pipeline_destination", "pipeline_frontend_app", "pipeline_import_app") },
  { name: "IdentityProviders", these: Object.entries(currentLives), options: { dialect: "current" } },
  { name: "Dynamic", these: Object.entries(lives), isDynamic: true },
];

/** The first change that does not replace the object. */
function changeOf({ changes, replaces = [] }: Life): JsonObject {
  const first = Object.entries(changes).find(([field]) => !replaces.includes(field));
  return first === undefined ? {} : Object.fromEntries([first]);
}

/** The three versions of the program, each with the number of resources that it touches. */
function versionsOf(these: Lives) {
  const args = (more: (life: Life) => JsonObject): Readonly<Record<string, JsonObject>> =>
    Object.fromEntries(
      these.map(([name, life]) => {
        const given = more(life);
        const allowed =
          life.kind === "organization" ? { confirmDelete: given["name"] ?? life.create["name"] ?? "" } : {};
        return [name, { ...given, ...allowed }];
      }),
    );
  const version = (more: (life: Life) => JsonObject): Program => programOf(0, args(more), these);
  const count = (more: (life: Life) => JsonObject): number =>
    these.filter(([, life]) => Object.keys(more(life)).length > 0).length;
  const replacing = ({ kind }: Life): JsonObject => REPLACING[kind] ?? {};
  return {
    created: version(() => ({})),
    changed: { program: version(changeOf), count: count(changeOf) },
    replaced: { program: version((life) => ({ ...changeOf(life), ...replacing(life) })), count: count(replacing) },
  };
}

/** Builds the Go program once for each version of its sources. */
async function goProgram(): Promise<string> {
  const hash = createHash("sha256");
  for (const file of (await readdir(MODULE)).toSorted()) hash.update(await readFile(join(MODULE, file)));
  const name = `providertest-${hash.digest("hex").slice(0, 12)}`;
  const cache = cacheFolder();
  await mkdir(cache, { recursive: true });
  const say = (line: string): void => void process.stderr.write(`providertest: ${line}\n`);
  const part = { name, package: ".", folder: MODULE, flags: ["-ldflags", "-s -w"], isTest: true };
  await oneAtATime(join(cache, "providertest.lock"), "builds providertest", say, () => build(part, cache, say));
  return join(cache, name);
}

describe.skipIf(reason !== undefined)("providertest", () => {
  const emulators: Emulator[] = [];
  let folder = "";
  let passed: readonly string[] = [];
  let output = "";

  /** Writes a life's programs. Returns what the Go program has to know. */
  async function lay({ name, these, isDynamic = false, options = {} }: Case, shared: string): Promise<object> {
    const emulator = await startEmulator({ seed: SEED, dialect: "document", ...options });
    emulators.push(emulator);
    const home = join(folder, name);
    const { created, changed, replaced } = versionsOf(these);
    const write = async (version: string, program: Program): Promise<string> => {
      const path = join(home, version);
      await mkdir(path, { recursive: true });
      if (isDynamic && version === "project") await layProject(path, "index.js", OWN);
      if (isDynamic) await writeData(path, program);
      else await writeFile(join(path, "Pulumi.yaml"), yamlOf(program, join(shared, "node_modules/.bin")));
      return path;
    };
    return {
      Name: name,
      Project: await write("project", created),
      InPlace: isDynamic,
      Env: { ...envOf(emulator, home), HOME: home, PULUMI_HOME: join(home, "pulumi") },
      Creates: these.length,
      Changed: { Folder: await write("changed", changed.program), Count: changed.count },
      Replaced:
        replaced.count === 0 ? null : { Folder: await write("replaced", replaced.program), Count: replaced.count },
      Imports: !isDynamic,
    };
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "driftline-providertest-"));
    const shared = join(folder, "packages");
    await mkdir(shared);
    await installPackages(shared, OWN);
    const file = join(folder, "lives.json");
    const cases = await Promise.all(CASES.map((one) => lay(one, shared)));
    await writeFile(file, JSON.stringify(cases));
    const env = {
      ...process.env,
      ...envOfSdk(OWN),
      PATH: [bin, dirname(OWN.node), process.env["PATH"] ?? ""].join(delimiter),
      DRIFTLINE_LIVES: file,
      PULUMI_SKIP_UPDATE_CHECK: "true",
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
      PULUMI_DISABLE_REGISTRY_RESOLVE: "true",
    };
    const program = await goProgram();
    const ended = promisify(execFile)(program, ["-test.v", "-test.parallel=2"], { env, cwd: MODULE, maxBuffer: 1e9 });
    output = await ended.then(
      ({ stdout, stderr }) => stdout + stderr,
      (error: { stdout: string; stderr: string }) => error.stdout + error.stderr,
    );
    passed = [...output.matchAll(/^ *--- PASS: TestLives\/(\S+)/gm)].flatMap(([, name]) => name ?? []);
  }, 1_800_000);

  afterAll(async () => {
    for (const emulator of emulators) await emulator.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(CASES)("judges the whole life: $name", ({ name, these, isDynamic = false }) => {
    const replaces = these.some(([, { kind }]) => REPLACING[kind] !== undefined);
    const steps = ["Preview", "Up", "UpAgain", "Refresh", "Change", ...(replaces ? ["Replace"] : [])];
    const wanted = [...steps, ...(isDynamic ? [] : ["Import"]), "Destroy"].map((step) => `${name}/${step}`);
    expect(
      passed.filter((one) => one.startsWith(`${name}/`)),
      output,
    ).toEqual(wanted);
    expect(passed).toContain(name);
  });

  it("leaves nothing of these lives on their services", () => {
    CASES.forEach(({ these }, index) => {
      for (const [name, life] of these) expect(emulators[index]?.find(life.stored, life.find), name).toEqual([]);
    });
  });
});
