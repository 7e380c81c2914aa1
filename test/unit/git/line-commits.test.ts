import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { commitsOfLines } from "../../../src/git/line-commits.ts";
import { folderOf } from "../config/helpers.ts";

it("the commit of a line is found in every file, however many there are", async () => {
  const names = Array.from({ length: 45 }, (_, index) => `${String(index)}.yaml`);
  const folder = folderOf(Object.fromEntries(names.map((name) => [name, `name: ${name}\n`])));
  const env = { PATH: process.env["PATH"], GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], { cwd: folder, env }).toString();
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "--message", "first");
  const places = names.map((file) => ({ file, line: 1 }));
  const commitOf = await commitsOfLines(folder, env, places);
  expect(new Set(places.map(commitOf))).toEqual(new Set([git("rev-parse", "HEAD").slice(0, 10)]));
});
