/** The archives of a release, as Pulumi's engine downloads and installs them, and what is said of a release that is not whole. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { archiveName, ownPlatform, packageName } from "../../scripts/release/plugin-files.ts";
import { engine } from "./support/engine.ts";
import { PACKAGE, ROOT } from "./support/package.ts";

const { bin, missing } = engine();
const run = promisify(execFile);
let whole = "";
let version = "";

describe.skipIf(missing !== undefined)("the plugin of a release", () => {
  beforeAll(async () => {
    whole = await mkdtemp(join(tmpdir(), "driftline-release-plugin-"));
    ({ version } = JSON.parse(await readFile(join(PACKAGE, "package.json"), "utf8")) as { readonly version: string });
    await run("npm", ["pack", "--ignore-scripts", "--pack-destination", whole], { cwd: PACKAGE });
    await script("plugin-archives.ts", whole);
    await writeSums(whole);
    return () => rm(whole, { recursive: true, force: true });
  });

  it("is installed by the engine, starts, and has the version", async () => {
    const verdict = await check(whole);
    expect(verdict, verdict.stderr).toMatchObject({ code: 0, errors: [] });
  });

  it("is refused if the package does not have the provider", async () => {
    const release = await copy();
    const content = await mkdtemp(join(release, "content-"));
    await mkdir(join(content, "package"));
    await cp(join(PACKAGE, "package.json"), join(content, "package/package.json"));
    await run("tar", ["-czf", join(release, packageName(version)), "-C", content, "package"]);
    await writeSums(release);
    expect(await check(release)).toMatchObject({ code: 1, errors: [expect.stringMatching(/plugin ended with 1\.$/)] });
  });

  it("is refused if the package cannot be read", async () => {
    const release = await copy();
    await writeFile(join(release, packageName(version)), "no archive");
    await writeSums(release);
    const verdict = await check(release);
    expect([verdict.code, verdict.errors.length]).toEqual([1, 1]);
  });

  it("is refused if an archive is missing, is another than the checksums say, or is none of a release", async () => {
    const name = archiveName(version, ownPlatform());
    const release = await copy();
    await appendFile(join(release, name), "more");
    expect(await check(release)).toMatchObject({ code: 1, errors: [expect.stringContaining(name)] });
    await writeSums(release);
    expect(await check(release)).toMatchObject({ code: 1, errors: [expect.stringContaining("differ")] });
    await rm(join(release, name));
    expect(await check(release)).toMatchObject({ code: 1, errors: [expect.stringContaining(name)] });
    await rm(join(release, "SHA256SUMS"));
    expect(await check(release)).toMatchObject({ code: 1, errors: [expect.stringContaining("SHA256SUMS")] });
  });
});

async function copy(): Promise<string> {
  const release = await mkdtemp(join(tmpdir(), "driftline-release-plugin-"));
  onTestFinished(() => rm(release, { recursive: true, force: true }));
  await cp(whole, release, { recursive: true });
  return release;
}

async function writeSums(release: string): Promise<void> {
  const lines = (await readdir(release))
    .filter((name) => name.endsWith("gz"))
    .map(async (name) => {
      const sum = createHash("sha256").update(await readFile(join(release, name)));
      return `${sum.digest("hex")}  ${name}\n`;
    });
  await writeFile(join(release, "SHA256SUMS"), (await Promise.all(lines)).join(""));
}

interface Verdict {
  readonly code: number;
  readonly errors: readonly string[];
  readonly stderr: string;
}

async function check(release: string): Promise<Verdict> {
  const { code = 0, stderr } = await script("plugin-check.ts", release, version).catch(
    (error: unknown) => error as { readonly code: number; readonly stderr: string },
  );
  return { code, stderr, errors: stderr.match(/^error: .*$/gm) ?? [] };
}

function script(
  name: string,
  ...args: readonly string[]
): Promise<{ readonly stderr: string; readonly code?: number }> {
  const env = { ...process.env, PATH: [bin, process.env["PATH"] ?? ""].join(delimiter) };
  return run(process.execPath, [join(ROOT, "node_modules/jiti/lib/jiti-cli.mjs"), join("scripts", name), ...args], {
    cwd: ROOT,
    env,
  });
}
