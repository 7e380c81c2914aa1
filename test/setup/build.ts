import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

/** A file of every build. */
const BUILT = "dist/cli/main.js";

/** Tests that start the real process use the built package, like users. Types are checked elsewhere. */
export function setup(): void {
  if (isUpToDate()) return;
  rmSync("dist", { recursive: true, force: true });
  execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json", "--noCheck"], {
    stdio: "inherit",
  });
}

/** Reports whether the build is newer than its inputs. Folders count, because they show that files were deleted. */
function isUpToDate(): boolean {
  if (!existsSync(BUILT)) return false;
  const built = statSync(BUILT).mtimeMs;
  const sources = readdirSync("src", { recursive: true, encoding: "utf8" }).map((file) => join("src", file));
  const inputs = ["src", "package.json", "tsconfig.json", "tsconfig.build.json", ...sources];
  return inputs.every((file) => statSync(file).mtimeMs < built);
}
