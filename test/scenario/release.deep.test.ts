/** The workflows of this repository. What a release runs is run here: npm packs for real, but publishes and tests nothing. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";

const ROOT = new URL("../../", import.meta.url).pathname;
const VERSION = "1.2.3";
/** The files that CONTRIBUTING.md has changed for a release by hand. */
const USES_VERSION = [
  "plugin/package.json",
  "examples/pipelines/github/driftline.yml",
  "docs/drift.md",
  "docs/pipelines.md",
  "docs/many-organizations.md",
  "docs/policy-checks.md",
];

interface Step {
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly run?: string;
}
interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly needs?: readonly string[];
  readonly environment?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}
interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const workflow = (name: string): Workflow =>
  parse(readFileSync(join(ROOT, ".github/workflows", `${name}.yml`), "utf8")) as Workflow;
const scriptsOf = ({ steps }: Job): readonly string[] => steps.flatMap(({ run }) => run ?? []);

describe.each(["ci", "release"])("the workflow %s", (name) => {
  const jobs = Object.values(workflow(name).jobs);

  it("uses actions by the hash of a commit, and no value of GitHub inside a script", () => {
    for (const { uses } of jobs.flatMap(({ steps }) => steps))
      if (uses !== undefined) expect(uses).toMatch(/^actions\/[\w-]+@[0-9a-f]{40}$/);
    expect(jobs.flatMap(scriptsOf).filter((script) => script.includes("${{"))).toEqual([]);
  });

  it("runs scripts that package.json has", () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { readonly scripts: object };
    const named = jobs
      .flatMap(scriptsOf)
      .flatMap((script) => [...script.matchAll(/^npm run (\S+)/gm)].map(([, one = ""]) => one));
    expect(named).toContain(name === "ci" ? "test:deep" : "check");
    expect(named.filter((one) => !Object.hasOwn(scripts, one))).toEqual([]);
  });
});

describe("a release", () => {
  const { on, permissions, jobs } = workflow("release");

  it("begins with a tag, and each of its jobs may do one thing", () => {
    expect(on).toEqual({ push: { tags: ["v*"] } });
    expect([permissions, Object.entries(jobs).map(([name, job]) => [name, job.permissions])]).toEqual([
      {},
      [
        ["package", { contents: "read" }],
        ["publish", { "id-token": "write" }],
        ["github", { contents: "write" }],
      ],
    ]);
  });

  it("gives no right to write to a job that runs the code of the repository", () => {
    const writing = Object.values(jobs).filter((job) => Object.values(job.permissions ?? {}).includes("write"));
    expect(writing).toHaveLength(2);
    for (const { steps, needs } of writing) {
      expect(needs).toHaveLength(1);
      expect(steps.flatMap(({ uses }) => uses ?? []).filter((uses) => uses.startsWith("actions/checkout"))).toEqual([]);
      expect(steps.flatMap(({ run = "" }) => run).join("\n")).not.toMatch(/npm (?:ci|install|run|test)|npx/);
    }
  });

  it("makes the package, the list of its parts and the checksums, and publishes just these", async () => {
    const machine = await repository(`## [Unreleased]\n\n## [${VERSION}] - 2026-01-31\n\n### Added\n\n- A command.\n`);
    await machine.job("package");
    const release = join(machine.folder, "release");
    const archives = ["darwin", "linux", "windows"].flatMap((system) =>
      ["amd64", "arm64"].map((chip) => `pulumi-resource-driftline-v${VERSION}-${system}-${chip}.tar.gz`),
    );
    const files = [`driftline-${VERSION}.cdx.json`, `driftline-${VERSION}.tgz`];
    expect((await readdir(release)).toSorted()).toEqual(["SHA256SUMS", ...files, "notes.md", ...archives]);
    expect(await readFile(join(release, "notes.md"), "utf8")).toBe("### Added\n\n- A command.\n");
    expect((await readFile(join(release, "SHA256SUMS"), "utf8")).match(/\S+$/gm)).toEqual([...files, ...archives]);

    const { stdout } = await promisify(execFile)("tar", [
      "-xzOf",
      join(release, files[1] ?? ""),
      "package/package.json",
    ]);
    const manifest = JSON.parse(stdout) as { readonly scripts: object; readonly dependencies: object };
    expect(manifest).toMatchObject({
      version: VERSION,
      released: true,
      repository: { type: "git", url: "git+https://git.example.com/team/driftline.git" },
    });
    expect(manifest.scripts).not.toHaveProperty("prepare");

    const parts = JSON.parse(await readFile(join(release, files[0] ?? ""), "utf8")) as {
      readonly bomFormat: string;
      readonly components: readonly { readonly name: string }[];
    };
    const names = parts.components.map(({ name }) => name);
    expect(parts.bomFormat).toBe("CycloneDX");
    expect(names).toEqual(expect.arrayContaining(Object.keys(manifest.dependencies)));
    expect(names.filter((name) => /vitest|typescript|@pulumi/.test(name))).toEqual([]);

    expect((await machine.calls()).at(-1)).toBe(`npx <jiti> <scripts/plugin-check.ts> <release> <${VERSION}>`);

    await machine.job("publish", release);
    await machine.job("github", release);
    expect((await machine.calls()).slice(-2)).toEqual([
      `npm <publish> <./driftline-${VERSION}.tgz> <--provenance> <--access> <public> <--tag> <latest>`,
      `gh <release> <create> <v${VERSION}> <--verify-tag> <--latest> <--title> <v${VERSION}> <--notes-file> <notes.md> ${[...files, ...archives].map((file) => `<${file}>`).join(" ")} <SHA256SUMS>`,
    ]);
    await writeFile(join(release, files[1] ?? ""), "another package");
    await expect(machine.job("publish", release)).rejects.toThrow("sha256sum");
  });

  it("ends before anything is packed if the changelog does not have the version", async () => {
    const machine = await repository("## [Unreleased]\n\n- A command.\n");
    await expect(machine.job("package")).rejects.toThrow("CHANGELOG.md");
    expect(await machine.calls()).toEqual(["npm <ci>"]);
  });

  const withoutSums = (script: string): string => script.replace(/^sha256sum.*$/m, "");

  it.each([
    ["v2.0.0-rc.1", "1.9.0", "next", "--prerelease"],
    ["v1.4.2-rc.1", "2.0.0", "next", "--prerelease"],
    ["v1.4.2", "2.0.0", "latest-1.4", "--latest=false"],
    ["v1.9.1", "1.10.0", "latest-1.9", "--latest=false"],
    ["v1.0.0", "1.0.0-rc.1", "latest", "--latest"],
    ["v1.10.0", "1.9.1", "latest", "--latest"],
  ])("%s after %s: npm's tag is %s, and GitHub's %s", async (tag, latest, tagOfPackage, tagOfRelease) => {
    const machine = await repository("", { tag, latest: `echo ${latest}` });
    for (const name of ["publish", "github"]) await machine.job(name, machine.folder, withoutSums);
    const [published, created] = await machine.calls();
    expect(published).toContain(`<--tag> <${tagOfPackage}>`);
    expect(created).toContain(` <${tagOfRelease}> `);
  });

  it("nothing is published if the registry does not say what the latest version is", async () => {
    const machine = await repository("", { latest: "echo 'npm error code E503' >&2; exit 1" });
    await expect(machine.job("publish", machine.folder, withoutSums)).rejects.toThrow("E503");
    expect(await machine.calls()).toEqual([]);
  });
});

