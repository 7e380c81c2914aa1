import { spawnSync, type SpawnSyncOptions } from "node:child_process";
import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { kindNames } from "../../src/model/kind-name.ts";
import { cli, type CliResult } from "../support/cli.ts";
import { commandFile } from "../support/command.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

/** Completion needs no service. */
const run = (args: readonly string[], cwd = "."): Promise<CliResult> => cli(args, { cwd, env: {} });

async function scriptFor(shell: string): Promise<string> {
  const { code, stdout, stderr } = await run(["completion", shell]);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout;
}

/** What bash itself offers for the last of these words. */
function offered(script: string, words: readonly string[], world: SpawnSyncOptions): readonly string[] {
  const ask = `COMP_LINE="$*"; COMP_POINT=\${#COMP_LINE}; _driftline; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { status, stdout, stderr } = spawnSync(
    "bash",
    ["--norc", "-c", `${script}\n${ask}`, "bash", "driftline", ...words],
    { ...world, encoding: "utf8" },
  );
  expect([status, stderr]).toEqual([0, ""]);
  return stdout.split("\n").filter((word) => word !== "");
}

/** The words that a script gets for the last of these, with their descriptions. */
async function answers(words: readonly string[], cwd?: string): Promise<ReadonlyMap<string, string>> {
  const { code, stdout, stderr } = await run(["complete-words", "--", ...words], cwd);
  expect([code, stderr]).toEqual([0, ""]);
  const lines = stdout.split("\n").slice(0, -1);
  return new Map(lines.map((line) => line.split("\t")).map(([word = "", about = ""]) => [word, about]));
}

/** The names that a help lists. */
async function helpOf(args: readonly string[], pattern: RegExp): Promise<readonly string[]> {
  return [...(await run([...args, "--help"])).stdout.matchAll(pattern)].map(([, name = ""]) => name);
}

const commandNames = (): Promise<readonly string[]> => helpOf([], /^ {2}([a-z]+) /gm);

/** A folder whose `driftline` is the built command. */
async function installed(): Promise<{ readonly space: Workspace; readonly world: SpawnSyncOptions }> {
  const space = await workspace();
  const bin = join(space.folder, "bin");
  await mkdir(bin);
  await writeFile(join(bin, "driftline"), `#!/bin/sh\nexec "${process.execPath}" "${commandFile()}" "$@"\n`);
  await chmod(join(bin, "driftline"), 0o755);
  return { space, world: { cwd: space.folder, env: { PATH: `${bin}${delimiter}${process.env["PATH"] ?? ""}` } } };
}

describe("driftline completion", () => {
  it("bash: completes the word that is typed", async () => {
    const { world } = await installed();
    const script = await scriptFor("bash");
    const table: readonly (readonly [name: string, words: readonly string[], expected: readonly string[]])[] = [
      ["commands", ["pl"], ["plan"]],
      ["options of a command", ["plan", "--det"], ["--detailed-exitcode"]],
      ["an option's values", ["plan", "--format", "ma"], ["markdown"]],
      // Bash replaces what follows the = only.
      ["a value behind its option", ["plan", "--format=ma"], ["markdown"]],
      ["an option's values, not those of another command", ["call", "--format", "ma"], []],
      ["kinds", ["explain", "pipeline_f"], ["pipeline_frontend_app"]],
      ["operations", ["call", "domains.v"], ["domains.verify"]],
      ["shells", ["completion", "z"], ["zsh"]],
      ["nothing for an argument that is a file, so that bash offers files", ["show", "plan"], []],
      ["nothing for a value that may be anything", ["plan", "--only", ""], []],
    ];
    for (const [name, words, expected] of table)
      expect([name, offered(script, words, world)]).toEqual([name, expected]);
  });

  it.each(["bash", "zsh", "fish"])(
    "%s: asks driftline, in a script without a command or an option of it",
    async (shell) => {
      const script = await scriptFor(shell);
      const names = (await commandNames()).filter((name) => name !== "completion");
      expect(script.split(" complete-words -- ").length - 1).toBe(1);
      expect(names.filter((name) => new RegExp(`\\b${name}\\b`).test(script))).toEqual([]);
      expect(script).not.toMatch(/ --[a-z]/);
    },
  );

  it("refuses a shell that it does not know", async () => {
    const { code, stdout, stderr } = await run(["completion", "tcsh"]);
    expect([code, stdout]).toEqual([10, ""]);
    for (const shell of ["bash", "zsh", "fish"]) expect(stderr).toContain(shell);
  });
});

