import { describe, expect, it } from "vitest";
import { lifecycleSchema } from "../../../src/generated/schemas.ts";
import { cli, type CliResult } from "../../support/cli.ts";
import { expectGolden } from "../report/golden.ts";

const explain = (...args: readonly string[]): Promise<CliResult> => cli(["explain", ...args], { cwd: "/", env: {} });

describe("what is no kind", () => {
  it.each(["lifecycle", "project", "lifecycle.protect", "domain.lifecycle.state"])("%s is explained", async (name) => {
    const { code, stdout } = await explain(name);
    expect(code).toBe(0);
    expectGolden(`explain-${name.replaceAll(".", "-")}.txt`, stdout);
  });

  it("lifecycle has all of its keys, of a kind as well", async () => {
    const keys = Object.keys(lifecycleSchema.properties);
    expect(keys.length).toBeGreaterThan(5);
    const { stdout } = await explain("insight.lifecycle", "--format", "json");
    const { fields } = JSON.parse(stdout) as { readonly fields: readonly { readonly name: string }[] };
    expect(fields.map(({ name }) => name)).toEqual(["lifecycle", ...keys.map((key) => `lifecycle.${key}`)]);
    const { stdout: page } = await explain("lifecycle", "--format", "markdown");
    expect(keys.filter((key) => !page.includes(`<code>${key}</code>`))).toEqual([]);
  });

  it.each([
    ["lifecycel", "unknown_kind", "driftline explain lifecycle"],
    ["lifecycle.protected", "unknown_field", "driftline explain lifecycle.protect"],
    ["project.nothing", "unknown_kind", ""],
  ])("%s: %s", async (name, code, command) => {
    const result = await explain(name);
    expect(result.code).toBe(10);
    expect(result.stderr).toContain(`error ${code}:`);
    expect(result.stderr).toContain(command);
  });

  it("has no JSON document", async () => {
    const { code, stdout } = await explain("lifecycle", "--format", "json");
    expect([code, JSON.parse(stdout)]).toMatchObject([10, { diagnostics: [{ code: "usage" }] }]);
  });
});
