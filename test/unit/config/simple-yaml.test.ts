/**
 * The short way through YAML against the library: on texts as people write them, on texts with something odd in them, and on
 * such texts damaged. Where the short way gives an answer, the library gives the same one, places included.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { collectProblems } from "../../../src/config/problems.ts";
import { readSimple } from "../../../src/config/simple-yaml.ts";
import { type Node, positionOf } from "../../../src/config/tree.ts";
import { parseWithLibrary } from "../../../src/config/yaml.ts";

const FILE = { path: "/a.yaml", file: "a.yaml", isLiteral: false };
const RUNS = Number(process.env["DRIFTLINE_YAML_RUNS"] ?? 3000);

/** A tree with the place of everything in it, as `line:column`. */
type Placed = readonly [string, ...unknown[]];

function placed(node: Node): Placed {
  const { line, column } = positionOf(node);
  const place = `${String(line)}:${String(column)}`;
  if (node.type === "list") return [place, "list", ...node.items.map(placed)];
  if (node.type === "map") {
    const members = [...node.members.values()].map((member) => {
      const at = positionOf(member);
      return [`${String(at.line)}:${String(at.column)}`, member.key, placed(member.value)];
    });
    return [place, "map", ...members];
  }
  return node.type === "scalar" ? [place, node.value] : [place, "broken"];
}

/** Whether the short way knows the text. Fails where the library reads it in another way, or not at all. */
function isAgreed(text: string): boolean {
  const simple = readSimple(text, FILE);
  if (simple === undefined) return false;
  const problems = collectProblems();
  const { documents, foreign, broken } = parseWithLibrary(text, { ...FILE, named: true }, false, problems);
  expect(problems.list(), text).toEqual([]);
  expect([documents.map(placed), foreign, broken], text).toEqual([[placed(simple)], [], false]);
  return true;
}

const PLAIN_SCALARS = [
  "a",
  "Insight 1",
  "-7d",
  "12",
  "-3",
  "1.5",
  "~",
  "null",
  "true",
  "false",
  "no",
  "a:b",
  "x # why",
  "é 🚀",
];
const PLAIN_VALUES = [
  "'it is'",
  '"a: b # c"',
  "''",
  "${var:x}",
  "http://x/y?z=1#t",
  "[a, 'b', 1]",
  "[]",
  "{}",
  "{ a: b, c: [1, { d: e }] }",
  "[ [a] ] # so",
];
const ODD_VALUES = [
  "007",
  "-0",
  "1e3",
  "0x1f",
  "0o17",
  ".5",
  "1.",
  "00",
  "+1",
  "+.inf",
  ".nan",
  "1_000",
  "12:30",
  "2024-01-01T10:00:00Z",
  "Null",
  "TRUE",
  "<<",
  "*a",
  "&a x",
  "!t x",
  "!!str 1",
  "- a",
  "-",
  "a: b",
  "a:",
  "|",
  ">-",
  "? x",
  "'it''s'",
  '"\\n"',
  '"a\\',
  "'",
  "%x",
  "@x",
  "`x`",
  "a\u00a0b",
  "\ufeffa",
  "...",
  "---",
  "a #b",
  "#",
  "[",
  "]",
  "{",
  "}",
  "[a",
  "[a,]",
  "[,a]",
  "[a b: c]",
  "[a]b",
  "{a: b}}",
  "{a:b}",
  "{a b}",
  "{ a: b, a: c }",
  '{"a":1}',
  "{a: }",
  "[a#b, c]",
  "[ # x",
  '"a"b',
  "'a': b",
  "a\tb",
  "\u0085",
  "a\\",
  "9007199254740993",
  "123456789012345678901234567890",
  "-.5",
  "-a",
  "--a",
  "- - a",
  "$",
  "(",
  "~a",
  "a]",
  "a}",
  "a, b",
  "a'b",
  "1 2",
];
const KEYS = [
  "a",
  "b",
  "name",
  "ada@acme.com",
  "2",
  "'q'",
  '"q r"',
  "x-y",
  "a.b/c",
  "driftline",
  "__proto__",
  "constructor",
];
const ODD_KEYS = [
  "2.0",
  "007",
  "null",
  "true",
  "a b",
  "<<",
  "é",
  "1e3",
  "-a",
  "~",
  "a ",
  "'a' ",
  "? a",
  "[a]",
  "{a: b}",
  "a:",
  "*a",
  "''",
  '""',
  "a#b",
  "a #b",
];

interface Style {
  /** How much further in something stands than its parent. */
  readonly indent: number;
  /** Whether a list stands in the column of its key. */
  readonly isFlush: boolean;
  /** Whether something stands on the line of its dash. */
  readonly isCompact: boolean;
  /** A line before it. */
  readonly before: string;
}

