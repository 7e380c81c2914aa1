/**
 * A further kind is added to a copy of the repository, by the steps of CONTRIBUTING.md.
 *
 * `eleventh-kind/files` holds every file that is written by hand, at its path. Nothing else is edited but one list of the
 * emulator. If this test needs more than that, another part of the code has come to know the kinds by name.
 */
import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isWhole } from "../support/budget.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const FIXTURE = join(ROOT, "test/scenario/eleventh-kind");
const COPIED = ["src", "schemas", "scripts", "package.json", "tsconfig.json", "tsconfig.build.json"];

const execute = promisify(execFile);

let copy = "";

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), "driftline-kind-"));
  await Promise.all(COPIED.map((name) => cp(join(ROOT, name), join(copy, name), { recursive: true })));
  await symlink(join(ROOT, "node_modules"), join(copy, "node_modules"));
  await cp(join(FIXTURE, "files"), copy, { recursive: true });
  await cp(join(FIXTURE, "life.mjs"), join(copy, "life.mjs"));
});

afterAll(() => rm(copy, { recursive: true, force: true }));

/** Runs a script of Node in the copy. Returns what it printed. */
async function node(...args: readonly string[]): Promise<string> {
  const run = execute(process.execPath, args, { cwd: copy, env: { PATH: process.env["PATH"] ?? "" } });
  // The compiler prints its errors to stdout.
  const { stdout } = await run.catch((error: Error & { readonly stdout?: string; readonly stderr?: string }) => {
    throw new Error(`${args.join(" ")}: ${error.stdout ?? ""}${error.stderr ?? ""}`);
  });
  return stdout;
}

/** Adds the resource to the emulator's list: one import and one entry. */
async function registerInEmulator(): Promise<void> {
  const path = join(copy, "src/emulator/resources/registry.ts");
  const text = await readFile(path, "utf8");
  const edited = `import { featureFlag } from "./feature-flag.ts";\n${text.replace("\n  insight,\n", "\n  insight,\n  featureFlag,\n")}`;
  await writeFile(path, edited);
}

const NAME = "The new checkout";
const OFF = { project_id: 2, key: "checkout", name: NAME, active: false, deleted: false };

describe("a further kind", () => {
  it("is a schema, its behaviour and its operations; and one file of the emulator", async () => {
    const files = await readdir(join(FIXTURE, "files"), { recursive: true, withFileTypes: true });
    const written = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
    expect(written.map((path) => path.slice(join(FIXTURE, "files/").length)).toSorted()).toEqual([
      "schemas/kinds/feature_flag.schema.json",
      "src/emulator/resources/feature-flag.ts",
      "src/kinds/feature-flag/kind.ts",
      "src/kinds/feature-flag/operations.ts",
    ]);
  });

  it("is created, changed, put right, removed and restored by a build that knows nothing else of it", async () => {
    await registerInEmulator();
    await node(join(ROOT, "node_modules/jiti/lib/jiti-cli.mjs"), "scripts/generate.ts");
    await node(
      join(ROOT, "node_modules/typescript/bin/tsc"),
      "-p",
      "tsconfig.build.json",
      "--emitDeclarationOnly",
      "false",
      // The compiler takes most of the time for types, which say nothing of how the kind lives.
      ...(isWhole ? [] : ["--noCheck"]),
    );
    expect(JSON.parse(await node("life.mjs"))).toEqual([
      ["plan", 0, "create"],
      ["apply", 0, "applied"],
      [{ ...OFF, active: true }],
      ["apply", 0, "applied"],
      [OFF],
      ["plan", 0, "no_op"],
      ["drift", 2, "update"],
      ["apply", 0, "applied"],
      [OFF],
      ["apply", 0, "applied"],
      [{ ...OFF, deleted: true }],
      ["plan", 0, "restore"],
      ["apply", 0, "applied"],
      [OFF],
      // A row of a deleted flag is no live one.
      ["live", "deleted"],
    ]);
  });
});
