import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { historyOf } from "../../../src/git/old-versions.ts";
import { folderOf } from "../config/helpers.ts";

it("contents after one that is no UTF-8 are read as well", async () => {
  const folder = folderOf({ "b.yaml": "driftline: 1 # before\n" });
  const env = { PATH: process.env["PATH"], GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  const commitAll = (latin1: string): void => {
    writeFileSync(join(folder, "a.yaml"), Buffer.from(latin1, "latin1"));
    execFileSync("git", ["add", "-A"], { cwd: folder, env });
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "all"], { cwd: folder, env });
  };
  execFileSync("git", ["init", "-q"], { cwd: folder, env });
  commitAll("driftline: 1 # ü\n");
  writeFileSync(join(folder, "b.yaml"), "driftline: 1 # after\n");
  commitAll("driftline: 1 # é\n");
  const texts = (await historyOf(folder, env, [folder]))?.versions.map((version) => version.texts) ?? [];
  expect(texts.map((some) => some.filter((text) => /before|after/u.test(text)))).toEqual([
    ["driftline: 1 # after\n"],
    ["driftline: 1 # before\n"],
  ]);
});
