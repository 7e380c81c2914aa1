import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startEmulator, type Emulator } from "../../src/emulator/index.ts";
import { envOf } from "../support/cli.ts";
import { DIALECTS } from "../support/dialects.ts";

/** The installation asks a registry, which may be slow. Milliseconds. */
const TIMEOUT = 5 * 60_000;
const ROOT = new URL("../../", import.meta.url).pathname;

const CONFIG = `import { defineConfig } from "driftline";
const name: string = "Acme Inc";
export default defineConfig({ driftline: 1, organizations: { acme: { name, enforce_2fa: true } } });
`;

/** The README links to it: it describes the seed, the faults and the control port. */
const EMULATOR_README = "src/emulator/README.md";

const SEED = { organizations: [{ name: "Acme Inc", enforce_2fa: false }] };

/** npm's report on the package that it made. */
interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

let folder = "";
let project = "";
let packed: Packed;
let emulator: Emulator;

/** What a command prints; throws where it exits with anything but 0. */
async function run(command: string, args: readonly string[], cwd: string, service = emulator): Promise<string> {
  const env = { ...process.env, ...envOf(service, join(folder, "state")) };
  const { stdout } = await promisify(execFile)(command, args, { cwd, env });
  return stdout;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "driftline-package-"));
  emulator = await startEmulator({ seed: SEED });
  project = join(folder, "project");
  await mkdir(project);
  await writeFile(join(project, "package.json"), '{ "name": "project", "private": true, "type": "module" }\n');
  const [made] = JSON.parse(
    await run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], ROOT),
  ) as readonly Packed[];
  if (made === undefined) throw new Error("npm pack made nothing");
  packed = made;
  await run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", join(folder, packed.filename)], project);
}, TIMEOUT);

afterAll(async () => {
  await emulator.close();
  await rm(folder, { recursive: true, force: true });
});

