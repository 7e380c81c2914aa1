import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { packageFolder, packageSource, schemaFor } from "../../../../src/cli/steps/package.ts";

/** Files by their paths, as text or JSON; a folder that holds `project/out`. */
async function laid(files: Readonly<Record<string, unknown>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "driftline-source-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), JSON.stringify(content));
  }
  return folder;
}

const MANIFEST = { name: "driftline", version: "1.2.3" };
const RELEASED = { ...MANIFEST, released: true };
const LOCAL = "project/node_modules/driftline";

/** A project with driftline, and what npm recorded of it. */
function installed(resolved: string | undefined, more: object = {}): Readonly<Record<string, unknown>> {
  const packages = { "node_modules/driftline": { version: "1.2.3", ...(resolved === undefined ? {} : { resolved }) } };
  return { [`${LOCAL}/package.json`]: MANIFEST, "project/node_modules/.package-lock.json": { packages }, ...more };
}

const GIT = "git+ssh://git@git.example.com/team/driftline.git#0a1b2c";
const ARCHIVE = "https://files.example.com/driftline-1.2.3.tgz";

it.each<[string, string, Readonly<Record<string, unknown>>, string, boolean]>([
  ["a clone", "clone", { "clone/package.json": MANIFEST }, "file:../../clone", true],
  ["a released archive that was unpacked", "here", { "here/package.json": RELEASED }, "^1.2.3", false],
  ["a project, from git", LOCAL, installed(GIT), GIT, false],
  ["a project, from an address", LOCAL, installed(ARCHIVE), ARCHIVE, false],
  [
    "a project, from a registry",
    LOCAL,
    installed("https://npm.example.com/driftline/-/driftline-1.2.3.tgz"),
    "^1.2.3",
    false,
  ],
  ["a project, from a registry whose address is not recorded", LOCAL, installed(undefined), "^1.2.3", false],
  ["a project, from a file", LOCAL, installed("file:../a.tgz", { "a.tgz": 1 }), "file:../../a.tgz", false],
  ["a project, from a folder", LOCAL, installed("file:../a", { "a/package.json": MANIFEST }), "file:../../a", true],
  ["a project, from a file that is gone", LOCAL, installed("file:../a.tgz"), "file:../node_modules/driftline", true],
  [
    "a global folder",
    "lib/node_modules/driftline",
    { "lib/node_modules/driftline/package.json": MANIFEST },
    "file:../../lib/node_modules/driftline",
    true,
  ],
  [
    "a global folder, released",
    "lib/node_modules/driftline",
    { "lib/node_modules/driftline/package.json": RELEASED },
    "^1.2.3",
    false,
  ],
])("a program depends on the driftline of %s", async (_name, folder, files, spec, isFolder) => {
  const root = await laid(files);
  expect(packageSource(join(root, "project/out"), join(root, folder))).toEqual({ spec, isFolder });
});

it("this package is found from its own modules", () => {
  expect(join(packageFolder(), "src/cli/steps/package.ts")).toBe(
    new URL("../../../../src/cli/steps/package.ts", import.meta.url).pathname,
  );
});

it("only a release has an address for the schema", async () => {
  const schema = { $id: "https://files.example.com/config.schema.json" };
  const folder = await laid({
    "clone/package.json": MANIFEST,
    "release/package.json": RELEASED,
    "release/schemas/config.schema.json": schema,
  });
  expect(schemaFor(folder, join(folder, "clone"))).toBeUndefined();
  expect(schemaFor(folder, join(folder, "release"))).toBe(schema.$id);
});