describe("the words that can follow", () => {
  it("are every command and option that help shows, each with a description", async () => {
    const commands = await commandNames();
    expect(commands).toContain("completion");
    const first = await answers([""]);
    expect([...first.keys()].toSorted()).toEqual([...commands, "diff"].toSorted());
    expect(first.get("diff")).toBe(first.get("plan"));
    for (const command of commands.filter((name) => name !== "help")) {
      const flags = await helpOf([command], /^ {2}(?:-\w, )?(--[a-z-]+)/gm);
      const short = await helpOf([command], /^ {2}(-\w), /gm);
      const words = await answers([command, "-"]);
      expect([command, [...flags, ...short].filter((flag) => (words.get(flag) ?? "") === "")]).toEqual([command, []]);
      expect([command, words.has("--no-color"), words.has("--version")]).toEqual([command, true, false]);
    }
  });

  it.each([
    ["names of other tools for options", ["plan", "--"], ["--json", "--target", "--var-file"]],
    ["options, where a value is none that begins so", ["export", "--pulumi", "-"], ["--provider"]],
    ["options of all commands", ["-"], ["--help", "--no-color", "--version", "-V", "-h"]],
    ["commands behind such an option", ["--no-color", ""], ["apply", "plan"]],
    ["commands to get help for", ["help", ""], ["apply", "plan"]],
  ])("hold %s", async (_name, words, expected) => {
    expect([...(await answers(words)).keys()]).toEqual(expect.arrayContaining(expected));
  });

  it.each([
    ["an option", ["plan", "--progress", ""], ["text", "json"]],
    ["an option and its sign, as one word", ["plan", "--progress=j"], ["--progress=text", "--progress=json"]],
    ["an option behind one that is wrong", ["plan", "--format", "no", "--progress", ""], ["text", "json"]],
    [
      "an option after a command that has been told its colours",
      ["--no-color", "export", "--provider", ""],
      ["packaged", "dynamic"],
    ],
    ["an argument", ["completion", ""], ["bash", "zsh", "fish"]],
    ["an argument behind an option", ["completion", "--no-color", ""], ["bash", "zsh", "fish"]],
    ["no second argument", ["explain", "insight", ""], []],
    ["no parameter", ["call", "domains.list", ""], []],
    ["no file: the shell knows them", ["apply", "--plan", ""], []],
    ["no file for an option by its letter", ["plan", "-o", ""], []],
    ["no folder for an option whose value may be left out", ["export", "--pulumi", ""], []],
    ["no folder behind such an option and its sign", ["export", "--pulumi=x"], []],
    ["nothing behind a command that does not exist", ["unknown", ""], []],
  ])("are the values of %s", async (_name, words, expected) => {
    expect([...(await answers(words)).keys()]).toEqual(expected);
  });

  it("are the kinds", async () => {
    const words = [...(await answers(["explain", ""])).keys()];
    expect(words).toEqual([...kindNames]);
    for (const word of words) expect([word, (await run(["explain", word])).code]).toEqual([word, 0]);
  });

  it("are the operations", async () => {
    const { stdout } = await run(["call", "--list", "--format", "json"]);
    const { operations } = JSON.parse(stdout) as { readonly operations: readonly { readonly name: string }[] };
    const names = operations.map(({ name }) => name);
    expect(names).toContain("domains.verify");
    expect([...(await answers(["call", ""])).keys()].toSorted()).toEqual(names.toSorted());
  });
});

const CONFIG = {
  driftline: 1,
  organizations: {
    acme: {
      name: "Acme Inc",
      domains: { corp: { domain: "acme.com" } },
      memberships: { "bob@acme.com": { level: "member" }, "ben@acme.com": { level: "member" } },
      projects: { web: { name: "Web" } },
    },
  },
};

