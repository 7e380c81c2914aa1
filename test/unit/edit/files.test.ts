import { lutimes, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile as write } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { editAt } from "./edit-at.ts";
import { systemClock } from "../../../src/api/limits/clock.ts";
import { textHash } from "../../../src/config/source/read.ts";
import { type PreparedFile, prepareEdits, writeFile } from "../../../src/edit/files.ts";

const TEXT = "acme:\n  name: Acme # ours\n";
const EDIT = editAt(1, 1, { path: "/name", declared: "Acme", value: "Bolt" }, "a.yaml");

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "driftline-edit-"));
  await write(join(folder, "a.yaml"), TEXT);
});
afterEach(() => rm(folder, { recursive: true }));

async function prepare(): Promise<readonly PreparedFile[]> {
  const { files } = await prepareEdits([EDIT], { fileHashes: new Map([["a.yaml", textHash(TEXT)]]) }, folder);
  return files;
}

async function only(): Promise<PreparedFile> {
  const [prepared] = await prepare();
  if (prepared === undefined) throw new Error("nothing was prepared");
  return prepared;
}

describe("an edit of a file", () => {
  it("writes nothing before it is asked to, and then the whole file", async () => {
    const prepared = await only();
    expect(await readFile(join(folder, "a.yaml"), "utf8")).toBe(TEXT);
    await writeFile(prepared, systemClock);
    expect(await readFile(join(folder, "a.yaml"), "utf8")).toBe("acme:\n  name: Bolt # ours\n");
    expect(await readdir(folder)).toEqual(["a.yaml"]);
  });

  it("is refused if the file changed since the configuration was loaded", async () => {
    await write(join(folder, "a.yaml"), `${TEXT}more: 1\n`);
    await expect(prepare()).rejects.toMatchObject({ reason: "stale", diagnostics: [{ code: "file_changed" }] });
  });

  it("is refused if the file changed since the edit was prepared", async () => {
    const prepared = await only();
    await write(join(folder, "a.yaml"), `${TEXT}more: 1\n`);
    await expect(writeFile(prepared, systemClock)).rejects.toMatchObject({ reason: "stale" });
    expect(await readFile(join(folder, "a.yaml"), "utf8")).toBe(`${TEXT}more: 1\n`);
  });

  it("removes what killed writes of the same file left behind, and nothing else", async () => {
    const id = "0190aa11-0000-4000-8000-00000000000a";
    const [old, running] = [`a.yaml.${id}.new`, `a.yaml.${id.replace("a11", "b22")}.new`];
    const others = [`b.yaml.${id}.new`, "a.yaml.new", `a.yaml.${id}.new.bak`, `a.yaml.${id}`, `my-a.yaml.${id}.new`];
    const now = Date.now() / 1000;
    for (const name of [old, running, ...others]) {
      await write(join(folder, name), "half");
      const age = name === running ? 9 * 60 : 11 * 60;
      await utimes(join(folder, name), now - age, now - age);
    }
    const linked = `a.yaml.${id.replace("a11", "c33")}.new`;
    await symlink(join(folder, "a.yaml"), join(folder, linked));
    await lutimes(join(folder, linked), now - 11 * 60, now - 11 * 60);
    await writeFile(await only(), systemClock);
    expect((await readdir(folder)).toSorted()).toEqual(["a.yaml", running, linked, ...others].toSorted());
  });

  it("follows a link, and leaves the link in place", async () => {
    await symlink(join(folder, "a.yaml"), join(folder, "link.yaml"));
    const { files } = await prepareEdits(
      [{ ...EDIT, at: { ...EDIT.at, file: "link.yaml" } }],
      { fileHashes: new Map([["link.yaml", textHash(TEXT)]]) },
      folder,
    );
    for (const prepared of files) await writeFile(prepared, systemClock);
    expect(await readFile(join(folder, "a.yaml"), "utf8")).toContain("Bolt");
    expect((await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isSymbolicLink())).toHaveLength(1);
  });
});
