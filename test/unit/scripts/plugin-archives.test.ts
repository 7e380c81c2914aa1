import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";

const ROOT = new URL("../../../", import.meta.url).pathname;

it("a release has the plugin for each platform, under the name that Pulumi asks for", () => {
  const folder = mkdtempSync(join(tmpdir(), "driftline-archives-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  execFileSync(join(ROOT, "node_modules/.bin/jiti"), ["scripts/plugin-archives.ts", folder], { cwd: ROOT });
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
  const platforms = ["darwin-amd64", "darwin-arm64", "linux-amd64", "linux-arm64", "windows-amd64", "windows-arm64"];
  expect(readdirSync(folder).toSorted()).toEqual(
    platforms.map((platform) => `pulumi-resource-driftline-v${version}-${platform}.tar.gz`),
  );
  const [archive = ""] = readdirSync(folder);
  execFileSync("tar", ["-xzf", join(folder, archive), "-C", folder]);
  for (const file of readdirSync(join(ROOT, "plugin")))
    expect(readFileSync(join(folder, file)), file).toEqual(readFileSync(join(ROOT, "plugin", file)));
  expect(statSync(join(folder, "pulumi-resource-driftline")).mode & 0o111).toBe(0o111);
});