describe("the package, installed into an empty project", { timeout: TIMEOUT }, () => {
  it("has no script that npm runs at install", async () => {
    const text = await run("tar", ["-xzOf", join(folder, packed.filename), "package/package.json"], folder);
    const { scripts = {} } = JSON.parse(text) as { readonly scripts?: Readonly<Record<string, string>> };
    // `prepare` is for a clone, not for a package.
    for (const name of ["preinstall", "install", "postinstall", "prepublish"]) expect(scripts).not.toHaveProperty(name);
    // npm runs node-gyp if there is a binding.gyp.
    expect(packed.files.map(({ path }) => path)).toContain("package.json");
    expect(packed.files.map(({ path }) => path)).not.toContain("binding.gyp");
  });

  it("brings no Pulumi SDK along", () => {
    expect(existsSync(join(project, "node_modules/driftline"))).toBe(true);
    expect(existsSync(join(project, "node_modules/@pulumi"))).toBe(false);
  });

  it("has Pulumi's provider, which says in one sentence that it needs the SDK", async () => {
    const provider = run("npx", ["--no-install", "pulumi-resource-driftline", "127.0.0.1:1"], project);
    const failed = (await provider.catch((error: unknown) => error)) as {
      code: number;
      stdout: string;
      stderr: string;
    };
    expect([failed.code, failed.stdout]).toEqual([1, ""]);
    const own = failed.stderr.split("\n").filter((line) => line !== "" && !line.startsWith("npm "));
    expect(own).toEqual([expect.stringContaining("npm install @pulumi/pulumi")]);
  });

  it("runs as npx driftline", async () => {
    expect(await run("npx", ["driftline", "--version"], project)).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it.each(DIALECTS)(
    "plans a configuration in TypeScript that imports defineConfig from it, then applies it (%s)",
    async (dialect) => {
      const service = await startEmulator({ seed: SEED, dialect });
      onTestFinished(() => service.close());
      const driftline = (...args: readonly string[]): Promise<string> =>
        run("npx", ["driftline", ...args, "acme.driftline.ts"], project, service);
      await writeFile(join(project, "acme.driftline.ts"), CONFIG);
      expect(await driftline("plan")).toContain("enforce_2fa: false -> true");
      await driftline("apply", "--yes");
      expect(service.find("organization")[0]).toMatchObject({ enforce_2fa: true });
      await driftline("plan", "--detailed-exitcode");
    },
  );

  it("plans a configuration in YAML", async () => {
    await writeFile(join(project, "driftline.yaml"), "driftline: 1\norganizations: { acme: { name: Acme Inc } }\n");
    const plan = await run("npx", ["driftline", "plan", "--detailed-exitcode", "--format", "json"], project);
    expect(JSON.parse(plan)).toMatchObject({ type: "driftline.plan", summary: { no_op: 1, update: 0 } });
  });

  it("can be imported: the library, the emulator and the schemas", async () => {
    const program = `
      import { defineConfig, createClient } from "driftline";
      import { startEmulator } from "driftline/emulator";
      import { createRequire } from "node:module";
      const schema = createRequire(import.meta.url)("driftline/schemas/config.schema.json");
      const emulator = await startEmulator();
      const { status } = await fetch(emulator.url + "/api/organizations/", { headers: { authorization: "Bearer " + emulator.key } });
      await emulator.close();
      console.log(typeof defineConfig, typeof createClient, status, schema.title);`;
    await writeFile(join(project, "program.mjs"), program);
    expect(await run(process.execPath, ["program.mjs"], project)).toBe("function function 200 Config\n");
  });

  it("types a configuration, and a wrong one does not compile", async () => {
    await writeFile(join(project, "good.ts"), CONFIG);
    await writeFile(join(project, "bad.ts"), CONFIG.replace("enforce_2fa: true", 'enforce_2fa: "yes"'));
    const tsc = (file: string): Promise<string> =>
      run(
        process.execPath,
        [
          join(ROOT, "node_modules/typescript/bin/tsc"),
          "--noEmit",
          "--strict",
          "--skipLibCheck",
          "--module",
          "nodenext",
          "--target",
          "es2023",
          file,
        ],
        project,
      );
    expect(await tsc("good.ts")).toBe("");
    await expect(tsc("bad.ts")).rejects.toMatchObject({
      stdout: expect.stringMatching(/bad\.ts\(3,.*TS2322/) as string,
    });
  });

  it("has every type that its types name", async () => {
    const dist = join(project, "node_modules/driftline/dist");
    const all = await readdir(dist, { recursive: true });
    const files = all.filter((file) => file.endsWith(".d.ts"));
    const missing = await Promise.all(
      files.map(async (file) => {
        const text = await readFile(join(dist, file), "utf8");
        const named = [...text.matchAll(/(?:from|import\()\s*"(\.[^"]+)\.[jt]s"/gu)].map(([, path = ""]) => path);
        const wanted = named.map((path) => join(dirname(file), `${path}.d.ts`));
        return wanted.filter((path) => !all.includes(path)).map((path) => `${file}: ${path}`);
      }),
    );
    expect(files.length).toBeGreaterThan(50);
    expect(missing.flat()).toEqual([]);
  });

  it("would be published as it was packed, without a warning", async () => {
    // With a tag of its own, npm does not compare the version with those of the registry.
    const args = ["publish", "--dry-run", "--json", "--ignore-scripts", "--tag", "test"];
    const { stdout, stderr } = await promisify(execFile)("npm", args, { cwd: ROOT });
    const warnings = stderr.split("\n").filter((line) => line.startsWith("npm warn publish"));
    expect(warnings.filter((line) => !line.includes("requires you to be logged in"))).toEqual([]);
    // Newer versions of npm put it under the name of the package.
    const answer = JSON.parse(stdout) as Packed & { readonly driftline?: Packed };
    const published = answer.driftline ?? answer;
    expect(published.files.map(({ path }) => path)).toEqual(packed.files.map(({ path }) => path));
  });

  it("holds what is needed and no junk, and is small", () => {
    const paths = packed.files.map(({ path }) => path);
    for (const needed of [
      "README.md",
      "LICENSE",
      "CHANGELOG.md",
      "CONTRIBUTING.md",
      "dist/index.d.ts",
      "dist/bin/driftline.cjs",
      "dist/bin/THIRD-PARTY.txt",
      "dist/pulumi/plugin/main.js",
      "docs/pulumi.md",
      "schemas/plan.schema.json",
      "schemas/pulumi.schema.json",
      "schemas/kinds/insight.schema.json",
      "schemas/terraform/posthog.json",
      "examples/minimal/driftline.yaml",
      EMULATOR_README,
    ]) {
      expect(paths).toContain(needed);
    }
    const others = paths.filter((path) => path !== EMULATOR_README);
    const junk = /^(src|test|scripts|plugin|dist\/(cli|forge|git))\/|\.map$|\.test\.|tsconfig|node_modules/;
    expect(others.filter((path) => junk.test(path))).toEqual([]);
    console.log(
      `${packed.filename}: ${String(Math.round(packed.size / 1024))} KiB, unpacked ${String(Math.round(packed.unpackedSize / 1024))} KiB, ${String(paths.length)} files`,
    );
    // A half are the two bundles, with undici in each of them.
    expect(packed.size).toBeLessThan(1_900_000);
  });
});
