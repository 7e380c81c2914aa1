import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { withReference } from "../../scripts/generate/reference.ts";
import { EXIT, worst, type ExitCode } from "../../src/cli/exit-codes.ts";
import { loadConfig } from "../../src/config/index.ts";
import { describeDialects } from "../support/dialects.ts";
import { workspace } from "../support/workspace.ts";
import { blocksOf, commandsOf, tableUnder, type Block } from "./readme/blocks.ts";
import { differenceOf, play } from "./readme/session.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const EXAMPLES = readdirSync(join(ROOT, "examples"));
const text = (file: string): string => readFileSync(join(ROOT, file), "utf8");
const README = text("README.md");
const BLOCKS = blocksOf(README);
const DOCUMENTS = [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "schemas/README.md",
  "src/emulator/README.md",
  ...EXAMPLES.map((name) => `examples/${name}/README.md`),
];

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

/** The names of a command's options, or of all commands. */
async function helpOf(args: readonly string[], pattern: RegExp): Promise<readonly string[]> {
  const { run } = await workspace();
  const { stdout } = await run([...args, "--help"]);
  return [...stdout.matchAll(pattern)]
    .map(([, name = ""]) => name)
    .filter((name) => !["--help", "help"].includes(name));
}

/** The blocks that belong together: one with a seed, and what follows it under its heading. */
function runsOf(blocks: readonly Block[]): readonly (readonly Block[])[] {
  const runs: Block[][] = [];
  for (const block of blocks) {
    if (block.attributes["seed"] !== undefined) runs.push([block]);
    else if (runs.at(-1)?.[0]?.section === block.section) runs.at(-1)?.push(block);
  }
  return runs;
}

