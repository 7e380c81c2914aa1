import { describe, expect, it } from "vitest";
import { at, load, loadGood, renderDiagnostics } from "../helpers.ts";

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
    expect(at(loaded, "acme/projects/web/insights/two").position).toEqual({ file, line: 4, column: 84 });
  });

  it("has the place of a value if a literal wrote it, and else its path in the export", async () => {
    const loaded = await loadGood({
      [file]: `import { corp } from "./parts/corp.ts";
const domains = { corp, [String(1)]: JSON.parse('{ "domain": "one.com" }'), ...JSON.parse('{ "two": { "domain": "two.com" } }') };
export default { driftline: 1, organizations: { "acme": { name: "Acme",
  domains: { three: { domain: "3.com" }, ...domains, four: Object.freeze({ domain: "4.com" }) } } } };
`,
      "parts/corp.ts": `export const corp = {\n  domain: "corp.com" };\n`,
    });
    const places = ["", "/domains/corp", "/domains/1", "/domains/two", "/domains/three", "/domains/four"].map(
      (address) => at(loaded, `acme${address}`).position,
    );
    expect(places).toEqual([
      { file, line: 3, column: 49 },
      { file: "parts/corp.ts", line: 1, column: 21 },
      { file, pointer: "/organizations/acme/domains/1" },
      { file, pointer: "/organizations/acme/domains/two" },
      // What is spread after it could have replaced it, so its own literal is named instead of its key.
      { file, line: 4, column: 21 },
      { file, line: 4, column: 54 },
    ]);
  });

  it("does not take the place of a key for that of another value that has come under it", async () => {
    const loaded = await loadGood({
      [file]: `const key = "two";
export default { driftline: 1, organizations: { acme: { name: "Acme", domains: Object.assign({ one: { domain: "1.com" } }, {
  one: { domain: "one.com" } }), projects: { web: { id: 2, insights: { two: { name: "a" },
  [key]: { name: "b" }, get three() { return { name: "c" }; } } } } } } };
`,
    });
    const places = ["domains/one", "projects/web/insights/two", "projects/web/insights/three"].map(
      (address) => at(loaded, `acme/${address}`).position,
    );
    expect(places).toEqual([
      { file, line: 3, column: 8 },
      { file, line: 4, column: 10 },
      { file, line: 4, column: 46 },
    ]);
  });

  it("runs as it would elsewhere, although its literals are noted", async () => {
    const loaded = await loadGood({
      [file]: `const __filename = import.meta.url;
let [first, { second = ["b"], ...rest } = { second: ["c"] }] = ["a"] as [string, { second?: string[]; third?: string }?];
[first, second[0]] = [second[0] ?? "", first];
({ first } = { first: first + [,].length });
function* numbers() { yield [yield { size: rest }]; }
const base = { get tag() { return this.prefix + "!"; }, prefix: "p" };
const awaited = { ...(await Promise.resolve({ x: 1 })) } as const;
class Holder { static readonly all = [{ ...awaited }] as const; }
const derived = { __proto__: base, run() { return super.tag; } };
const tags = [first, ...second, [...numbers()].length, [1, , 3].length, Holder.all[0].x, derived.run(), typeof __filename].map(String);
export default { driftline: 1, organizations: { acme: { name: "Acme", projects: { web: { id: 2, insights: { a: { name: "A", tags } } } } } } } satisfies object;
`,
    });
    expect(at(loaded, "acme/projects/web/insights/a").values["tags"]).toEqual([
      "c1",
      "a",
      "2",
      "3",
      "1",
      "p!",
      "string",
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
      `${file}:1:31: error ts_failed: `,
      "no",
    ],
    [
      "an error after types that the transpiler removes",
      "const cast: unknown =  undefined as unknown as string; throw new Error('far');\nexport default cast;\n",
      `${file}:1:62: error ts_failed: `,
      "far",
    ],
    ["a thrown object", "throw { odd: true };\n", `${file}#: error ts_failed: `, "an object"],
    ["a thrown value that is not an Error", "throw 'a text';\n", `${file}#: error ts_failed: `, "a text"],
    [
      "a getter that throws",
      "export default { get driftline(): number {\n throw new Error('got'); } };\n",
      `${file}:2:8: error ts_failed: `,
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
