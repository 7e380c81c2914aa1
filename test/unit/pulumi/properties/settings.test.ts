import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { parse } from "yaml";
import schema from "../../../../schemas/pulumi.schema.json" with { type: "json" };

const read = (page: string): Promise<string> => readFile(new URL(`../../../../docs/${page}`, import.meta.url), "utf8");

it("the pages name the variables of all settings, and in ten lines of Pulumi ESC only these", async () => {
  const rows = [...(await read("pulumi.md")).matchAll(/^\| `driftline:(\w+)` +\| `(DRIFTLINE_\w+)`/gm)];
  expect(rows.map(([, setting]) => setting)).toEqual(Object.keys(schema.config.variables));
  const [, block = ""] = /```yaml\n([^`]*)```/.exec(await read("pulumi-esc.md")) ?? [];
  expect(block.trimEnd().split("\n").length).toBeLessThanOrEqual(10);
  const { values } = parse(block) as { values: { environmentVariables: Record<string, string> } };
  expect(rows.map(([, , variable]) => variable)).toEqual(
    expect.arrayContaining(Object.keys(values.environmentVariables)),
  );
});
