import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

/** The last file of every build. */
const BUILT = "dist/bin/THIRD-PARTY.txt";

/** Builds the package of this repository, and has the tests run its command, like users. */
export function setup(project: TestProject): void {
  if (!isUpToDate()) execFileSync("npm", ["run", "--silent", "build"], { stdio: "inherit" });
  project.provide("package", process.cwd());
}

/** Reports whether the build is newer than its inputs. Folders count, because they show that files were deleted. */
function isUpToDate(): boolean {
  if (!existsSync(BUILT)) return false;
  const built = statSync(BUILT).mtimeMs;
  const sources = ["src", "scripts/bundle"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
  );
  const inputs = ["src", "package.json", "tsconfig.json", "tsconfig.build.json", "scripts/bundle.ts", ...sources];
  return inputs.every((file) => statSync(file).mtimeMs < built);
}
