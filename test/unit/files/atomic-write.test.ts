import { existsSync, readdirSync, readFileSync } from "node:fs";
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { removeLeftovers, writeAtomically } from "../../../src/files/atomic-write.ts";
import { syncs } from "../apply/journals.ts";

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

  it("follows a link, and replaces the file that it points to", async () => {
    const folder = await emptyFolder();
    await writeFile(join(folder, "file"), "old");
    await symlink(join(folder, "file"), join(folder, "link"));
    await writeAtomically(join(folder, "link"), "new");
    expect((await lstat(join(folder, "link"))).isSymbolicLink()).toBe(true);
    expect(await readFile(join(folder, "file"), "utf8")).toBe("new");
  });

  it.runIf(existsSync("/dev/null"))("writes to what is no file, and does not replace it", async () => {
    const folder = await emptyFolder();
    await symlink("/dev/null", join(folder, "null"));
    await writeAtomically(join(folder, "null"), "new");
    expect((await stat(join(folder, "null"))).isFile()).toBe(false);
  });

  it("syncs the new text", async () => {
    const path = join(await emptyFolder(), "file");
    expect(await syncs(() => writeAtomically(path, "new"))).toBe(1);
  });

  it("looks at the old file once more when the new text is on the disk, and leaves it if that fails", async () => {
    const folder = await emptyFolder();
    const path = join(folder, "file");
    await writeFile(path, "old");
    const seen: string[] = [];
    const check = (): void => {
      seen.push(...readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8")));
      throw new Error("changed");
    };
    await expect(writeAtomically(path, "new", 0o600, check)).rejects.toThrow("changed");
    expect(seen.toSorted()).toEqual(["new", "old"]);
    expect([await readFile(path, "utf8"), await readdir(folder)]).toEqual(["old", ["file"]]);
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

describe("of the files of killed processes", () => {
  const UUID = "01234567-89ab-4cde-8f01-23456789abcd";
  const LEFTOVER = `file.${UUID}.new`;
  const NOW = 1_700_000_000;
  const TEN_MINUTES = 600;

  /** The names that remain of a file beside `file`, or of a folder. Its age is in seconds. */
  async function remaining(name: string, age: number, isFolder = false): Promise<readonly string[]> {
    const folder = await emptyFolder();
    await writeFile(join(folder, "file"), "text");
    if (isFolder) await mkdir(join(folder, name));
    else await writeFile(join(folder, name), "");
    await utimes(join(folder, "file"), NOW, NOW);
    await utimes(join(folder, name), NOW - age, NOW - age);
    await removeLeftovers(join(folder, "file"));
    return (await readdir(folder)).filter((one) => one !== "file");
  }

  it.each([LEFTOVER, `file.lock.${UUID}.new`])("an old one is removed: %s", async (name) => {
    expect(await remaining(name, TEN_MINUTES + 1)).toEqual([]);
  });

  it.each([
    ["one that a process may still write", LEFTOVER, TEN_MINUTES],
    ["one that is newer", LEFTOVER, -TEN_MINUTES - 1],
    ["one of another file", `other.${UUID}.new`, 2 * TEN_MINUTES],
    ["a file with more before its name", `my-${LEFTOVER}`, 2 * TEN_MINUTES],
    ["a file with more before its end", `file.x.${UUID}.new`, 2 * TEN_MINUTES],
    ["a file with more after its end", `${LEFTOVER}.txt`, 2 * TEN_MINUTES],
    ["a file of the user", "file.new", 2 * TEN_MINUTES],
    ["a file with other letters", `file.${UUID.replaceAll("a", "x")}.new`, 2 * TEN_MINUTES],
    ["a file with fewer groups", `file.${UUID.replace("-4cde", "")}.new`, 2 * TEN_MINUTES],
    ["a file with short groups", "file.0-1-2-3-4.new", 2 * TEN_MINUTES],
  ])("%s remains", async (_name, name, age) => {
    expect(await remaining(name, age)).toEqual([name]);
  });

  it("a folder of that name remains", async () => {
    expect(await remaining(LEFTOVER, 2 * TEN_MINUTES, true)).toEqual([LEFTOVER]);
  });

  it("none is looked for if the file itself is gone", async () => {
    await expect(removeLeftovers(join(await emptyFolder(), "none"))).resolves.toBeUndefined();
  });
});
