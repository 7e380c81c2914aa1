/**
 * Photographs what reviewers of a pull request see, for README.md: the HTML report of a plan (docs/report.png), and the
 * effect of a changed query (docs/effect.png). Both are of a real run against the emulator, in the Chromium of this machine. Fonts differ
 * between machines, so no test compares the bytes. Run it with `npm run pictures`.
 */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { loadSeed, startEmulator } from "../src/emulator/index.ts";
import { startBrowser } from "../test/support/browser.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const EXAMPLE = "examples/minimal";

const seed = loadSeed(await readFile(`${ROOT}${EXAMPLE}/seed.json`, "utf8"));
const folder = await mkdtemp(join(tmpdir(), "driftline-pictures-"));
const changed = join(folder, "driftline.yaml");
const emulator = await startEmulator({ seed, dialect: "deployed" });
const browser = await startBrowser();
try {
  await photograph("docs/report.png", await planAs("html"), 900);
  await declared();
  await photograph("docs/effect.png", await planAs("html", changed, "--effect"), 900, "details.change");
} finally {
  await rm(folder, { recursive: true });
  await browser.close();
  await emulator.close();
}

/** Has the example on the service, with its numbers over 60 days, and then a declaration that counts people instead of events. */
async function declared(): Promise<void> {
  const yaml = await readFile(`${ROOT}${EXAMPLE}/driftline.yaml`, "utf8");
  const long = yaml.replace("interval: week", "interval: week\n              dateRange: { date_from: -60d }");
  await writeFile(changed, long);
  await driftline("apply", changed, "--yes");
  await writeFile(changed, long.replace("event: signed_up }", "event: signed_up, math: dau }"));
}

async function planAs(format: string, path = EXAMPLE, ...options: readonly string[]): Promise<string> {
  const stdout = await driftline("plan", path, "--format", format, ...options);
  const { port } = new URL(emulator.url);
  return stdout.replaceAll(port, "8010");
}

async function driftline(...args: readonly string[]): Promise<string> {
  const env = {
    ...process.env,
    DRIFTLINE_URL: emulator.url,
    DRIFTLINE_API_KEY: emulator.key,
    DRIFTLINE_STATE_DIR: join(folder, "state"),
  };
  const { stdout } = await promisify(execFile)(process.execPath, ["dist/bin/driftline.cjs", ...args], {
    cwd: ROOT,
    env,
  });
  return stdout;
}

/** @param part a selector, if only a part of the page is wanted */
async function photograph(picture: string, html: string, height: number, part = "html"): Promise<void> {
  const { page } = await browser.open(html, { viewport: { width: 860, height } });
  const whole = part === "html";
  await writeFile(`${ROOT}${picture}`, whole ? await page.screenshot() : await page.locator(part).first().screenshot());
  process.stderr.write(`${picture}\n`);
}