describe("addresses", () => {
  it("are the values of --only and the like", async () => {
    const space = await workspace();
    await space.configure(CONFIG);
    const hasAddresses = async (...words: readonly string[]): Promise<boolean> =>
      (await answers([...words, ""], space.folder)).has("acme/domains/corp");
    const found: string[] = [];
    for (const command of (await answers([""])).keys()) {
      if (await hasAddresses(command)) found.push(command);
      else
        for (const flag of (await answers([command, "--"])).keys())
          if (await hasAddresses(command, flag)) found.push(`${command} ${flag}`);
    }
    const selecting = ["plan", "diff", "apply", "drift", "import", "pin"].flatMap((name) => [
      `${name} --only`,
      `${name} --target`,
    ]);
    const writing = ["plan", "diff", "apply"].flatMap((name) => [`${name} --rotate`, `${name} --recreate`]);
    expect(found.toSorted()).toEqual(["apply --allow-loss", ...selecting, ...writing].toSorted());
  });

  it("bash: offers those of the configuration that the line names", async () => {
    const { space, world } = await installed();
    await space.configure(CONFIG);
    await space.configure({ driftline: 1, organizations: { other: { name: "Other" } } }, "other.yaml");
    const script = await scriptFor("bash");
    const table: readonly (readonly [words: readonly string[], expected: readonly string[]])[] = [
      [
        ["plan", "--only", "acme/d"],
        ["acme/domains", "acme/domains/corp"],
      ],
      [
        ["diff", "--target", "acme/p"],
        ["acme/projects", "acme/projects/web"],
      ],
      [
        ["plan", "--only=acme/p"],
        ["acme/projects", "acme/projects/web"],
      ],
      [["apply", "--rotate", "acme/d"], ["acme/domains/corp"]],
      [["apply", "--allow-loss", "acme/d"], ["acme/domains/corp"]],
      // Bash replaces what follows the last @ only.
      [["plan", "--only", "acme/memberships/bob@"], ["acme.com"]],
      [["plan", "--only", "acme/memberships/be"], ["acme/memberships/ben@acme.com"]],
      [["plan", "other.yaml", "--only", "o"], ["other"]],
      [["plan", "other.yaml", "--only=o"], ["other"]],
      [["plan", "missing.yaml", "--only", "a"], []],
      [["plan", "--only", "nothing/"], []],
    ];
    for (const [words, expected] of table) expect(offered(script, words, world), words.join(" ")).toEqual(expected);
  });

  it("bash: an address is never expanded", async () => {
    const { space, world } = await installed();
    const address = "acme/`touch one`/$(touch two)/*:;touch four";
    await writeFile(
      join(space.folder, "bin/driftline"),
      `#!/bin/sh\nprintf '%s\\tabout $(touch three)\\n' '${address}'\n`,
    );
    const before = await readdir(space.folder);
    const [quoted = ""] = offered(await scriptFor("bash"), ["plan", "--only", "acme/"], world);
    expect(await readdir(space.folder)).toEqual(before);
    // What is inserted into the line is the address as one word.
    const { stdout } = spawnSync("bash", ["--norc", "-c", `printf %s ${quoted}`], { ...world, encoding: "utf8" });
    expect(stdout).toBe(address);
  });

  it("have no tab and no end of a line, which would end the word", async () => {
    const space = await workspace();
    const domains = Object.fromEntries(["good", "a\tb", "a\nb"].map((name) => [name, { domain: "acme.com" }]));
    await space.configure({ driftline: 1, organizations: { acme: { name: "Acme Inc", domains } } });
    expect([...(await answers(["plan", "--rotate", ""], space.folder)).keys()]).toEqual(["acme", "acme/domains/good"]);
  });

  it("are listed without a request and without a word about errors", async () => {
    const space = await workspace();
    const complete = (...words: readonly string[]): Promise<CliResult> => space.run(["complete-words", "--", ...words]);
    await space.configure("driftline: 1\norganizations: { acme: [");
    for (const words of [
      ["plan", "--only", ""],
      ["plan", "--no-such-option", "--only", ""],
      ["pin", "--only", ""],
      ["unknown", ""],
    ])
      expect(await complete(...words), words.join(" ")).toEqual({ code: 0, stdout: "", stderr: "" });
    expect((await complete("plan", "--prog")).stdout).toContain("--progress\t");
    await space.configure({ ...CONFIG, variables: { x: "${env:UNSET}" } });
    expect((await complete("plan", "--rotate", "")).stdout).toContain("acme/domains/corp\n");
    expect(space.emulator.requests).toEqual([]);
  });
});
