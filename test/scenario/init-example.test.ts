import { readdirSync, readFileSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { exampleNames } from "../../src/cli/program/package.ts";
import { loadSeed } from "../../src/emulator/index.ts";
import { wordsOf } from "./docs/shell.ts";
import { suggestionsIn } from "./suggested/world.ts";
import { workspace } from "../support/workspace.ts";

const ROOT = new URL("../../examples/", import.meta.url).pathname;

const MODELINE = /^# yaml-language-server: \$schema=(.*)\n/u;

const examples = exampleNames();

/** The files below a folder, as path and text. */
function filesOf(folder: string): readonly (readonly [path: string, text: string])[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
    .map((path) => [path.slice(folder.length + 1), readFileSync(path, "utf8")] as const);
}

describe("driftline init --example", () => {
  it.each(examples)("%s: copies every file, and its README names the command", async (name) => {
    const { run, folder } = await workspace();
    expect(await run(["init", "--example", name, "new/folder"])).toMatchObject({ code: 0, stderr: "" });
    const wanted = filesOf(join(ROOT, name)).map(([path, text]) => {
      const [, inPackage] = MODELINE.exec(text) ?? [];
      if (inPackage === undefined) return [path, text];
      // In the package it is a path that resolves. In an empty folder nothing does before a release.
      expect(resolve(ROOT, name, dirname(path), inPackage)).toBe(resolve(ROOT, "../schemas/config.schema.json"));
      return [path, text.replace(MODELINE, "")];
    });
    expect(filesOf(join(folder, "new/folder"))).toEqual(wanted);
    expect(readFileSync(join(ROOT, name, "README.md"), "utf8")).toContain(`driftline init --example ${name}\n`);
  });

  const seeded = examples.filter((name) => readdirSync(join(ROOT, name)).includes("seed.json"));
  it.each(seeded)("%s: what it suggests works against its own data", async (name) => {
    const seed = loadSeed(await readFile(join(ROOT, name, "seed.json"), "utf8"));
    for (const folder of [[], ["the copy"]]) {
      const { run } = await workspace({ seed });
      const [, next = "", ...more] = suggestionsIn(await run(["init", "--example", name, ...folder]));
      expect(more).toEqual([]);
      expect(await run((await wordsOf(next, { cwd: ROOT, env: {} })).args)).toMatchObject({
        code: 0,
        stderr: expect.not.stringContaining("error") as string,
      });
    }
  });

  it.each(seeded)("%s: each start of the emulator has the same ids, so exported files stay true", async (name) => {
    const seed = loadSeed(await readFile(join(ROOT, name, "seed.json"), "utf8"));
    const [first, second] = [await workspace({ seed }), await workspace({ seed })];
    const exported = await first.run(["export"]);
    expect(exported).toMatchObject({ code: 0, stdout: expect.stringContaining(" id: ") as string });
    // A page has a short id, which nothing in a file refers to.
    const withoutPages = (text: string): string => text.replaceAll(/ # http.*/g, "");
    expect(withoutPages((await second.run(["export"])).stdout)).toBe(withoutPages(exported.stdout));
  });

  it("a README leads to no file that is not copied", () => {
    const links = examples.flatMap((name) => {
      const text = readFileSync(join(ROOT, name, "README.md"), "utf8");
      return [...text.matchAll(/\]\((\.\.[^)]*)\)/gu)].map(([, link]) => `${name}: ${link ?? ""}`);
    });
    expect(links).toEqual([]);
  });

  it.each(seeded)("%s: starts the emulator as its README does", async (name) => {
    const { run } = await workspace();
    const { stdout } = await run(["init", "--example", name, "."]);
    const [line = "driftline emulator --seed seed.json"] =
      /driftline emulator.*/u.exec(readFileSync(join(ROOT, name, "README.md"), "utf8")) ?? [];
    expect(stdout).toContain(`\`${line}\``);
  });

  it("writes nothing if one of its files exists, and names them", async () => {
    const { run, folder } = await workspace();
    await writeFile(join(folder, "README.md"), "mine");
    await writeFile(join(folder, "seed.json"), "mine");
    const { code, stderr } = await run(["init", "--example", "minimal"]);
    expect([code, stderr.match(/^error file_exists: .*/gm)]).toEqual([
      10,
      ["error file_exists: README.md, seed.json already exist"],
    ]);
    expect(readdirSync(folder).toSorted()).toEqual(["README.md", "seed.json"]);
    expect(await readFile(join(folder, "README.md"), "utf8")).toBe("mine");
  });

  it("lists the examples if the name is wrong, and does not take a file for a folder", async () => {
    const { run, folder } = await workspace();
    const { code, stderr } = await run(["init", "--example", "minimum"]);
    expect(code).toBe(10);
    for (const name of examples) expect(stderr).toContain(name);
    await mkdir(join(folder, "sub"));
    await writeFile(join(folder, "sub/file"), "");
    const refused = await run(["init", "--example", "minimal", "sub/file"]);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("cannot_write") as string });
  });
});
