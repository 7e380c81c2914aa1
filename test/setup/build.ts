import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

/** A file of every build. */
const BUILT = "dist/cli/main.js";

/** Tests that start the real process start what users start: the built package. Types are checked elsewhere. */
export function setup(): void {
  if (isUpToDate()) return;
  rmSync("dist", { recursive: true, force: true });
  execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json", "--noCheck"], {
    stdio: "inherit",
  });
}

/** Whether nothing that goes into a build was touched since. Folders count: they tell of files that are gone. */
function isUpToDate(): boolean {
  if (!existsSync(BUILT)) return false;
  const built = statSync(BUILT).mtimeMs;
  const sources = readdirSync("src", { recursive: true, encoding: "utf8" }).map((file) => join("src", file));
  const inputs = ["src", "package.json", "tsconfig.json", "tsconfig.build.json", ...sources];
  return inputs.every((file) => statSync(file).mtimeMs < built);
}
