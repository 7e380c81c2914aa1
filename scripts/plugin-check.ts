/**
 * Checks a folder with the files of a release as a user of Pulumi meets them: `pulumi plugin install` downloads the plugin and its
 * package from this machine, and the installed plugin says its version. Needs `pulumi` on PATH.
 *
 * @example npx jiti scripts/plugin-check.ts release 1.2.3
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { askPlugin } from "./release/installed-plugin.ts";
import { checkFiles, ownPlatform } from "./release/plugin-files.ts";
import { serveRelease } from "./release/plugin-server.ts";

const [folder = ".", version = ""] = process.argv.slice(2);
const errors = checkFiles(folder, version);
const found =
  errors.length > 0 ? errors : await checkInstallation(resolve(folder)).catch(({ message }: Error) => [message]);
if (found.length === 0) console.log(`The plugin ${version} installs on ${ownPlatform()}, starts, and answers.`);
else console.error(found.map((error) => `error: ${error}`).join("\n"));
process.exitCode = found.length === 0 ? 0 : 1;

/** What is wrong with what gets installed. */
async function checkInstallation(release: string): Promise<readonly string[]> {
  const home = mkdtempSync(join(tmpdir(), "driftline-plugin-check-"));
  const server = await serveRelease(release, version);
  try {
    await install(server.url, home);
    const project = join(home, "project");
    mkdirSync(project);
    const versions = await askPlugin(join(home, `plugins/resource-driftline-v${version}`), project);
    return Object.entries(versions)
      .filter(([, own]) => own !== version)
      .map(([part, own]) => `The ${part} says that it is version ${own}.`);
  } finally {
    server.close();
    rmSync(home, { recursive: true, force: true });
  }
}

/** @throws if Pulumi's engine cannot install the plugin */
async function install(url: string, home: string): Promise<void> {
  const child = spawn("pulumi", ["plugin", "install", "resource", "driftline", version, "--server", url], {
    // stdout is for the verdict.
    stdio: ["ignore", process.stderr, process.stderr],
    env: {
      ...process.env,
      PULUMI_HOME: home,
      PULUMI_SKIP_UPDATE_CHECK: "true",
      npm_config_registry: `${url}/`,
      npm_config_prefer_offline: "true",
    },
  });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error(`pulumi plugin install ended with ${String(code)}.`);
}
