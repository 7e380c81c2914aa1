/**
 * Writes the archives that Pulumi downloads from a release, one for each platform, into a folder. They are all the same: the
 * provider runs on Node, and Pulumi installs the npm package that `plugin/package.json` names.
 *
 * @example npx jiti scripts/plugin-archives.ts release
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { archiveName, PLATFORMS } from "./release/plugin-files.ts";

const PLUGIN = new URL("../plugin", import.meta.url).pathname;
const { dependencies } = JSON.parse(readFileSync(join(PLUGIN, "package.json"), "utf8")) as {
  readonly dependencies: { readonly driftline: string };
};
const folder = process.argv[2] ?? ".";
for (const platform of PLATFORMS)
  execFileSync("tar", ["-czf", join(folder, archiveName(dependencies.driftline, platform)), "-C", PLUGIN, "."]);
