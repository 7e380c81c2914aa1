import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { ROOT } from "./docs/pages.ts";

it("npm run demo runs to its end and exits with 0 in less than two minutes", { timeout: 120_000 }, async () => {
  const jiti = join(ROOT, "node_modules/jiti/lib/jiti-cli.mjs");
  const { stdout } = await promisify(execFile)(process.execPath, [jiti, "scripts/demo.ts"], { cwd: ROOT });
  for (const part of [
    "driftline plan",
    "driftline apply",
    "Nothing differs",
    "driftline drift",
    "declared true",
    "This is the end of the demo",
  ]) {
    expect(stdout).toContain(part);
  }
});
