/**
 * Every way to install driftline that the documentation names, each used in an empty folder with nothing but the commands that
 * are printed. The repository is copied first, and the copy is gone before what was packed from it is used.
 */
import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isWhole } from "../support/budget.ts";
import { suggestionsIn } from "./suggested/world.ts";

/** On two busy cores all of it took 10 minutes, from git alone 3: all that a build needs is installed. Milliseconds. */
const TIMEOUT = 15 * 60_000;
const ROOT = new URL("../../", import.meta.url).pathname;
/** What a clone does not have. */
const NOT_CLONED = new Set(["node_modules", "dist", ".git", ".driftline", "reports"]);
const execute = promisify(execFile);

/** How driftline was installed. */
interface Way {
  /** The folder of its command. */
  readonly bin?: string;
  /** What a shell runs first, if the command is not in a folder. */
  readonly prelude?: string;
}

let folder = "";
let clone = "";
let archive = "";
let env: Readonly<Record<string, string | undefined>> = {};

/** Runs lines of a shell as a person pastes them. @returns what they print, stdout and stderr */
async function shell(lines: string, cwd: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const run = execute("bash", ["-ec", lines], { cwd, env: { ...env, ...more }, maxBuffer: 2 ** 26 });
  const { stdout, stderr } = await run.catch(
    (error: Error & { readonly stdout?: string; readonly stderr?: string }) => {
      throw new Error(`${lines}\n${error.stdout ?? ""}${error.stderr ?? ""}`);
    },
  );
  return stdout + stderr;
}

async function measured(name: string, run: Promise<unknown>): Promise<void> {
  const started = performance.now();
  await run;
  console.log(`${name}: ${((performance.now() - started) / 1000).toFixed(0)} s`);
}

/** npm's settings of this machine hold; what npm writes goes into a folder of the test. Its cache is only read and filled. */
async function npmEnvironment(): Promise<typeof env> {
  const { stdout } = await execute("npm", ["config", "get", "cache"]);
  const content = join(stdout.trim(), "_cacache");
  await mkdir(content, { recursive: true });
  await mkdir(join(folder, "cache"));
  await symlink(content, join(folder, "cache/_cacache"));
  const settings = { cache: join(folder, "cache"), prefer_offline: "true", audit: "false", fund: "false" };
  const { DRIFTLINE_URL: _url, DRIFTLINE_API_KEY: _key, ...all } = process.env;
  return {
    ...all,
    ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [`npm_config_${name}`, value])),
    PATH: [dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter),
    DRIFTLINE_STATE_DIR: join(folder, "state"),
  };
}

/** Copies what would be committed, and commits it. */
async function makeClone(): Promise<void> {
  await cp(ROOT, clone, { recursive: true, filter: (path) => !NOT_CLONED.has(basename(path)) });
  const author = "-c user.name=test -c user.email=test@example.com";
  await shell(`git init -q && git add -A && git ${author} commit -qm all`, clone);
}

