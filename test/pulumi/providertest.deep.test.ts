/**
 * Pulumi's own judge of providers, providertest, on every kind of the packaged provider: the Go program in `providertest/` previews,
 * updates, refreshes, changes, replaces, imports and destroys what the programs here declare. kinds.deep.test.ts has the same life of
 * dynamic resources, and of what only today's service has.
 *
 * Algorithm: write the programs, have the Go program go through them, and read which of its tests passed.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEmulator, type Emulator } from "../../src/emulator/index.ts";
import type { JsonObject } from "../../src/emulator/json.ts";
import type { KindName } from "../../src/model/kind-name.ts";
import { NOOP } from "../support/acme.ts";
import { envOf } from "../support/cli.ts";
import { SEED } from "../support/workspace.ts";
import { build, versionOf } from "./engine/build.ts";
import { cacheFolder } from "./engine/cache.ts";
import { oneAtATime } from "./engine/one-at-a-time.ts";
import { FLAGS } from "./engine/parts.ts";
import { envOfSdk } from "./sdks/sdks.ts";
import { isWhole } from "../support/budget.ts";
import { engine } from "./support/engine.ts";
import { KEY, keyService } from "./support/key-service.ts";
import { all, programOf } from "./support/living.ts";
import { ACME, type Life } from "./support/lives.ts";
import { yamlOf } from "./support/packaged-stack.ts";
import { OWN } from "./support/provider-process.ts";
import { installPackages, type Program } from "./support/stack.ts";

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

const STEPS = ["Preview", "Up", "UpAgain", "Refresh", "Change", "Replace", "Import", "Destroy"];

/** The first change that does not replace the object. */
function changeOf({ changes, replaces = [] }: Life): JsonObject {
  const first = Object.entries(changes).find(([field]) => !replaces.includes(field));
  return first === undefined ? {} : Object.fromEntries([first]);
}

/** The three versions of the program, each with the number of resources that it touches. */
function versionsOf() {
  const args = (more: (life: Life) => JsonObject): Readonly<Record<string, JsonObject>> =>
    Object.fromEntries(
      all.map(([name, life]) => {
        const given = more(life);
        const allowed =
          life.kind === "organization" ? { confirmDelete: given["name"] ?? life.create["name"] ?? "" } : {};
        return [name, { ...given, ...allowed }];
      }),
    );
  const version = (more: (life: Life) => JsonObject): Program => programOf(0, args(more));
  const count = (more: (life: Life) => JsonObject): number =>
    all.filter(([, life]) => Object.keys(more(life)).length > 0).length;
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
  const part = { name, package: ".", folder: MODULE, flags: FLAGS, isTest: true };
  await oneAtATime(join(cache, "providertest.lock"), "builds providertest", say, () => build(part, cache, say));
  return join(cache, name);
}

// kinds.deep.test.ts has the same lives.
describe.skipIf(!isWhole || reason !== undefined)("providertest", () => {
  let folder = "";
  let emulator: Emulator;
  let passed: readonly string[] = [];
  let output = "";

  /** Writes a program. Returns its folder. */
  async function lay(version: string, program: Program): Promise<string> {
    const path = join(folder, version);
    await mkdir(path);
    await writeFile(join(path, "Pulumi.yaml"), yamlOf(program, join(folder, "node_modules/.bin")));
    return path;
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "driftline-providertest-"));
    emulator = await startEmulator({ seed: SEED, dialect: "document" });
    await installPackages(folder, OWN);
    const { created, changed, replaced } = versionsOf();
    const life = {
      Project: await lay("project", created),
      Env: { ...envOf(emulator, folder), ...(await keyService()), HOME: folder, PULUMI_HOME: join(folder, "pulumi") },
      Secrets: KEY,
      Creates: all.length,
      Changed: { Folder: await lay("changed", changed.program), Count: changed.count },
      Replaced: { Folder: await lay("replaced", replaced.program), Count: replaced.count },
    };
    const file = join(folder, "life.json");
    await writeFile(file, JSON.stringify(life));
    const env = {
      ...process.env,
      ...envOfSdk(OWN),
      PATH: [bin, dirname(OWN.node), process.env["PATH"] ?? ""].join(delimiter),
      DRIFTLINE_LIFE: file,
      PULUMI_SKIP_UPDATE_CHECK: "true",
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
      PULUMI_DISABLE_REGISTRY_RESOLVE: "true",
      GOGC: "400",
    };
    const program = await goProgram();
    const ended = promisify(execFile)(program, ["-test.v"], { env, cwd: MODULE, maxBuffer: 1e9 });
    output = await ended.then(
      ({ stdout, stderr }) => stdout + stderr,
      (error: { stdout: string; stderr: string }) => error.stdout + error.stderr,
    );
    passed = [...output.matchAll(/^ *--- PASS: TestLife\/?(\S*)/gm)].flatMap(([, name]) => name ?? []);
  }, 1_800_000);

  afterAll(async () => {
    await emulator.close();
    await rm(folder, { recursive: true, force: true });
  });

  it("judges the whole life of every kind", () => {
    // The last one is the whole.
    expect(passed.toSorted(), output).toEqual(["", ...STEPS].toSorted());
  });

  it("leaves nothing of the life on the service", () => {
    for (const [name, life] of all) expect(emulator.find(life.stored, life.find), name).toEqual([]);
  });
});
