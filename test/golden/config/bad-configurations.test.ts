import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkedDiagnostics, loadConfig } from "../../../src/config/index.ts";
import { renderDiagnostics } from "../../unit/config/helpers.ts";

interface Case {
  readonly paths?: readonly string[];
  readonly vars?: readonly string[];
  readonly varFiles?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const folder = import.meta.dirname;
const cases = readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);

/** Each folder is an invalid configuration. Its `expected.txt` contains the exact diagnostics. */
describe("bad configurations", () => {
  it("cover at least 45 cases", () => {
    expect(cases.length).toBeGreaterThanOrEqual(45);
  });

  it.each(cases)("%s", async (name) => {
    const cwd = join(folder, name);
    const options = join(cwd, "case.json");
    const given: Case = existsSync(options) ? JSON.parse(readFileSync(options, "utf8")) : {};
    const { paths = ["."], vars = [], varFiles = [], env = {} } = given;
    const config = await loadConfig({ paths, cwd, env, vars, varFiles });
    const rendered = renderDiagnostics(checkedDiagnostics(config, { verbose: true }));
    await expect(rendered).toMatchFileSnapshot(join(cwd, "expected.txt"));
  });
});
