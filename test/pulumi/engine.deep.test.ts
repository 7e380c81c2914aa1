/** How the other tests find or build their engine, and what happens without one. */
import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { oneAtATime } from "./engine/one-at-a-time.ts";
import { OLDEST, VERSION } from "./engine/parts.ts";
import { ROOT } from "./support/package.ts";
import { matchesIn } from "./support/sentences.ts";

interface Machine {
  readonly folder: string;
  readonly run: (file: string, args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<Result>;
  /** Adds a program to its PATH. */
  readonly put: (name: string, script: string) => Promise<void>;
}

interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A machine with Node, an empty cache and an empty PATH. */
async function machine(): Promise<Machine> {
  const folder = await mkdtemp(join(tmpdir(), "driftline-engine-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const bin = join(folder, "bin");
  await mkdir(bin);
  const { CI: _ci, DRIFTLINE_TEST_REPORT: _report, DRIFTLINE_PACKAGE: _package, ...given } = process.env;
  return {
    folder,
    put: async (name, script) => {
      await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`);
      await chmod(join(bin, name), 0o755);
    },
    run: async (file, args, more = {}) => {
      const env = { ...given, PATH: bin, XDG_CACHE_HOME: join(folder, "cache"), DRIFTLINE_TESTS: "some", ...more };
      const problem = (error: { code: number; stdout: string; stderr: string }): Result => error;
      return promisify(execFile)(process.execPath, [join(ROOT, file), ...args], { cwd: ROOT, env })
        .then(({ stdout, stderr }) => ({ code: 0, stdout, stderr }))
        .catch(problem);
    },
  };
}

const FINDER = ["node_modules/jiti/lib/jiti-cli.mjs", ["test/pulumi/engine/engine.ts"]] as const;
const go =
  'case "$1" in version) echo "go version go1.26.0 linux/amd64";; *) echo "go cannot build here" >&2; exit 3;; esac';
const pulumi = (version: string): string => `echo v${version}`;

describe("the engine for tests", () => {
  it("is missing on a machine without pulumi and Go, and the error says what to install", async () => {
    const { run } = await machine();
    const { code, stderr } = await run(...FINDER);
    expect(code).toBe(1);
    expect(stderr).toContain(OLDEST);
    expect(matchesIn(stderr, /.*\bGo\b.*/)).toMatchSnapshot();
  });

  it("is not a pulumi that is too old or lacks its parts", async () => {
    const { run, put } = await machine();
    await put("pulumi", pulumi("3.253.0"));
    expect(matchesIn((await run(...FINDER)).stderr, /.*3\.253\.0.*/)).toMatchSnapshot("too old");
    await put("pulumi", pulumi("3.300.0"));
    expect(matchesIn((await run(...FINDER)).stderr, /.*3\.300\.0.*/)).toMatchSnapshot("without its parts");
  });

  it("is the pulumi on PATH if it is new enough, with the launcher of our own SDK beside it", async () => {
    const { run, put, folder } = await machine();
    await put("pulumi", pulumi("3.1000.0"));
    await put("pulumi-language-nodejs", "exit 0");
    await put("pulumi-language-yaml", "exit 0");
    const { code, stdout } = await run(...FINDER);
    expect(code).toBe(0);
    expect(stdout.trim()).toBe(join(folder, `cache/driftline-engine/v${VERSION}`));
    expect(await readdir(stdout.trim())).toEqual(["pulumi-resource-pulumi-nodejs"]);
  });

  it("is missing if it could not be built, and nothing half-built stays", async () => {
    const { run, put, folder } = await machine();
    await put("go", go);
    await put("nice", 'shift 2; exec "$@"');
    const { code, stderr } = await run(...FINDER);
    expect(code).toBe(1);
    expect(matchesIn(stderr, /.*building pulumi-language-nodejs.*/)).toMatchSnapshot("the step");
    expect(matchesIn(stderr, /.*could not be built.*/)).toMatchSnapshot("the error");
    expect(stderr).toContain("go cannot build here");
    expect(await readdir(join(folder, `cache/driftline-engine/v${VERSION}`))).toEqual([]);
  });

  it("is built by one process while others wait, and not again", async () => {
    const { run, put, folder } = await machine();
    await put("nice", 'shift 2; exec "$@"');
    // Appends its call to a file and writes the requested program.
    const build = `echo "$*" >> ${folder}/builds; for last in "$@"; do [ "$before" = -o ] && target=$last; before=$last; done; echo > "$target"`;
    await put("go", `case "$1" in version) echo "go version go1.26.0";; *) ${build};; esac`);
    const results = await Promise.all([run(...FINDER), run(...FINDER), run(...FINDER)]);
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0]);
    const again = await run(...FINDER);
    expect([again.code, again.stderr]).toEqual([0, ""]);
    const parts = ["pulumi", "pulumi-language-nodejs", "pulumi-language-yaml", "pulumi-resource-pulumi-nodejs"];
    expect((await readdir(again.stdout.trim())).toSorted()).toEqual(parts);
    expect((await readFile(join(folder, "builds"), "utf8")).trim().split("\n")).toHaveLength(3);
  });
});

describe("a run of the tests without an engine", () => {
  const VITEST = [
    "node_modules/vitest/vitest.mjs",
    ["run", "test/pulumi/options.deep.test.ts", "--reporter=json"],
  ] as const;

  it("skips those that need it, counts them, and says what to do", async () => {
    const { run } = await machine();
    const { code, stdout, stderr } = await run(...VITEST);
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ numPassedTests: 0, numFailedTests: 0, numPendingTests: 8 });
    expect(stderr).toContain(OLDEST);
    expect(matchesIn(stderr, /.*\bskipped\b.*pulumi.*/)).toMatchSnapshot();
  });

  it("fails with the deep ones where CI is true", async () => {
    const { run } = await machine();
    const { code, stdout, stderr } = await run(...VITEST, { CI: "true" });
    expect(code).not.toBe(0);
    expect(stdout + stderr).toContain(`install pulumi ${OLDEST}`);
  });
});

describe("the lock for work of one process at a time", () => {
  it("is taken from a process that has ended", async () => {
    const { folder } = await machine();
    const lock = join(folder, "lock");
    await writeFile(lock, "999999999");
    const said: string[] = [];
    let done = 0;
    await Promise.all(
      [1, 2, 3].map(() =>
        oneAtATime(
          lock,
          "does it",
          (line) => said.push(line),
          async () => {
            done += 1;
            await Promise.resolve();
          },
        ),
      ),
    );
    expect(done).toBe(3);
    expect((await readdir(folder)).toSorted()).toEqual(["bin"]);
  });
});
