/** Whether a release folder has the files that the installation of Pulumi's plugin takes, as their checksums say. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const SUMS = "SHA256SUMS";

/** The platforms of Pulumi's engine that the plugin is for. */
export const PLATFORMS = ["linux", "darwin", "windows"].flatMap((system) => [`${system}-amd64`, `${system}-arm64`]);

/** The name of the npm package of a version. */
export function packageName(version: string): string {
  return `driftline-${version}.tgz`;
}

/** The name of the archive that Pulumi's engine asks for. @param platform such as `linux-amd64` */
export function archiveName(version: string, platform: string): string {
  return `pulumi-resource-driftline-v${version}-${platform}.tar.gz`;
}

/** This machine, as Pulumi names it. */
export function ownPlatform(): string {
  const system = process.platform === "win32" ? "windows" : process.platform;
  return `${system}-${process.arch === "x64" ? "amd64" : process.arch}`;
}

/** What is wrong with the files of a release, in sentences. */
export function checkFiles(folder: string, version: string): readonly string[] {
  if (!existsSync(join(folder, SUMS))) return [`${SUMS} is missing.`];
  const lines = readFileSync(join(folder, SUMS), "utf8").matchAll(/^([0-9a-f]{64}) [ *](.+)$/gmu);
  const sums = new Map([...lines].map(([, sum = "", name = ""]) => [name, sum]));
  const archives = PLATFORMS.map((platform) => archiveName(version, platform));
  const errors = [packageName(version), ...archives].flatMap((name) => checkFile(join(folder, name), name, sums));
  // Only that of this machine is installed. So it has to stand for the others.
  const isOne = new Set(archives.map((name) => sums.get(name))).size === 1;
  return errors.length > 0 || isOne ? errors : ["The archives differ from each other."];
}

function checkFile(path: string, name: string, sums: ReadonlyMap<string, string>): readonly string[] {
  if (!existsSync(path)) return [`${name} is missing.`];
  if (!sums.has(name)) return [`${SUMS} does not name ${name}.`];
  const sum = createHash("sha256").update(readFileSync(path)).digest("hex");
  return sum === sums.get(name) ? [] : [`${name} does not have the checksum that ${SUMS} says.`];
}
