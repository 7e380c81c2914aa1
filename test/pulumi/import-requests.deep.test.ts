/** How many requests an import of many objects takes. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cli } from "../support/cli.ts";
import { importFileIn } from "../support/program.ts";
import { isWhole } from "../support/budget.ts";
import { engine } from "./support/engine.ts";
import { ACME } from "./support/lives.ts";
import { besideKeyChecks } from "./support/key-checks.ts";
import { createYamlStack, takeResources } from "./support/packaged-stack.ts";

const { bin, missing } = engine();
const COUNT = 150;
/** Rows in a page of the service. */
const PAGE = 50;
const insights = Array.from({ length: COUNT }, (_, index) => ({
  name: `Insight ${String(index)}`,
  query: { kind: "InsightVizNode", source: { kind: "TrendsQuery", series: [{ kind: "EventsNode", event: "a" }] } },
}));

// A count, like those of test/bench.
describe.skipIf(!isWhole || missing !== undefined)(`an import of ${String(COUNT)} insights`, () => {
  it("from the file of an export only checks the key, and by ids takes those of the list for each process", async () => {
    const stack = await createYamlStack(bin, {
      maxPageSize: PAGE,
      seed: { organizations: [{ id: ACME, name: "Acme Inc", projects: [{ id: 2, name: "Web", insights }] }] },
    });
    const { emulator } = stack;
    const out = join(stack.folder, "project");
    expect((await cli(["export", "--pulumi", "."], { cwd: out, env: stack.env })).code).toBe(0);
    const pulumi = async (...command: readonly string[]): Promise<number> => {
      emulator.clearRequests();
      const { code, output } = await stack.pulumi(command);
      expect(code, output).toBe(0);
      return besideKeyChecks(emulator).length;
    };
    expect(await pulumi("import", "--file", "import.json", "--yes", "--out", "resources.yaml")).toBe(0);
    await takeResources(out, "resources.yaml");
    expect(await pulumi("preview", "--expect-no-changes")).toBe(0);
    const refreshed = await pulumi("preview", "--refresh", "--expect-no-changes");
    const all = await importFileIn(out);
    expect(all.filter(({ type }) => type === "driftline:index:Insight")).toHaveLength(COUNT);

    // Without their state the provider reads them: once to show them and once to import them.
    const resources = all
      .filter(({ type }) => type === "driftline:index:Insight")
      .map(({ type, name, id }) => ({ type, name, id: `2/${id}` }));
    await writeFile(join(out, "ids.json"), JSON.stringify({ resources }));
    await pulumi("stack", "init", "other");
    const byIds = await pulumi("import", "--file", "ids.json", "--out", "made.yaml", "--yes");
    expect(byIds).toBe((2 * COUNT) / PAGE);
    expect(await readFile(join(out, "made.yaml"), "utf8")).toContain("name: Insight 149");
    console.log(
      `import of ${String(COUNT)}: 0 requests from the file, ${String(byIds)} by ids; a refresh ${String(refreshed)}`,
    );
  });
});
