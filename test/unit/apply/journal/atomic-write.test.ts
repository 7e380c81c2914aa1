import {
  chmod,
  lutimes,
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
import { removeLeftovers, writeAtomically } from "../../../../src/apply/journal/atomic-write.ts";

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

describe("the leftovers of killed writes", () => {
  const ID = "0190aa11-0000-4000-8000-00000000000a";
  /** When the file itself was written. Seconds since 1970. */
  const WRITTEN = 1_700_000_000;
  const OLD = 10 * 60 + 1;

  /** Makes a file of this name beside `file`, runs the removal, and returns whether it is still there. */
  async function isKept(
    name: string,
    age = OLD,
    make = (path: string): Promise<unknown> => writeFile(path, "half"),
  ): Promise<boolean> {
    const folder = await emptyFolder();
    const path = join(folder, "file");
    await writeFile(path, "whole");
    await utimes(path, WRITTEN, WRITTEN);
    await make(join(folder, name));
    await lutimes(join(folder, name), WRITTEN - age, WRITTEN - age);
    await removeLeftovers(path);
    const names = await readdir(folder);
    expect(names).toContain("file");
    return names.includes(name);
  }

  it.each([ID, "7f3c9e52-1ab4-4d0e-9c8f-0a1b2c3d4e5f"])("with the id %s are removed", async (id) => {
    expect(await isKept(`file.${id}.new`)).toBe(false);
  });

  it.each([
    ["of another file", `other.${ID}.new`],
    ["of a file whose name ends alike", `my-file.${ID}.new`],
    ["of a file whose name begins alike", `file2.${ID}.new`],
    ["of a file whose name contains an id as well", `file.${ID}.new.${ID}.new`],
    ["that is a copy of a leftover", `file.${ID}.new.bak`],
    ["without an id", "file.new"],
    ["with an id that is none", "file.0190aa11-0000-4000-8000-00000000000.new"],
    ["without the ending", `file.${ID}`],
    ["that stands before the name", `.${ID}.newfile`],
  ])("do not include a file %s", async (_name, name) => {
    expect(await isKept(name)).toBe(true);
  });

  it("are kept for ten minutes, because their process may still run", async () => {
    expect(await isKept(`file.${ID}.new`, 9 * 60)).toBe(true);
    expect(await isKept(`file.${ID}.new`, 10 * 60)).toBe(true);
    expect(await isKept(`file.${ID}.new`, -OLD)).toBe(true);
  });

  it("do not include a link or a folder", async () => {
    expect(await isKept(`file.${ID}.new`, OLD, (path) => symlink("file", path))).toBe(true);
    expect(await isKept(`file.${ID}.new`, OLD, (path) => mkdir(path))).toBe(true);
  });

  it("do no harm if they cannot be looked for", async () => {
    await expect(removeLeftovers(join(await emptyFolder(), "none"))).resolves.toBeUndefined();
  });
});
