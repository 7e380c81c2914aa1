/** A short run of `npm run fuzz`, in a process of its own: what it counts is everything that the process has loaded (test/bench/fuzzing.ts). */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { isWhole } from "../support/budget.ts";
import { ROOT } from "./docs/pages.ts";

it("no damaged input crashes or takes long", async () => {
  const count = isWhole ? "200" : "40";
  const words = [join(ROOT, "node_modules/.bin/jiti"), "test/bench/fuzz.ts", "--count", count, "--seed", "1"];
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: ROOT });
  expect(stdout.match(new RegExp(`^\\w+: ${count} inputs`, "gmu"))).toHaveLength(5);
});
