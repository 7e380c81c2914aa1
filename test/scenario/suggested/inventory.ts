/** Every command that src suggests, read from its syntax trees: so a new one without a test is noticed. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const SRC = new URL("../../../src", import.meta.url).pathname;

/** Functions whose arguments are the words of a command, or an array of them. */
const WRITERS: ReadonlySet<string> = new Set(["command"]);

/** What a file holds that writes a command, or names one. */
const RELEVANT = /\bcommand\(|\bdriftline [a-z]/;

/** The suggestions of src, as `file: words`, and the texts that name a command otherwise, as `file: driftline VERB`. */
export interface Inventory {
  readonly suggestions: readonly string[];
  readonly texts: readonly string[];
}

export function takeInventory(): Inventory {
  const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const trees = files.flatMap((name) => {
    const text = name.startsWith("generated/") ? "" : readFileSync(join(SRC, name), "utf8");
    // Parsing all files takes seconds.
    return RELEVANT.test(text) ? [[name, nodesOf(parse(name, text))] as const] : [];
  });
  const verbs = new Set(trees.flatMap(([name, nodes]) => (name.startsWith("cli/") ? nodes.flatMap(verbOf) : [])));
  const each = (find: (node: ts.Node) => readonly string[]): readonly string[] =>
    [
      ...new Set(
        trees.flatMap(([name, nodes]) => nodes.flatMap((node) => find(node).map((text) => `${name}: ${text}`))),
      ),
    ].toSorted();
  return {
    suggestions: each((node) => wordsOf(node).filter((words) => verbs.has(/^"(\w+)"/.exec(words)?.[1] ?? ""))),
    texts: each((node) =>
      verbsIn(node)
        .filter((verb) => verbs.has(verb))
        .map((verb) => `driftline ${verb}`),
    ),
  };
}

function parse(name: string, text: string): ts.SourceFile {
  return ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
}

function nodesOf(tree: ts.SourceFile): readonly ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** `program.command("plan")` declares a verb. */
function verbOf(node: ts.Node): readonly string[] {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return [];
  const [first] = node.arguments;
  return node.expression.name.text === "command" && first !== undefined && ts.isStringLiteral(first)
    ? [first.text]
    : [];
}

/** The words of a call that writes a command, as they are in the source. */
function wordsOf(node: ts.Node): readonly string[] {
  if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression) || !WRITERS.has(node.expression.text)) return [];
  const [first] = node.arguments;
  const words = first !== undefined && ts.isArrayLiteralExpression(first) ? first.elements : node.arguments;
  return [words.map((word) => word.getText().replaceAll(/\s+/g, " ")).join(" ")];
}

function verbsIn(node: ts.Node): readonly string[] {
  const isText =
    ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node);
  return isText ? [...node.text.matchAll(/\bdriftline ([a-z]+)\b/g)].map(([, verb = ""]) => verb) : [];
}
