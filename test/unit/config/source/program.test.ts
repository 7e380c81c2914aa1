import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { loadConfig } from "../../../../src/config/index.ts";
import { at, folderOf, load, loadGood, renderDiagnostics } from "../helpers.ts";

const file = "a.driftline.ts";

describe("a TypeScript configuration", () => {
  it("imports defineConfig from driftline, which need not be installed, and modules beside it", async () => {
    const loaded = await loadGood({
      [file]: `import { defineConfig } from "driftline";
import { products } from "./products.ts";
interface Named { readonly name: string }
const insights = Object.fromEntries(products.map((name): [string, Named] => [name, { name: \`Use of \${name}\` }]));
export default defineConfig({ driftline: 1, organizations: { acme: { name: "Acme", projects: { web: { id: 2, insights } } } } });
`,
      "products.ts": "export const products: readonly string[] = ['one', 'two'];\n",
    });
    expect(at(loaded, "acme/projects/web/insights/two").values).toEqual({ name: "Use of two" });
    expect(at(loaded, "acme/projects/web/insights/two").position).toEqual({
      file,
      pointer: "/organizations/acme/projects/web/insights/two",
    });
  });

  it("has the path of a value in the export, wherever it was written", async () => {
    const { diagnostics } = await load({
      [file]: `import corp from "./corp.ts";
export default { driftline: 1, organizations: { acme: { name: "Acme", enforce_2fa: "no", domains: { corp } } } };
`,
      "corp.ts": `export default {\n  domain: "corp.com", domian: "corp.com" };\n`,
    });
    expect(diagnostics.map(({ code, file: where, line, pointer }) => [code, where, line, pointer])).toEqual([
      ["unknown_key", file, undefined, "/organizations/acme/domains/corp/domian"],
      ["wrong_type", file, undefined, "/organizations/acme/enforce_2fa"],
    ]);
  });

  it("may export a promise, use top-level await, and have undefined members", async () => {
    const loaded = await loadGood({
      [file]: `const name = await Promise.resolve("Acme");
export default Promise.resolve({ driftline: 1, organizations: { acme: { name, enforce_2fa: undefined } } });\n`,
    });
    expect(at(loaded, "acme").values).toEqual({ name: "Acme" });
  });

  it("is substituted like YAML", async () => {
    const loaded = await loadGood({
      [file]: `export default { driftline: 1, variables: { v: 5 }, organizations: { acme: { name: "A \${var:v}" } } };\n`,
    });
    expect(at(loaded, "acme").values).toEqual({ name: "A 5" });
  });

  it("may be JavaScript if the command line names the file", async () => {
    const text = "export default { driftline: 1, organizations: { acme: { name: 'Acme' } } };\n";
    expect(at(await loadGood({ "conf.mjs": text }, { paths: ["conf.mjs"] }), "acme").values).toEqual({ name: "Acme" });
  });

  it("is read again on each load", async () => {
    const first = await loadGood({
      [file]: "export default { driftline: 1, organizations: { acme: { name: 'One' } } };\n",
    });
    const second = await loadGood({
      [file]: "export default { driftline: 1, organizations: { acme: { name: 'Two' } } };\n",
    });
    expect([at(first, "acme").values, at(second, "acme").values]).toEqual([{ name: "One" }, { name: "Two" }]);
  });

  it("may use the same object twice, which is not a cycle", async () => {
    const loaded = await loadGood({
      [file]: `const query = { a: 1 };
export default { driftline: 1, organizations: { acme: { name: "A", projects: { web: { id: 2, insights: { a: { name: "A", query }, b: { name: "B", query } } } } } } };\n`,
    });
    expect(at(loaded, "acme/projects/web/insights/b").values["query"]).toEqual({ a: 1 });
  });

  it.each([
    [
      "a syntax error",
      "export default {\n  driftline: 1,,\n};\n",
      `${file}:2:16: error ts_failed: `,
      "Unexpected token",
    ],
    [
      "a rejected promise",
      "export default Promise.reject(new Error('no\\nluck'));\n",
      `${file}:1:1: error ts_failed: `,
      "no",
    ],
    [
      "an error after types that the transpiler removes",
      "interface Gone {\n  a: 1;\n}\nthrow new Error('far');\n",
      `${file}:4:1: error ts_failed: `,
      "far",
    ],
    ["a thrown object", "throw { odd: true };\n", `${file}#: error ts_failed: `, "an object"],
    ["a thrown value that is not an Error", "throw 'a text';\n", `${file}#: error ts_failed: `, "a text"],
    [
      "a getter that throws",
      "export default { get driftline(): number {\n throw new Error('got'); } };\n",
      `${file}:2:1: error ts_failed: `,
      "got",
    ],
  ])("with %s causes one line with a position and no stack trace", async (_, text, place, thrown) => {
    const rendered = renderDiagnostics((await load({ [file]: text })).diagnostics);
    expect(rendered).toMatch(/^[^\n]*\n$/);
    expect(rendered.startsWith(place)).toBe(true);
    expect(rendered).toContain(thrown);
    expect(rendered).toMatchSnapshot("error");
  });

  it.each(["./missing.ts", "missing-package"])(
    "that imports the missing module %s is reported with its name",
    async (name) => {
      const { diagnostics } = await load({ [file]: `import { x } from "${name}";\nexport default x;\n` });
      expect(diagnostics).toMatchObject([{ code: "ts_failed", line: 1, message: expect.stringContaining(name) }]);
      expect(renderDiagnostics(diagnostics)).toMatchSnapshot("error");
    },
  );
});

describe("the environment of a program", () => {
  it.each(["", "throw new Error('no');", "await Promise.reject('no');"])(
    "has no key, no secret and no file of the pipeline while it runs, and is as before afterwards: %s",
    async (end) => {
      const hidden =
        "DRIFTLINE_API_KEY DRIFTLINE_READ_KEY DRIFTLINE_WRITE_KEY SITE_PASSWORD NPM_TOKEN CLIENT_SECRET GITHUB_ENV GITHUB_PATH GITHUB_OUTPUT GITHUB_STEP_SUMMARY GITHUB_STATE BASH_ENV ACTIONS_RUNTIME_TOKEN ACTIONS_ID_TOKEN_REQUEST_URL ACTIONS_RUNTIME_URL".split(
          " ",
        );
      const seen = ["DRIFTLINE_URL", "GITHUB_SHA", "REGION"];
      for (const name of [...hidden, ...seen]) vi.stubEnv(name, "dl-test-value");
      onTestFinished(() => void vi.unstubAllEnvs());
      const before = { ...process.env };
      const cwd = folderOf({
        [file]: `import { writeFileSync } from "node:fs";
const values = Object.entries(process.env).filter(([, value]) => value === "dl-test-value");
writeFileSync(new URL("seen.json", import.meta.url), JSON.stringify(values.map(([name]) => name)));
${end}
export default { driftline: 1, organizations: {} };\n`,
      });
      await loadConfig({ paths: ["."], cwd, env: {}, vars: [], varFiles: [] });
      const names = JSON.parse(readFileSync(join(cwd, "seen.json"), "utf8")) as readonly string[];
      expect(names.toSorted()).toEqual(seen.toSorted());
      expect({ ...process.env }).toEqual(before);
    },
  );
});
