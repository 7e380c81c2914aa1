/**
 * The modules that the start of a command loads. Times differ from machine to machine, so they are not tested. The modules
 * cause them, and are the same everywhere.
 */
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { PlanDocument } from "../../src/model/plan.ts";
import { spawnCli } from "../support/cli.ts";
import { packageFolder } from "../support/command.ts";
import { workspace, type Workspace } from "../support/workspace.ts";
import { EFFECTS } from "../unit/report/effect-documents.ts";

/** The build, whose source maps say what is in a bundle. */
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const CONFIG = { driftline: 1, organizations: { acme: { name: "Acme Inc", projects: { web: { id: "2" } } } } };
const PROGRAM = `export default ${JSON.stringify(CONFIG)};`;

interface Loaded {
  readonly code: number;
  /** Files of the bundle, sorted. */
  readonly files: readonly string[];
  /** Names of packages outside of it, sorted. */
  readonly packages: readonly string[];
}

/** Runs the built command and reads what it has loaded off V8's coverage, which names every script that ran. */
async function loadedBy({ folder, env }: Workspace, args: readonly string[]): Promise<Loaded> {
  const reports = join(folder, "coverage");
  await rm(reports, { recursive: true, force: true });
  await mkdir(reports);
  const { code } = await spawnCli(args, { cwd: folder, env: { ...env, NODE_V8_COVERAGE: reports } }).result;
  const texts = await Promise.all((await readdir(reports)).map((name) => readFile(join(reports, name), "utf8")));
  const urls = texts.flatMap((text) =>
    (JSON.parse(text) as { result: { url: string }[] }).result.map(({ url }) => url),
  );
  const paths = urls.filter((url) => url.startsWith("file:")).map((url) => fileURLToPath(url));
  const own = paths.map((path) => relative(packageFolder(), path)).filter((path) => path.startsWith("dist/"));
  const others = paths.filter((path) => !relative(packageFolder(), path).startsWith("dist/"));
  return { code, files: named(own, /^dist\/(?:bin\/)?(.+)/), packages: named(others, PACKAGE) };
}

/** The package that a module is from, by its path. */
const PACKAGE = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/;

function named(paths: readonly string[], pattern: RegExp): readonly string[] {
  return [...new Set(paths.flatMap((path) => pattern.exec(path)?.[1] ?? []))].toSorted();
}

interface Content {
  readonly packages: readonly string[];
  /** Folders of driftline's own modules, sorted. */
  readonly folders: readonly string[];
  readonly bytes: number;
}

async function sourcesOf(file: string): Promise<readonly string[]> {
  const text = await readFile(join(ROOT, "dist/bin", `${file}.map`), "utf8");
  return (JSON.parse(text) as { sources: string[] }).sources;
}

