import { existsSync } from "node:fs";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeFolder } from "../../../src/files/make-folder.ts";

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "driftline-folder-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

it("makes a folder and those around it, with the given mode, and also if others do so at the same time", async () => {
  const path = join(await emptyFolder(), "a", "b", "c");
  await Promise.all([makeFolder(path, 0o700), makeFolder(path, 0o700), makeFolder(join(path, "d"), 0o700)]);
  expect((await stat(path)).mode & 0o777).toBe(0o700);
  await makeFolder(path);
});

it("rejects below a file", async () => {
  const folder = await emptyFolder();
  await writeFile(join(folder, "file"), "");
  await expect(makeFolder(join(folder, "file"))).rejects.toMatchObject({ code: "EEXIST" });
  await expect(makeFolder(join(folder, "file", "in"))).rejects.toMatchObject({ code: "ENOTDIR" });
});

it.runIf(existsSync("/proc/self"))("rejects where the system can make no folder", async () => {
  await expect(makeFolder("/proc/none/deep/er")).rejects.toMatchObject({ code: "ENOENT" });
});
