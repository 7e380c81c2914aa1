import { execFileSync } from "node:child_process";

/** Tests that start the real process start what users start: the built package. */
export function setup(): void {
  execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], {
    stdio: "inherit",
  });
}
