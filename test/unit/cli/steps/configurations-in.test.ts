import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { configurationsIn } from "../../../../src/cli/steps/configurations-in.ts";

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "driftline-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

it("finds programs, and YAML with the key of a configuration, in the folder itself", () => {
  const folder = folderOf({
    "a.yaml": "# ours\ndriftline: 1\n",
    "b.driftline.ts": "",
    "c.yml": "driftline: 1\n",
    "d.yaml": '{"driftline": 1}',
    "e.yaml": "  driftline : 1\n",
    "f.yaml": "driftline: [1\n",
    "g.json": '{"driftline": 1}',
    "package.json": '{"dependencies": {"driftline": "1"}}',
    "docker-compose.yaml": "services: { driftline: {} }\n",
    "notes.md": "driftline: 1\n",
    "long.yaml": `driftline: 1\n${" ".repeat(11 * 1024 * 1024)}`,
  });
  mkdirSync(join(folder, "below.yaml"));
  symlinkSync("a.yaml", join(folder, "linked.yaml"));
  symlinkSync("circle.yaml", join(folder, "circle.yaml"));
  expect(configurationsIn(folder).toSorted()).toEqual([
    "a.yaml",
    "b.driftline.ts",
    "c.yml",
    "d.yaml",
    "e.yaml",
    "f.yaml",
    "g.json",
    "linked.yaml",
  ]);
});

it("finds nothing where nothing can be read", () => {
  expect(configurationsIn(join(folderOf({}), "missing"))).toEqual([]);
});
