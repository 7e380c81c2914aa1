import {
  lutimes,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  utimes,
  writeFile as write,
} from "node:fs/promises";
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
  const { files } = await prepareEdits(
    [EDIT],
    { fileHashes: new Map([["a.yaml", textHash(TEXT)]]), included: new Map() },
    folder,
  );
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

  describe("of a value that is the text of a file", () => {
    const SQL = "SELECT 1\n";
    const YAML = `acme:\n  name: A\n  text: "\${file:q.sql}"\n  query: { sql: "\${file:q.sql}", limit: 1 }\n`;
    const ONE = YAML.replace('  text: "${file:q.sql}"\n', "");
    const query = (sql: string) =>
      editAt(1, 1, { path: "/query", declared: { sql: SQL, limit: 1 }, value: { sql, limit: 1 } }, "a.yaml");
    const text = (value: string) => editAt(1, 1, { path: "/text", declared: SQL, value }, "a.yaml");
    const edited = async (yaml: string, edit: ReturnType<typeof editAt>, uses = 1, sql = SQL) => {
      await write(join(folder, "a.yaml"), yaml);
      if (uses > 0) await write(join(folder, "q.sql"), sql);
      const included = new Map([
        [await realpath(join(folder, "q.sql")), { uses: Math.max(uses, 1), hash: textHash(sql) }],
      ]);
      const result = await prepareEdits(
        [edit],
        { fileHashes: new Map([["a.yaml", textHash(yaml)]]), included },
        folder,
      );
      for (const prepared of result.files) await writeFile(prepared, systemClock);
      const read = (name: string) => readFile(join(folder, name), "utf8");
      return {
        yaml: await read("a.yaml"),
        sql: await read("q.sql"),
        manual: result.manual.map(({ reason }) => reason),
      };
    };

    it.each([
      ["inside of a value, to the letter", ONE, query("SELECT 2"), "SELECT 2"],
      [
        "of a field, which has no line end on the service",
        YAML.slice(0, YAML.indexOf("  query")),
        text("SELECT 2"),
        "SELECT 2\n",
      ],
      ["with an expression, which is a text there", ONE, query("${var:x}"), "${var:x}"],
    ])("changes that file: %s", async (_name, yaml, edit, sql) => {
      expect(await edited(yaml, edit)).toEqual({ yaml, sql, manual: [] });
    });

    it("keeps the line ends of the file", async () => {
      const yaml = YAML.slice(0, YAML.indexOf("  query"));
      const sql = "SELECT\r\n1\r\n";
      expect(await edited(yaml, text("SELECT\n2"), 1, sql)).toEqual({ yaml, sql: "SELECT\r\n2\r\n", manual: [] });
      expect(await edited(yaml, text("SELECT\r\n2"), 1, sql)).toMatchObject({ sql, manual: [expect.any(String)] });
    });

    it("changes both files if both differ", async () => {
      const edit = editAt(
        1,
        1,
        { path: "/query", declared: { sql: SQL, limit: 1 }, value: { sql: "SELECT 2", limit: 3 } },
        "a.yaml",
      );
      expect(await edited(ONE, edit)).toEqual({
        yaml: ONE.replace("limit: 1", "limit: 3"),
        sql: "SELECT 2",
        manual: [],
      });
    });

    it("is refused if another value has that text, or if it is a part of a text", async () => {
      expect(await edited(YAML, query("SELECT 2"), 2)).toMatchObject({
        yaml: YAML,
        sql: SQL,
        manual: ["it comes from ${file:q.sql}"],
      });
      const part = ONE.replace("${file:q.sql}", "x ${file:q.sql}");
      expect(await edited(part, query("SELECT 2"))).toMatchObject({
        yaml: part,
        sql: SQL,
        manual: [expect.any(String)],
      });
    });

    it("is refused if the file is a link", async () => {
      await write(join(folder, "target.sql"), SQL);
      await symlink(join(folder, "target.sql"), join(folder, "q.sql"));
      expect(await edited(ONE, query("SELECT 2"), 0)).toMatchObject({
        yaml: ONE,
        sql: SQL,
        manual: [expect.any(String)],
      });
    });
  });

  it("follows a link, and leaves the link in place", async () => {
    await symlink(join(folder, "a.yaml"), join(folder, "link.yaml"));
    const { files } = await prepareEdits(
      [{ ...EDIT, at: { ...EDIT.at, file: "link.yaml" } }],
      { fileHashes: new Map([["link.yaml", textHash(TEXT)]]), included: new Map() },
      folder,
    );
    for (const prepared of files) await writeFile(prepared, systemClock);
    expect(await readFile(join(folder, "a.yaml"), "utf8")).toContain("Bolt");
    expect((await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isSymbolicLink())).toHaveLength(1);
  });
});

describe("a file that loses its last resource", () => {
  const HEAD = "driftline: 1\nundeclared: report\norganizations:\n  acme:\n    id: 7\n    domains:\n";
  const corp = "      corp: { domain: acme.com }\n";
  const other = "      other: { domain: acme.example }\n";

  async function leftOf(files: Readonly<Record<string, string>>, link = false): Promise<string | undefined> {
    for (const [name, text] of Object.entries(files)) await write(join(folder, name), text);
    if (link) {
      await symlink(join(folder, "a.yaml"), join(folder, "link.yaml"));
    }
    const edited = link ? "link.yaml" : "a.yaml";
    const [text = ""] = Object.values(files);
    const line = text.split("\n").findIndex((one) => one.includes("corp:")) + 1;
    const fileHashes = new Map(
      Object.entries(files).map(([name, one]) => [name === "a.yaml" ? edited : name, textHash(one)]),
    );
    const removal = editAt(line, 7, { path: "", declared: { domain: "acme.com" }, value: undefined }, edited);
    const prepared = await prepareEdits([removal], { fileHashes, included: new Map() }, folder);
    const [file] = prepared.files;
    if (file === undefined) throw new Error("nothing was prepared");
    await writeFile(file, systemClock);
    return (await readdir(folder)).includes("a.yaml") ? readFile(join(folder, "a.yaml"), "utf8") : undefined;
  }

  it.each<[string, string, string]>([
    ["another one says the rest", HEAD + corp, HEAD + other],
    ["nothing is left", "driftline: 1\norganizations:\n  acme:\n    domains:\n" + corp, HEAD + other],
    ["its only comment names the schema", `# yaml-language-server: $schema=x.json\n${HEAD}${corp}`, HEAD + other],
  ])("goes if %s", async (_name, text, rest) => {
    expect(await leftOf({ "a.yaml": text, "b.yaml": rest })).toBeUndefined();
  });

  it.each<[string, string, string]>([
    ["a person wrote a comment", `# Ours.\n${HEAD}${corp}`, HEAD + other],
    ["it has another resource", HEAD + corp + other, HEAD],
    ["it has another key", `variables: { a: b }\n${HEAD}${corp}`, HEAD + other],
    ["only it has the id", HEAD + corp, HEAD.replace("id: 7", "id: 8") + other],
    ["it has a second document", `${HEAD}${corp}---\n${HEAD}${other}`, HEAD + other],
    ["no other file is YAML", HEAD + corp, ""],
  ])("stays if %s", async (_name, text, rest) => {
    expect(await leftOf({ "a.yaml": text, [rest === "" ? "b.ts" : "b.yaml"]: rest })).toContain("driftline: 1");
  });

  it("stays if it is a link", async () => {
    expect(await leftOf({ "a.yaml": HEAD + corp, "b.yaml": HEAD + other }, true)).toContain("id: 7");
  });
});
