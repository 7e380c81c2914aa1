import { chmod, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { writeAtomically } from "../../../../src/apply/journal/atomic-write.ts";

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "driftline-atomic-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

describe("an atomic write", () => {
  it("makes a new file that only its owner can read", async () => {
    const path = join(await emptyFolder(), "file");
    await writeAtomically(path, "new");
    expect([await readFile(path, "utf8"), await modeOf(path)]).toEqual(["new", 0o600]);
  });

  it("makes a new file with the mode that the caller passes", async () => {
    const path = join(await emptyFolder(), "file");
    await writeAtomically(path, "new", 0o640);
    expect(await modeOf(path)).toBe(0o640);
  });

  it("replaces the text of an existing file, keeps its mode, and leaves no other file behind", async () => {
    const folder = await emptyFolder();
    const path = join(folder, "file");
    await writeFile(path, "old");
    await chmod(path, 0o644);
    await writeAtomically(path, "new");
    expect([await readFile(path, "utf8"), await modeOf(path)]).toEqual(["new", 0o644]);
    expect(await readdir(folder)).toEqual(["file"]);
  });

  it("rejects if the file cannot be replaced, and leaves no other file behind", async () => {
    const folder = await emptyFolder();
    await mkdir(join(folder, "taken"));
    await expect(writeAtomically(join(folder, "taken"), "new")).rejects.toBeInstanceOf(Error);
    expect(await readdir(folder)).toEqual(["taken"]);
  });

  it("rejects if the folder does not exist", async () => {
    const folder = await emptyFolder();
    await expect(writeAtomically(join(folder, "none", "file"), "new")).rejects.toMatchObject({ code: "ENOENT" });
  });
});
