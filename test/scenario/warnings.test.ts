import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../src/model/diagnostic.ts";
import { planOf } from "../support/cli.ts";
import { describeDialects } from "../support/dialects.ts";
import { workspace } from "../support/workspace.ts";

const TYPO = { kind: "InsightVizNode", source: { kind: "TrendsQuery", series: [], intervall: "day" } };
const OTHER = { kind: "InsightVizNode", source: { kind: "TrendsQuery", series: [], interval: "day" } };

/** A configuration with insights that have a query. */
function withInsights(insights: Readonly<Record<string, object>>): object {
  return { driftline: 1, organizations: { acme: { name: "Acme Inc", projects: { web: { id: "2", insights } } } } };
}

function codes({ diagnostics }: { readonly diagnostics: readonly Diagnostic[] }): readonly string[] {
  return diagnostics.map(({ code }) => code);
}

const typos = (count: number): Readonly<Record<string, object>> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`i${String(index)}`, { name: `I${String(index)}`, query: TYPO }]),
  );

describeDialects("a value that the service may refuse", () => {
  it("is a warning only for a plan that writes it", async () => {
    const space = await workspace();
    await space.configure(withInsights({ a: { name: "A", query: TYPO, tags: ["x"] } }));
    expect(codes(await space.plan())).toEqual(["unknown_query_key"]);
    space.emulator.insert("insight", { project: "2" }, { name: "A", query: TYPO });
    expect((await space.plan()).changes.find(({ kind }) => kind === "insight")).toMatchObject({ action: "update" });
    expect(codes(await space.plan())).toEqual([]);
    await space.configure(withInsights({ a: { name: "A", query: { ...TYPO, showTable: true } } }));
    expect(codes(await space.plan())).toEqual(["unknown_query_key"]);
  });

  it("is no warning for a plan that is limited to something else", async () => {
    const space = await workspace();
    await space.configure(withInsights({ ...typos(3), right: { name: "R", query: OTHER } }));
    expect(codes(await space.plan("--only", "acme/projects/web/insights/right"))).toEqual([]);
    expect(codes(await space.plan("--only", "acme/projects/web/insights/i1"))).toEqual(["unknown_query_key"]);
  });
});

describe("equal warnings", () => {
  it.each(["plan", "validate"])("are one line, and --verbose lists each with its place (%s)", async (command) => {
    const space = await workspace();
    await space.configure(withInsights(typos(12)));
    const report = command === "plan" ? "stdout" : "stderr";
    const short =
      (await space.run([command]))[report]
        .split(/\n\n(?=Plan:)/u)[0]
        ?.split("\n\n")
        .at(-1) ?? "";
    expect(short.match(/warning unknown_query_key/gu)).toHaveLength(1);
    expect(short).toMatchSnapshot();
    const long = await space.run([command, "--verbose"]);
    expect(long[report].match(/^ *driftline\.yaml:\d+:\d+: warning unknown_query_key/gmu)).toHaveLength(12);
  });

  it("are all in JSON", async () => {
    const space = await workspace();
    await space.configure(withInsights(typos(12)));
    expect(planOf(await space.run(["plan", "--format", "json"])).diagnostics).toHaveLength(12);
  });

  it("are one line in Markdown, and others stand at their changes", async () => {
    const space = await workspace();
    const many = ["apple", "brick", "cloud", "dunes", "eagle", "flute", "grape"].map((key): [string, object] => [
      key,
      { name: key, query: { ...OTHER, [`${key}Key`]: 1 } },
    ]);
    await space.configure(withInsights({ ...typos(2), ...Object.fromEntries(many) }));
    const { stdout } = await space.run(["plan", "--format", "markdown"]);
    expect(stdout.split("\n").filter((line) => /^- .*(?:warning)/.test(line))).toMatchSnapshot();
    const { stdout: verbose } = await space.run(["plan", "--format", "markdown", "--verbose"]);
    expect(verbose.match(/^- \*\*warning\*\*/gmu)).toHaveLength(9);
  });
});

it("reports errors before the warnings", async () => {
  const space = await workspace();
  await space.configure(withInsights({ a: { nam: "A" }, b: { name: "B", query: TYPO } }));
  const { code, stderr } = await space.run(["validate"]);
  expect(code).toBe(10);
  expect(stderr.match(/(?<=: )(?:warning|error)/gu)).toEqual(["error", "error", "warning"]);
});

describe("a configuration that declares nothing", () => {
  it.each([
    ["plan", [], 0],
    ["plan", ["--detailed-exitcode"], 0],
    ["drift", [], 10],
  ])("is a warning, and no drift report (%s %j)", async (command, options, code) => {
    const space = await workspace();
    await space.configure(`driftline: 1\nservice: { url: ${space.emulator.url} }\n`, "service.yaml");
    const result = await space.run([command, ".", "--format", "json", ...options]);
    expect(result.code).toBe(code);
    expect(planOf(result).diagnostics).toMatchObject([
      { severity: "warning", code: "nothing_declared", command: ["driftline", "export", "--out", "analytics"] },
    ]);
    expect((await space.run([command, ".", ...options])).stderr).toMatchSnapshot();
    await space.configure(withInsights({}), "acme.yaml");
    expect(codes(planOf(await space.run([command, ".", "--format", "json", ...options])))).toEqual([]);
  });
});
