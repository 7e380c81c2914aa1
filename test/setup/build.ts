import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";

/** Tests that start the real process start what users start: the built package. */
export function setup(): void {
  rmSync("dist", { recursive: true, force: true });
  execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], {
    stdio: "inherit",
  });
}