describe("README.md", () => {
  it("has less than 400 lines", () => {
    expect(README.split("\n").length).toBeLessThan(400);
  });

  it("leads to the reference that the schemas make (else: npm run generate)", () => {
    const reference = text("schemas/README.md");
    expect(withReference(reference)).toBe(reference);
    expect(reference).toContain("`jit_provisioning_enabled`");
  });

  it("shows output in blocks that are run below, and nowhere else", () => {
    const run = new Set(runsOf(BLOCKS).flat());
    expect(BLOCKS.filter(({ language }) => language === "console").filter((block) => !run.has(block))).toEqual([]);
    expect(runsOf(BLOCKS).map(([first]) => first?.section)).toEqual(["driftline", "Five minutes"]);
  });

  describeDialects("its sessions", () =>
    it.each(runsOf(BLOCKS).map((blocks) => [blocks[0]?.section ?? "", blocks] as const))(
      "%s: what is shown is what comes out",
      async (_section, blocks) => {
        const shown = blocks.flatMap((block) => [...block.text.matchAll(/^\$ /gm)]);
        expect(await play(blocks)).toBe(shown.length);
      },
    ),
  );

  it.each([
    ["the same", ["a", "b"], ["a", "b"], true],
    ["dots for lines", ["...", "b", "...", "d"], ["a", "b", "c", "d"], true],
    ["dots for nothing", ["a", "...", "b"], ["a", "b"], true],
    ["a line that was not printed", ["a", "x", "..."], ["a", "b"], false],
    ["a gap without dots", ["a", "c"], ["a", "b", "c"], false],
    ["the wrong order", ["...", "b", "...", "a", "..."], ["a", "b"], false],
    ["an end that is not shown", ["a"], ["a", "b"], false],
  ])("comparing output: %s", (_name, shown, printed, same) => {
    expect(differenceOf(shown, printed) === "").toBe(same);
  });

  it("has configurations that are valid", async () => {
    const found = BLOCKS.filter((block) => block.language === "yaml" && block.text.includes("driftline: 1"));
    expect(found.length).toBeGreaterThan(1);
    for (const block of found) {
      const { folder, configure } = await workspace();
      await configure(`${block.text}\n`);
      const { diagnostics, graph } = await loadConfig({
        paths: ["driftline.yaml"],
        cwd: folder,
        env: {},
        vars: [],
        varFiles: [],
      });
      expect(diagnostics).toEqual([]);
      expect(graph.resources.length).toBeGreaterThan(2);
    }
  });

  it("has TypeScript that stands in an example as it is, and compiles", () => {
    const files = EXAMPLES.flatMap((name) =>
      readdirSync(join(ROOT, "examples", name)).map((file) => `examples/${name}/${file}`),
    ).filter((file) => file.endsWith(".ts"));
    const shown = BLOCKS.filter(({ language }) => language === "ts");
    expect(shown.length).toBeGreaterThan(1);
    const used = shown.map((block) => files.find((file) => text(file).includes(`\n${block.text}\n`)));
    expect(used).not.toContain(undefined);
    expect(errorsIn(files)).toEqual([]);
  });

  it("tells every exit code, and which comes first", () => {
    const codes = tableUnder(README, "## Exit codes").map(([code]) => Number(code));
    expect(codes).toEqual(Object.values(EXIT));
    const order = (/Where several apply: ([\d, ]+),/.exec(README)?.[1] ?? "").split(", ").map(Number) as ExitCode[];
    expect(new Set([...order, EXIT.ok])).toEqual(new Set(codes));
    const sorted = order.map((_code, index) => worst(order.slice(index)));
    expect(sorted).toEqual(order);
  });

  it("lists every command with every option it has", async () => {
    const rows = tableUnder(README, "## Commands");
    const optionsIn = (line: string): readonly string[] =>
      [...line.matchAll(/`(--[a-z-]+)`/g)].map(([, option = ""]) => option);
    const common = optionsIn(/^Common: .*$/m.exec(README)?.[0] ?? "");
    const commands = rows.map(([command = ""]) => /`([a-z]+)/.exec(command)?.[1] ?? "");
    expect(new Set(commands)).toEqual(new Set(await helpOf([], /^ {2}([a-z]+) /gm)));
    for (const [index, [, , options = ""]] of rows.entries()) {
      const told = [...optionsIn(options), ...(options.includes("common ones") ? common : [])];
      const known = await helpOf([commands[index] ?? ""], /^ {2}(?:-\w, )?(--[a-z-]+)/gm);
      expect(new Set(told), commands[index]).toEqual(new Set(known));
    }
  });
});

/** What the compiler says of files of the repository. */
function errorsIn(files: readonly string[]): readonly string[] {
  const config = ts.getParsedCommandLineOfConfigFile(
    join(ROOT, "tsconfig.json"),
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined },
  );
  const program = ts.createProgram(
    files.map((file) => join(ROOT, file)),
    config?.options ?? {},
  );
  for (const file of files)
    if (program.getSourceFile(join(ROOT, file)) === undefined) throw new Error(`${file} was not compiled`);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

describe("commands in the documentation", () => {
  const all = DOCUMENTS.flatMap((file) =>
    commandsOf(text(file)).map((command) => [file, command.replace(/^npx driftline/, "driftline")] as const),
  );

  it.each(all.filter(([, command]) => command.startsWith("driftline ")))("%s: %s", async (_file, command) => {
    expect(await isKnown(command)).toBe(true);
  });

  it("run scripts that there are", () => {
    const { scripts } = JSON.parse(text("package.json")) as { readonly scripts: object };
    const named = all.flatMap(([, command]) => /^npm run ([\w:]+)/.exec(command)?.[1] ?? []);
    expect(named).toEqual(expect.arrayContaining(["demo", "generate"]));
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
    const files = all.flatMap(([, command]) => /^npx jiti (scripts\/\S+)/.exec(command)?.[1] ?? []);
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  it.each(DOCUMENTS)("%s links to files that are there", (file) => {
    const links = [...text(file).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path = ""]) =>
      join(ROOT, file, "..", path),
    );
    expect(links.filter((path) => !existsSync(path))).toEqual([]);
  });
});

describe("npm run demo", () => {
  it("runs to its end and exits with 0 in less than two minutes", { timeout: 120_000 }, async () => {
    const jiti = join(ROOT, "node_modules/jiti/lib/jiti-cli.mjs");
    const { stdout } = await promisify(execFile)(process.execPath, [jiti, "scripts/demo.ts"], { cwd: ROOT });
    for (const part of [
      "driftline plan",
      "driftline apply",
      "Nothing differs",
      "driftline drift",
      "declared true",
      "This is the end of the demo",
    ]) {
      expect(stdout).toContain(part);
    }
  });
});
