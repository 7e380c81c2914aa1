/**
 * What the start of a command loads. Times differ from machine to machine and are no business of a test; what is loaded makes
 * them, and is the same everywhere.
 */
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { spawnCli } from "../support/cli.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const CONFIG = { driftline: 1, organizations: { acme: { name: "Acme Inc", projects: { web: { id: "2" } } } } };
const PROGRAM = `export default ${JSON.stringify(CONFIG)};`;

interface Loaded {
  readonly code: number;
  /** Names of packages, sorted. */
  readonly packages: readonly string[];
  /** Folders of driftline's own modules, sorted. */
  readonly folders: readonly string[];
  /** How many modules of its own. */
  readonly own: number;
}

/** Runs the built command and reads what it has loaded off V8's coverage, which names every script that ran. */
async function loadedBy({ folder, env }: Workspace, args: readonly string[]): Promise<Loaded> {
  const reports = join(folder, "coverage");
  await mkdir(reports);
  const { code } = await spawnCli(args, { cwd: folder, env: { ...env, NODE_V8_COVERAGE: reports } }).result;
  const files = await Promise.all((await readdir(reports)).map((name) => readFile(join(reports, name), "utf8")));
  const urls = files.flatMap((text) =>
    (JSON.parse(text) as { result: { url: string }[] }).result.map(({ url }) => url),
  );
  const paths = urls.filter((url) => url.startsWith("file:")).map((url) => fileURLToPath(url).replace(ROOT, ""));
  const named = (pattern: RegExp): readonly string[] => paths.flatMap((path) => pattern.exec(path)?.[1] ?? []);
  const own = named(/^dist\/([^/]+)\//);
  return {
    code,
    packages: [...new Set(named(/.*node_modules\/((?:@[^/]+\/)?[^/]+)/))].toSorted(),
    folders: [...new Set(own)].toSorted(),
    own: own.length,
  };
}

/** The engine's errors, and the names of the kinds. */
const FOLDERS = ["api", "cli", "engine", "generated", "model", "report"];

describe("the start of a command", () => {
  it.each(["--version", "--help", "plan --help"])("%s loads the command line and nothing else", async (line) => {
    const { own, ...loaded } = await loadedBy(await workspace(), line.split(" "));
    expect(loaded).toEqual({ code: 0, packages: ["commander"], folders: FOLDERS });
    expect(own).toBeLessThanOrEqual(26);
  });

  it("validate loads what reads and checks YAML, and the tables of operations, nothing that speaks to a service or runs programs", async () => {
    const space = await workspace();
    await space.configure(CONFIG);
    const { own, ...loaded } = await loadedBy(space, ["validate"]);
    const folders = ["api", "cli", "config", "engine", "generated", "kinds", "model", "report"];
    expect(loaded).toEqual({ code: 0, packages: ["commander", "yaml"], folders });
    expect(own).toBeLessThanOrEqual(100);
  });

  it("validate of a program loads the loader of TypeScript", async () => {
    const space = await workspace();
    await space.configure(PROGRAM, "acme.driftline.ts");
    const { code, packages } = await loadedBy(space, ["validate"]);
    expect([code, packages]).toEqual([0, ["commander", "jiti", "yaml"]]);
  });

  it("plan loads the client, nothing of the emulator or of the export", async () => {
    const space = await workspace();
    await space.configure(CONFIG);
    const { code, packages, folders } = await loadedBy(space, ["plan"]);
    // string-width has three packages of its own.
    const width = ["ansi-regex", "get-east-asian-width", "string-width", "strip-ansi"];
    const expected = ["commander", "diff", "is-network-error", "p-retry", "undici", "yaml", ...width];
    expect([code, packages]).toEqual([0, expected.toSorted()]);
    expect(folders.filter((folder) => folder === "emulator" || folder === "export")).toEqual([]);
  });
});