type Tree =
  | { readonly type: "value"; readonly text: string }
  | { readonly type: "map"; readonly style: Style; readonly members: readonly (readonly [string, Tree])[] }
  | { readonly type: "list"; readonly style: Style; readonly items: readonly Tree[] };

const style = fc.record({
  indent: fc.constantFrom(1, 2, 4),
  isFlush: fc.boolean(),
  isCompact: fc.boolean(),
  before: fc.constantFrom("", "", "", "", "\n", "# why\n", "   \n", "      # in\n"),
});

/** A mapping in any style, of usual keys and values but for so many in a hundred. */
function mapping(oddities: number): fc.Arbitrary<Tree> {
  const some = (usual: readonly string[], other: readonly string[]): fc.Arbitrary<string> =>
    fc.oneof(
      { weight: 100 - oddities, arbitrary: fc.constantFrom(...usual) },
      { weight: oddities, arbitrary: fc.constantFrom(...other) },
    );
  return fc.letrec<{ tree: Tree; map: Tree }>((tie) => {
    const value = some([...PLAIN_SCALARS, ...PLAIN_VALUES], ODD_VALUES).map((text): Tree => ({ type: "value", text }));
    const key = some(KEYS, ODD_KEYS);
    const members = fc.uniqueArray(fc.tuple(key, tie("tree")), {
      minLength: 1,
      maxLength: 4,
      selector: ([name]) => name,
    });
    const items = fc.array(tie("tree"), { minLength: 1, maxLength: 3 });
    const list = fc.record({ style, items }).map((one): Tree => ({ type: "list", ...one }));
    return {
      map: fc.record({ style, members }).map((one): Tree => ({ type: "map", ...one })),
      tree: fc.oneof({ maxDepth: 4, depthSize: "medium" }, value, tie("map"), list),
    };
  }).map;
}

/** Its text from the column on, the first line without the spaces before it. */
function print(tree: Tree, column: number): string {
  if (tree.type === "value") return `${tree.text}\n`;
  const { indent, isFlush, isCompact, before } = tree.style;
  const pad = " ".repeat(column);
  if (tree.type === "list") {
    const items = tree.items.map((item) =>
      item.type === "value" || isCompact
        ? `-${" ".repeat(indent)}${print(item, column + 1 + indent)}`
        : `- \n${before}${" ".repeat(column + indent)}${print(item, column + indent)}`,
    );
    return items.join(before + pad);
  }
  const members = tree.members.map(([key, value]) => {
    if (value.type === "value") return `${key}: ${print(value, column)}`;
    const inner = value.type === "list" && isFlush ? column : column + indent;
    return `${key}:\n${before}${" ".repeat(inner)}${print(value, inner)}`;
  });
  return members.join(before + pad);
}

const plain = mapping(0).map((tree) => print(tree, 0));
const odd = mapping(8).map((tree) => print(tree, 0));
const DAMAGE = [
  ...":-#[]{},\"'&*!|>?%@`~.\\\t\n\r ",
  "  ",
  "\n\n",
  "\n ",
  ": ",
  "- ",
  " #",
  "<<",
  "---\n",
  "\n...\n",
  "null",
  "0x1",
  "",
  "",
  "",
];

/** Texts with pieces put in, and others taken out. */
const damaged = fc
  .tuple(plain, fc.array(fc.tuple(fc.nat(400), fc.nat(3), fc.constantFrom(...DAMAGE)), { minLength: 1, maxLength: 2 }))
  .map(([text, edits]) =>
    edits.reduce((before, [place, length, piece]) => {
      const at = place % (before.length + 1);
      return before.slice(0, at) + piece + before.slice(at + length);
    }, text),
  );

describe("the short way through YAML", () => {
  it("knows what people write, and reads it as the library does", () => {
    fc.assert(
      fc.property(plain, (text) => {
        expect(isAgreed(text), text).toBe(true);
      }),
      { numRuns: RUNS / 4 },
    );
  });

  it("reads nothing odd in another way than the library", () => {
    fc.assert(
      fc.property(odd, (text) => void isAgreed(text)),
      { numRuns: RUNS / 2 },
    );
  });

  it("takes no damaged text that the library refuses, nor reads it in another way", () => {
    fc.assert(
      fc.property(damaged, (text) => void isAgreed(text)),
      { numRuns: RUNS },
    );
  });

  it("agrees with the library on every file of the examples and the golden tests", () => {
    const root = new URL("../../..", import.meta.url).pathname;
    const files = ["examples", "test/golden"].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => /\.ya?ml$/.test(name))
        .map((name) => join(root, folder, name)),
    );
    const known = files.filter((file) => isAgreed(readFileSync(file, "utf8")));
    expect(known.length).toBeGreaterThan(files.length / 2);
  });
});
