import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { loadConfig } from "../../src/config/index.ts";
import { ALL_DIALECTS, describeDialects } from "../support/dialects.ts";
import { workspace } from "../support/workspace.ts";
import { blocksOf, commandsOf, sessionsOf, type Block } from "./docs/blocks.ts";
import { DOCUMENTS, PAGES, ROOT, textOf } from "./docs/pages.ts";
import { differenceOf, play } from "./docs/session.ts";
import { isPlain, wordsOf } from "./docs/shell.ts";
import { shownIn } from "./docs/shown.ts";

const SESSIONS = PAGES.flatMap((page) =>
  sessionsOf(blocksOf(textOf(page))).map((blocks) => [`${page}, ${blocks[0]?.section ?? ""}`, blocks] as const),
);

/** The dialects that a session is for; undefined for all. */
function dialectsOf([first]: readonly Block[]): readonly string[] | undefined {
  return first?.attributes["dialect"]?.split(",");
}

describe("output", () => {
  it("is shown in blocks that are run below, and nowhere else", () => {
    const shown = PAGES.flatMap((page) => blocksOf(textOf(page)));
    const run = new Set(SESSIONS.flatMap(([, blocks]) => blocks.map(({ text }) => text)));
    const forSession = shown.filter(
      ({ language, attributes }) => language === "console" || attributes["file"] !== undefined,
    );
    expect(forSession.filter(({ text }) => !run.has(text))).toEqual([]);
    expect(SESSIONS.map(([place]) => place)).toContain("README.md, Five minutes without a service");
  });

  it("is that of an existing dialect", () => {
    const dialects = SESSIONS.flatMap(([, blocks]) => dialectsOf(blocks) ?? []);
    expect(ALL_DIALECTS).toEqual(expect.arrayContaining(dialects));
  });

  describeDialects(
    "is what comes out",
    (dialect) =>
      it.each(SESSIONS.filter(([, blocks]) => dialectsOf(blocks)?.includes(dialect) ?? true))(
        "%s",
        async (_place, blocks) => {
          const shown = blocks.flatMap((block) => [...block.text.matchAll(/^\$ /gm)]);
          expect(await play(blocks)).toBe(shown.length);
        },
      ),
    ALL_DIALECTS,
  );

  it.each([
    ["the same", ["a", "b"], ["a", "b"], true],
    ["dots for lines", ["...", "b", "...", "d"], ["a", "b", "c", "d"], true],
    ["dots for nothing", ["a", "...", "b"], ["a", "b"], true],
    ["a line that was not printed", ["a", "x", "..."], ["a", "b"], false],
    ["a gap without dots", ["a", "c"], ["a", "b", "c"], false],
    ["the wrong order", ["...", "b", "...", "a", "..."], ["a", "b"], false],
    ["an end that is not shown", ["a"], ["a", "b"], false],
  ])("is compared: %s", (_name, shown, printed, same) => {
    expect(differenceOf(shown, printed) === "").toBe(same);
  });
});

describe("a command of a console block", () => {
  it.each([
    ["driftline plan 'a > b' \"c | d\"", true],
    ["driftline plan --format json | grep x", false],
    ["driftline plan > plan.txt", false],
    ["driftline validate && driftline plan", false],
    ["driftline plan $(pwd)", false],
  ])("%s: is plain %s", (line, plain) => {
    expect(isPlain(line)).toBe(plain);
  });

  it("has the words that a shell makes of it", async () => {
    const words = await wordsOf(`A=1 B="two three" driftline plan 'it is' "$HERE"`, {
      cwd: ROOT,
      env: { HERE: "x y" },
    });
    expect(words).toEqual({ program: "driftline", args: ["plan", "it is", "x y"], env: { A: "1", B: "two three" } });
  });

  it("runs in a shell if it is more than one program", async () => {
    const block = (language: string, text: string, attributes = {}): Block => ({
      language,
      attributes,
      text,
      section: "",
    });
    const seed = block("console", "$ driftline version | tr 0-9 x\nx.x.x", { seed: "examples/minimal/seed.json" });
    const file = block("yaml", "a: 1", { file: "new/file.yaml" });
    const more =
      "$ export NAME=file\n$ cd new\n$ cat $NAME.yaml\na: 1\n$ cat missing.yaml 2> /dev/null; false\n$ echo $?\n1";
    expect(await play([seed, file, block("console", more)])).toBe(6);
  });
});

describe("configurations", () => {
  const yaml = shownIn("yaml", "yml").map(({ place, block }, index) => [`${place} (${String(index)})`, block] as const);
  const alone = yaml.filter(
    ([, { text, attributes }]) => /^driftline:/m.test(text) && attributes["file"] === undefined,
  );

  it.each(yaml)("%s can be parsed", (_place, { text }) => {
    expect(parseAllDocuments(text).flatMap((document) => [...document.errors, ...document.warnings])).toEqual([]);
  });

  // What a session writes into a file is read by its commands.
  it.each(alone)("%s is valid", async (_place, { text }) => {
    const { folder, configure } = await workspace();
    await configure(`${text}\n`);
    const { diagnostics, graph } = await loadConfig({
      paths: ["driftline.yaml"],
      cwd: folder,
      env: {},
      vars: [],
      varFiles: [],
    });
    expect(diagnostics).toEqual([]);
    expect(graph.resources.length).toBeGreaterThan(0);
  });

  it.each(shownIn("json").map(({ place, block }, index) => [`${place} (${String(index)})`, block.text] as const))(
    "%s can be parsed",
    (_place, text) => {
      expect(() => JSON.parse(text) as unknown).not.toThrow();
    },
  );
});

/** Whether the command line knows the command and its options; nothing that it asks for is there, so nothing else is done. */
async function isKnown(command: string): Promise<boolean> {
  const { run } = await workspace();
  const signal = AbortSignal.abort();
  const env = { DRIFTLINE_URL: "", DRIFTLINE_API_KEY: "" };
  const args = command
    .replace("COMMAND", "plan")
    .replace("KIND", "insight")
    .replace("SHELL", "bash")
    .split(" ")
    .slice(1);
  const { stderr } = await run(args, { env, runtime: { signal } });
  return !stderr.includes(`--help" for usage`);
}

describe("commands", () => {
  const all = DOCUMENTS.flatMap((file) =>
    commandsOf(textOf(file)).map((command) => [file, command.replace(/^npx driftline/, "driftline")] as const),
  );

  it.each(all.filter(([, command]) => command.startsWith("driftline ")))("%s: %s", async (_file, command) => {
    expect(await isKnown(command)).toBe(true);
  });

  it("run existing scripts", () => {
    const { scripts } = JSON.parse(textOf("package.json")) as { readonly scripts: object };
    const named = all.flatMap(([, command]) => /^npm run ([\w:]+)/.exec(command)?.[1] ?? []);
    expect(named).toEqual(expect.arrayContaining(["demo", "generate"]));
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
    const files = all.flatMap(([, command]) => /^npx jiti (scripts\/\S+)/.exec(command)?.[1] ?? []);
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });
});
