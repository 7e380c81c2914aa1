import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { packageFolder, schemaFor } from "../../../../src/cli/program/package.ts";

/** Files by their paths, as JSON. */
async function laid(files: Readonly<Record<string, unknown>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "driftline-source-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), JSON.stringify(content));
  }
  return folder;
}

const MANIFEST = { name: "driftline" };
const RELEASED = { ...MANIFEST, released: true };

it("this package is found from its own modules", () => {
  expect(join(packageFolder(), "src/cli/program/package.ts")).toBe(
    new URL("../../../../src/cli/program/package.ts", import.meta.url).pathname,
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