interface Machine {
  readonly folder: string;
  /** Runs the scripts of a job as GitHub does. */
  readonly job: (name: string, cwd?: string, edit?: (script: string) => string) => Promise<void>;
  /** How the programs were called that only take notes, line by line. */
  readonly calls: () => Promise<readonly string[]>;
}

/** What a registry says about a package that it does not know. */
const UNKNOWN = "echo 'npm error code E404' >&2; exit 1";

/**
 * A machine of the CI with this repository, its version and changelog made up.
 *
 * @param world the tag, and the script that answers what the latest version is
 */
async function repository(
  changelog: string,
  { tag = `v${VERSION}`, latest = UNKNOWN }: { readonly tag?: string; readonly latest?: string } = {},
): Promise<Machine> {
  const root = await mkdtemp(join(tmpdir(), "driftline-release-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const folder = join(root, "repository");
  for (const name of ["scripts", "dist", "schemas", "examples", "docs", "plugin", "README.md", "LICENSE"])
    await cp(join(ROOT, name), join(folder, name), { recursive: true });
  for (const name of ["package.json", "package-lock.json", ...USES_VERSION]) {
    const text = await readFile(join(ROOT, name), "utf8");
    const own = text.replaceAll(/("name": "driftline",\s*"version": |"driftline": )"[^"]+"/g, `$1"${VERSION}"`);
    await writeFile(join(folder, name), own.replaceAll(/(OWNER\/driftline@v)[\d.]+\d/g, `$1${VERSION}`));
  }
  await writeFile(join(folder, "CHANGELOG.md"), `# Changelog\n\n${changelog}`);

  const bin = join(root, "bin");
  const notes = join(root, "notes.txt");
  await mkdir(bin);
  await writeFile(notes, "");
  const note = `printf '%s' "$(basename "$0")" >> "${notes}"; printf ' <%s>' "$@" >> "${notes}"; echo >> "${notes}"`;
  const programs = {
    gh: note,
    // Everything that is locked is known, so npm asks no registry.
    npm: `case "$1" in ci|test|run|publish) ${note} ;; view) ${latest} ;; *) PATH="$REAL" npm_config_offline=true exec npm "$@" ;; esac`,
    // Only jiti is started by npx, and it is not installed in this copy. The check of Pulumi's plugin has a test beside those of Pulumi.
    npx: `case "$2" in scripts/plugin-check.ts) ${note}; exit ;; esac; shift; exec "${process.execPath}" "${join(ROOT, "node_modules/jiti/lib/jiti-cli.mjs")}" "$@"`,
  };
  for (const [name, text] of Object.entries(programs)) {
    await writeFile(join(bin, name), `#!/bin/bash\n${text}\n`);
    await chmod(join(bin, name), 0o755);
  }
  const real = [dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter);
  const output = join(root, "output.txt");
  await writeFile(output, "");
  const env = {
    ...process.env,
    GITHUB_OUTPUT: output,
    PATH: `${bin}${delimiter}${real}`,
    REAL: real,
    GITHUB_REF_NAME: tag,
    GITHUB_SERVER_URL: "https://git.example.com",
    GITHUB_REPOSITORY: "team/driftline",
  };
  return {
    folder,
    calls: async () => (await readFile(notes, "utf8")).split("\n").filter((line) => line !== ""),
    job: async (name, cwd = folder, edit = (script) => script) => {
      const job = workflow("release").jobs[name];
      if (job === undefined) throw new Error(`no job ${name}`);
      const tagOfPackage = /^tag=(.*)$/m.exec(await readFile(output, "utf8"))?.[1] ?? "";
      const own = Object.entries(job.env ?? {}).map(([variable, value]) => [
        variable,
        value.replace("${{ needs.publish.outputs.tag }}", tagOfPackage),
      ]);
      for (const script of scriptsOf(job))
        await promisify(execFile)("bash", ["-eo", "pipefail", "-c", edit(script)], {
          cwd,
          env: { ...env, ...(Object.fromEntries(own) as Readonly<Record<string, string>>) },
        });
    },
  };
}