/** Lays what the image of the Dockerfile holds, where there is no Docker. */
async function makeImage(): Promise<void> {
  const text = (await readFile(join(ROOT, "Dockerfile"), "utf8")).replaceAll(/\\\n(?:\s*#.*\n)?\s*/gu, "");
  const build = /^RUN npm run build && (.*)$/mu.exec(text)?.[1];
  await shell(build ?? "false", clone, { VERSION: "unreleased" });
  const copied = [...text.matchAll(/^COPY --from=build (\/build\/.*) (\/opt\/driftline\/\S*)$/gmu)];
  for (const [, sources = "", target = ""] of copied) {
    for (const source of sources.split(" ").map((path) => path.replace("/build", clone)))
      await cp(source, join(folder, target, target.endsWith("/") ? basename(source) : ""), { recursive: true });
  }
}

/** Starts an emulator by a printed command. @returns the lines that it asks to run in another terminal */
async function startPrinted(lines: string, cwd: string): Promise<{ exports: string; stop: () => Promise<void> }> {
  // A group of its own, because npx starts driftline as a child.
  const child = spawn("bash", ["-ec", lines], { cwd, env, detached: true, stdio: ["ignore", "pipe", "inherit"] });
  const closed = new Promise<void>((resolve) => child.on("close", () => resolve()));
  let printed = "";
  for await (const data of child.stdout) {
    printed += String(data);
    if (printed.includes("Press Ctrl-C")) break;
  }
  const stop = (): Promise<void> => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGINT");
    return closed;
  };
  return { exports: (printed.match(/^ *export .*$/gm) ?? []).join("\n"), stop };
}

function printedCommand(output: string, pattern: RegExp): string {
  const found = suggestionsIn({ stdout: output, stderr: "" }).find((line) => pattern.test(line));
  if (found === undefined) expect.fail(`no command ${String(pattern)} in:\n${output}`);
  return found;
}

/** The first minute: a version and a configuration. @returns what runs further lines in the folder */
async function begin(name: string, { bin, prelude = "" }: Way) {
  const cwd = join(folder, `use-${name}`);
  await mkdir(cwd);
  const path = [...(bin === undefined ? [] : [bin]), env["PATH"]].join(delimiter);
  const paste = (line: string): Promise<string> => shell(`${prelude}\n${line}`, cwd, { PATH: path });
  const { version } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as { readonly version: string };
  expect(await paste("driftline version")).toContain(`${version}\n`);

  const started = await paste("driftline init");
  expect(await paste(printedCommand(started, /^driftline validate/))).toContain("Valid: ");
  return { cwd, path, paste };
}

/** The first hour: after the first minute an example against the emulator, and a file for Pulumi of what is live. */
async function use(name: string, way: Way): Promise<void> {
  const { cwd, path, paste } = await begin(name, way);
  const copied = await paste("driftline init --example minimal demo");
  const emulator = printedCommand(copied, /^driftline emulator/);
  const { exports, stop } = await startPrinted(`export PATH=${path}\n${way.prelude ?? ""}\n${emulator}`, cwd);
  try {
    const withService = (line: string): Promise<string> => paste(`${exports}\n${line}`);
    const plan = printedCommand(copied, /^driftline plan/);
    const planned = await withService(plan);
    expect(planned).toContain("+ acme/");
    // Without a terminal to ask on, apply prints the command that does not ask.
    const refused = await withService(printedCommand(planned, /^driftline apply/)).catch(String);
    await withService(printedCommand(refused, /^driftline apply .*--yes/));
    expect(await withService(plan)).toContain("Nothing differs");

    await withService("driftline export --pulumi live");
    expect(existsSync(join(cwd, "live/import.json"))).toBe(true);
  } finally {
    await stop();
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "driftline-install-"));
  clone = join(folder, "clone");
  env = await npmEnvironment();
  await makeClone();
}, TIMEOUT);

afterAll(() => rm(folder, { recursive: true, force: true }), TIMEOUT);

describe("driftline is installed", { timeout: TIMEOUT }, () => {
  it("from a clone, linked", async () => {
    // `npm ci` has laid these packages here, and would do it again. Links to their files suffice, where the folders are on one disk.
    const from = join(ROOT, "node_modules");
    await measured("packages", shell(`cp -al ${from} . || { rm -rf node_modules; cp -a ${from} .; }`, clone));
    // A clone is built when it is wanted, not each time its packages are installed.
    await shell("npm pkg get scripts.prepare | node -p 'JSON.parse(fs.readFileSync(0))' | sh", clone, {
      npm_command: "ci",
    });
    expect(existsSync(join(clone, "dist"))).toBe(false);
    const prefix = join(folder, "linked");
    await measured(
      "npm run build && npm link",
      shell("npm run build && npm link", clone, { npm_config_prefix: prefix }),
    );
    await use("clone", { bin: join(prefix, "bin") });
  });

  // The packed package is what the deep tests install and run anyway.
  describe.runIf(isWhole)("without a clone", () => {
    const project = (): string => join(folder, "project");

    beforeAll(async () => {
      await shell(`npm pack --pack-destination ${folder}`, clone);
      archive = join(folder, "driftline-0.1.0.tgz");
      await mkdir(project());
      await writeFile(join(project(), "package.json"), '{ "name": "project", "private": true }\n');
      await measured("npm install git+file", shell(`npm install "git+file://${clone}"`, project()));
      await makeImage();
      await rm(clone, { recursive: true });
    }, TIMEOUT);

    // npm installs all that a build needs, and builds: a minute and a half of two cores.
    it("from git, in a project", async () => {
      const bin = join(project(), "node_modules/.bin");
      await use("git", { bin });
    });

    it("from a packed file, globally", async () => {
      const prefix = join(folder, "global");
      await shell(`npm install --global ${archive}`, folder, { npm_config_prefix: prefix });
      await use("global", { bin: join(prefix, "bin") });
    });

    it("as an image", async () => {
      const prelude = `driftline() { ${process.execPath} ${folder}/opt/driftline/dist/bin/driftline.cjs "$@"; }`;
      await use("image", { prelude });
    });

    it("from a packed file, with npx only", async () => {
      const prelude = `driftline() { npx --yes --package ${archive} driftline "$@"; }`;
      // npx unpacks the file for each command, which takes seconds.
      await begin("npx", { prelude });
    });
  });
});
