/** Every query that the documents, the examples, the schemas and `init` show is one that a deployed server accepts. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { isJsonObject, type Json } from "../../src/model/json/json.ts";
import { blocksOf } from "../scenario/docs/blocks.ts";
import { PAGES } from "../scenario/docs/pages.ts";
import { workspace } from "../support/workspace.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const PROGRAM = /\.[cm]?ts$|^ts$|^typescript$/;
const DATA = /\.(?:ya?ml|json)$|^ya?ml$|^json$/;

/** The values of all keys `query`, at any depth. */
function queriesIn(value: Json): readonly Json[] {
  if (Array.isArray(value)) return value.flatMap((item: Json) => queriesIn(item));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    key === "query" && isJsonObject(item) ? [item] : queriesIn(item),
  );
}

/** The objects that a program assigns to keys `query`. What it computes is taken for a text. */
function queriesOfProgram(source: string): readonly Json[] {
  const found: Json[] = [];
  const visit = (node: ts.Node): void => {
    const isQuery = ts.isPropertyAssignment(node) && node.name.getText(file) === "query";
    if (isQuery && ts.isObjectLiteralExpression(node.initializer)) found.push(literal(node.initializer));
    else ts.forEachChild(node, visit);
  };
  const file = ts.createSourceFile("example.ts", source, ts.ScriptTarget.Latest);
  const literal = (node: ts.Expression): Json => {
    if (ts.isArrayLiteralExpression(node)) return node.elements.map(literal);
    if (ts.isStringLiteralLike(node)) return node.text;
    if (!ts.isObjectLiteralExpression(node)) return node.getText(file);
    return Object.fromEntries(
      node.properties.map((property): [string, Json] => [
        property.name?.getText(file) ?? "",
        ts.isPropertyAssignment(property) ? literal(property.initializer) : "",
      ]),
    );
  };
  visit(file);
  return found;
}

/** The queries in a text of a language. Users also use the lines that are commented out. */
function queriesOf(language: string, text: string): readonly Json[] {
  const bare = text.replaceAll(/^(\s*)(?:#|\/\/) (?=\w+: )/gm, "$1");
  if (PROGRAM.test(language)) return queriesOfProgram(bare);
  return DATA.test(language) ? queriesIn((parse(bare, { merge: true }) ?? null) as Json) : [];
}

const SCHEMA = "schemas/kinds/insight.schema.json";
const examples = readdirSync(join(ROOT, "examples"), { recursive: true, encoding: "utf8" })
  .filter((name) => /\.\w+$/.test(name))
  .map((name) => `examples/${name}`);

function queriesOfFile(name: string): readonly Json[] {
  const text = readFileSync(join(ROOT, name), "utf8");
  if (name !== SCHEMA) {
    const blocks = name.endsWith(".md") ? blocksOf(text) : [{ language: name, text }];
    return blocks.flatMap((block) => queriesOf(block.language, block.text));
  }
  const schema = JSON.parse(text) as { readonly properties: { readonly query: { readonly examples: Json[] } } };
  return schema.properties.query.examples;
}

const shown = [...PAGES, "CONTRIBUTING.md", "src/emulator/README.md", SCHEMA, ...examples].flatMap((name) =>
  queriesOfFile(name).map((query, index) => [`${name}, query ${String(index + 1)}`, query] as const),
);

/** Fails unless a deployed server accepts a new insight with this query. */
async function expectAccepted(query: Json): Promise<void> {
  const { emulator } = await workspace({ dialect: "deployed" });
  const headers = { authorization: `Bearer ${emulator.key}`, "content-type": "application/json" };
  const body = JSON.stringify({ query });
  const response = await fetch(`${emulator.url}/api/projects/2/insights/`, { method: "POST", headers, body });
  expect(await response.json()).toMatchObject({ query });
}

describe("a query that is shown is accepted", () => {
  it.each(shown)("%s", async (_name, query) => {
    await expectAccepted(query);
  });

  it("in documents, data and programs alike", () => {
    const places = new Set(shown.map(([name]) => name.replace(/,.*/, "")));
    expect([...places]).toEqual(
      expect.arrayContaining([
        "README.md",
        "examples/minimal/driftline.yaml",
        "examples/insights/insights.driftline.ts",
      ]),
    );
  });

  it.each(["driftline.yaml", "acme.driftline.ts"])("by init %s", async (file) => {
    const { folder, run } = await workspace();
    expect((await run(["init", file])).code).toBe(0);
    const text = readFileSync(join(folder, file), "utf8");
    const found = queriesOf(file, text);
    expect(found).toHaveLength(text.split("query").length - 1);
    for (const query of found) await expectAccepted(query);
  });
});