/** What a file of the bundle was made from, by its source map. */
async function contentOf(file: string): Promise<Content> {
  const sources = await sourcesOf(file);
  const { size } = await stat(join(ROOT, "dist/bin", file));
  return { packages: named(sources, PACKAGE), folders: named(sources, /^\.\.\/\.\.\/src\/([^/]+)\//), bytes: size };
}

/** What is of the process, what loads modules, and the command line. */
const START = ["driftline.cjs", "rolldown-runtime.cjs", "start.cjs"];
const [CONFIGURATION, SERVICE] = ["configuration.cjs", "service.cjs"];

describe("the start of a command", () => {
  it.each(["--version", "--help", "plan --help"])("%s loads no more than the command line", async (line) => {
    const loaded = await loadedBy(await workspace(), line.split(" "));
    expect(loaded).toEqual({ code: 0, files: START, packages: [] });
  });

  it.each(["plan --det", "plan --format ", "explain "])("to complete %s loads no configuration", async (line) => {
    const { code, files } = await loadedBy(await workspace(), ["complete-words", "--", ...line.split(" ")]);
    expect([code, files.filter((file) => !START.includes(file))]).toEqual([0, ["complete-words.cjs"]]);
  });

  it("validate loads what reads a configuration, too", async () => {
    const space = await workspace();
    await space.configure(CONFIG);
    expect(await loadedBy(space, ["validate"])).toEqual({ code: 0, files: [CONFIGURATION, ...START], packages: [] });
  });

  it("validate of a program loads the loader of TypeScript", async () => {
    const space = await workspace();
    await space.configure(PROGRAM, "acme.driftline.ts");
    const loaded = await loadedBy(space, ["validate"]);
    expect(loaded).toEqual({ code: 0, files: [CONFIGURATION, ...START], packages: ["jiti"] });
  });

  it("plan loads what speaks to a service, too", async () => {
    const space = await workspace();
    await space.configure(CONFIG);
    const loaded = await loadedBy(space, ["plan"]);
    expect(loaded).toEqual({ code: 0, files: [CONFIGURATION, SERVICE, ...START].toSorted(), packages: [] });
  });

  it("only text that is not ASCII loads the width of characters", async () => {
    const space = await workspace();
    const web = { id: "2", insights: { übersicht: { name: "Übersicht" } } };
    await space.configure({ driftline: 1, organizations: { acme: { name: "Acme Inc", projects: { web } } } });
    const { files } = await loadedBy(space, ["plan"]);
    expect(files).toContain("string-width.cjs");
  });

  it("only a report with a chart loads what finds round numbers for its axes", async () => {
    const space = await workspace();
    await space.configure({ driftline: 1, organizations: { acme: { name: "Acme Limited" } } });
    await space.run(["plan", "--out", "plan.json"]);
    const saved = join(space.folder, "plan.json");
    const document = JSON.parse(await readFile(saved, "utf8")) as PlanDocument;
    const insights = [{ ...EFFECTS["one-line"], address: document.changes[0]?.address ?? "" }];
    await writeFile(saved, JSON.stringify({ ...document, effects: { insights } }));
    const text = await loadedBy(space, ["show", "plan.json", "--effect"]);
    const html = await loadedBy(space, ["show", "plan.json", "--effect", "--format", "html=plan.html"]);
    expect([text.code, html.code]).toEqual([0, 0]);
    expect([text.files.includes("ticks.cjs"), html.files.includes("ticks.cjs")]).toEqual([false, true]);
  });
});

describe("the files of the bundle", () => {
  it("that of every command has the command line: errors of the engine, names of kinds, nothing that reads YAML", async () => {
    const { bytes, ...content } = await contentOf("start.cjs");
    const folders = ["api", "cli", "engine", "generated", "model", "report"];
    expect(content).toEqual({ packages: ["commander"], folders });
    expect(bytes).toBeLessThan(111 * 1024);
  });

  it("that of a configuration has nothing that speaks to a service", async () => {
    const { bytes, ...content } = await contentOf(CONFIGURATION);
    const folders = ["api", "cli", "config", "engine", "generated", "kinds", "model"];
    expect(content).toEqual({ packages: ["yaml"], folders });
    // The validator of the parts of a file around its resources is 36 kB of it as source, and their schema for messages 29 kB.
    expect(bytes).toBeLessThan(545 * 1024);
  });

  it("that of a service has nothing of the emulator, and undici as a whole, because half of it has no proxies", async () => {
    const { packages, folders, bytes } = await contentOf(SERVICE);
    expect(packages).toEqual(["diff", "is-network-error", "p-retry", "undici"]);
    expect(folders).not.toContain("emulator");
    expect(bytes).toBeLessThan(825 * 1024);
  });

  it("that of a service has of export what names values, which a plan compares, and nothing that writes files", async () => {
    expect(named(await sourcesOf(SERVICE), /^\.\.\/\.\.\/src\/export\/(.+)\.ts$/)).toEqual([
      "export-value",
      "identity",
      "invalid-fields",
      "masked-values",
      "names",
      "project-ids",
      "resources",
      "session",
    ]);
  });

  it("come with the licences of the packages in them", async () => {
    const all = await readdir(join(ROOT, "dist/bin"));
    const maps = all.filter((file) => file.endsWith(".map")).map((file) => file.replace(/\.map$/, ""));
    const bundled = [...maps, "../pulumi/plugin/main.js"];
    const contents = await Promise.all(bundled.map(contentOf));
    const packages = [...new Set(contents.flatMap((content) => content.packages))].toSorted();
    const notices = await readFile(join(ROOT, "dist/bin/THIRD-PARTY.txt"), "utf8");
    const titles = [...notices.matchAll(/^-{80}\n\n(\S+) \S+ \(\S+\)\n\n\S/gm)].map(([, name]) => name);
    expect(titles).toEqual(packages);
    expect(packages).toContain("hono");
  });
});
