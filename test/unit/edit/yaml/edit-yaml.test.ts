import fc from "fast-check";
import { parse } from "yaml";
import { describe, expect, it } from "vitest";
import { editAt } from "../edit-at.ts";
import type { Edit } from "../../../../src/edit/edit.ts";
import { editYaml } from "../../../../src/edit/yaml/edit-yaml.ts";
import type { Json } from "../../../../src/model/json/json.ts";
import { budget } from "../../../support/budget.ts";

/** Makes an edit of the resource whose key in the text is `insight`. */
function edit(text: string, path: string, value: Json): Edit {
  // A byte order mark counts in no position.
  const [above = ""] = text.replace("\uFEFF", "").split("insight:");
  const before = above.split("\n");
  return editAt(before.length, (before.at(-1) ?? "").length + 1, { path, value });
}

function edited(text: string, path: string, value: Json): string {
  const { text: result, refused } = editYaml(text, [edit(text, path, value)]);
  expect(refused).toEqual([]);
  return result;
}

describe("editYaml", () => {
  it.each([
    ["a plain word", "insight:\n  name: a # why\n", "/name", "b", "insight:\n  name: b # why\n"],
    ["a number", "insight: { order: 1, name: a }\n", "/order", 2, "insight: { order: 2, name: a }\n"],
    ["a quoted word, and keeps the quotes", "insight:\n  name: 'a'\n", "/name", "b", "insight:\n  name: 'b'\n"],
    [
      "text that needs quotes in braces",
      "insight: { name: a }\n",
      "/name",
      "x, y: z",
      'insight: { name: "x, y: z" }\n',
    ],
    ["text that needs none below", "insight:\n  name: a\n", "/name", "x, y [z]", "insight:\n  name: x, y [z]\n"],
    [
      "a new item that needs none",
      "insight:\n  tags:\n    - a\n",
      "/tags/0",
      "x, y",
      "insight:\n  tags:\n    - x, y\n",
    ],
    ["text that needs them anywhere", "insight:\n  name: a\n", "/name", "x: y", 'insight:\n  name: "x: y"\n'],
    ["text that looks like a number", "insight: { name: a }\n", "/name", "7", 'insight: { name: "7" }\n'],
    ["text with line breaks", "insight:\n  name: a\n", "/name", "b\nc", "insight:\n  name: |-\n    b\n    c\n"],
    [
      "text with line breaks in the quotes that have some",
      'insight:\n  name: "a\\nb"\n',
      "/name",
      "b\nc",
      'insight:\n  name: "b\\nc"\n',
    ],
    [
      "text with line breaks beside a comment",
      "insight:\n  name: a # why\n",
      "/name",
      "b\nc",
      'insight:\n  name: "b\\nc" # why\n',
    ],
    [
      "text with line breaks above a comment",
      "insight:\n  name: a\n\n    # why\n  order: 1\n",
      "/name",
      "b\nc",
      'insight:\n  name: "b\\nc"\n\n    # why\n  order: 1\n',
    ],
    [
      "an item with line breaks",
      "insight:\n  tags:\n    - a\n    - b\n",
      "/tags/0",
      "b\nc",
      "insight:\n  tags:\n    - |-\n      b\n      c\n    - b\n",
    ],
    [
      "a block of text",
      "insight:\n  name: |\n    a\n    b\n  order: 1\n",
      "/name",
      "c",
      "insight:\n  name: |-\n    c\n  order: 1\n",
    ],
    ["null", "insight:\n  name: a\n", "/name", null, "insight:\n  name: null\n"],
    [
      "a field with an empty value",
      "insight:\n  name:\n  order: 1\n",
      "/name",
      "b",
      "insight:\n  name: b\n  order: 1\n",
    ],
    ["a list on one line", "insight: { tags: [a, b] } # x\n", "/tags", ["c"], "insight: { tags: [c] } # x\n"],
    [
      "a block list",
      "insight:\n  tags:\n    - a # x\n    - b\n  order: 1\n",
      "/tags",
      ["c", "d"],
      "insight:\n  tags:\n    - c\n    - d\n  order: 1\n",
    ],
    [
      "a block list with the line ends of the file",
      "\uFEFFinsight:\r\n  tags:\r\n    - a\r\n  order: 1\r\n",
      "/tags",
      ["c", "d"],
      "\uFEFFinsight:\r\n  tags:\r\n    - c\r\n    - d\r\n  order: 1\r\n",
    ],
    [
      "an empty list in place of a block list",
      "insight:\n  tags:\n    - a\n  order: 1\n",
      "/tags",
      [],
      "insight:\n  tags: []\n  order: 1\n",
    ],
    [
      "an item of a list",
      "insight:\n  tags:\n    - a\n    - b # x\n",
      "/tags/1",
      "c",
      "insight:\n  tags:\n    - a\n    - c # x\n",
    ],
    [
      "a nested field",
      "insight:\n  query:\n    series:\n      - event: a # x\n        math: dau\n",
      "/query/series/0/event",
      "b",
      "insight:\n  query:\n    series:\n      - event: b # x\n        math: dau\n",
    ],
    [
      "a block of fields",
      "insight:\n  query:\n    a: 1\n    b: 2\n  order: 1\n",
      "/query",
      { c: { d: [1] } },
      "insight:\n  query:\n    c: { d: [1] }\n  order: 1\n",
    ],
    [
      "a field that is not declared yet",
      "insight:\n  name: a # x\n",
      "/paused",
      true,
      "insight:\n  name: a # x\n  paused: true\n",
    ],
    [
      "a field that is not declared yet, in braces",
      "insight: { name: a }\n",
      "/paused",
      true,
      "insight: { name: a, paused: true }\n",
    ],
    [
      "a field of an undeclared parent",
      "insight: { query: { a: 1 } }\n",
      "/query/b/c",
      2,
      "insight: { query: { a: 1, b: { c: 2 } } }\n",
    ],
    ["the second document", "a: 1\n---\ninsight: { name: a }\n", "/name", "b", "a: 1\n---\ninsight: { name: b }\n"],
    [
      "a file with Windows line ends",
      "insight:\r\n  name: a # x\r\n  order: 1\r\n",
      "/name",
      "b",
      "insight:\r\n  name: b # x\r\n  order: 1\r\n",
    ],
    [
      "a separate value for a merged field",
      "x: &x { name: a }\ninsight: { <<: *x, order: 1 }\n",
      "/name",
      "b",
      "x: &x { name: a }\ninsight: { <<: *x, order: 1, name: b }\n",
    ],
    [
      "a value in place of an alias",
      "x: &x [a]\ninsight: { tags: *x }\n",
      "/tags",
      ["b"],
      "x: &x [a]\ninsight: { tags: [b] }\n",
    ],
  ] as const)("writes %s", (_name, text, path, value, expected) => {
    expect(edited(text, path, value)).toBe(expected);
  });

  it.each([
    ["an expression", 'insight: { name: "a ${var:x}" }\n', "/name", "${var:x}"],
    ["an anchor", "insight: { tags: &x [a] }\nb: *x\n", "/tags", ""],
    ["a field inside of an alias", "x: &x { a: 1 }\ninsight: { query: *x }\n", "/query/a", "*x"],
    ["a missing resource", "other: { name: insight }\n", "/name", ""],
  ])("refuses to edit %s, and returns the reason", (_name, text, path, why) => {
    const { text: result, refused } = editYaml(text, [edit(text, path, "b")]);
    expect(result).toBe(text);
    expect(refused.map((one) => one.reason)).toEqual([expect.stringContaining(why)]);
    expect(refused.map((one) => one.reason)).toMatchSnapshot();
  });

  const before = { tags: ["a", "b"], series: [{ event: "x" }, { event: "y" }] };
  it.each<readonly [string, string, Json, string]>([
    [
      "one line of a block of text",
      "insight:\n  sql: | # weekly\n    SELECT a\n    FROM b\n",
      { sql: "SELECT a,\n  c\nFROM b\n" },
      "insight:\n  sql: | # weekly\n    SELECT a,\n      c\n    FROM b\n",
    ],
    [
      "a block of text that is cleared",
      "insight:\n  sql: | # weekly\n    a\n",
      { sql: null },
      "insight:\n  sql: null # weekly\n",
    ],
    [
      "a block of text that is empty",
      "insight:\n  sql: >- # weekly\n    a\n",
      { sql: "" },
      'insight:\n  sql: "" # weekly\n',
    ],
    [
      "a block of text that cannot be one any more",
      "insight:\n  sql: | # weekly\n    a\n    b\n  order: 1\n",
      { sql: " lead" },
      'insight:\n  sql: " lead" # weekly\n  order: 1\n',
    ],
    [
      "a block of text that becomes a mapping",
      "insight:\n  sql: | # weekly\n    a\n",
      { sql: { a: { b: "long".repeat(40) }, c: 2 } },
      `insight:\n  sql: # weekly\n    a:\n      b: ${"long".repeat(40)}\n    c: 2\n`,
    ],
    [
      "one element of a list, beside an expression",
      'insight:\n  series:\n    - { event: x } # first\n    - { event: "${var:y}" }\n',
      { series: [{ event: "z" }, { event: "y" }] },
      'insight:\n  series:\n    - { event: z }\n    - { event: "${var:y}" }\n',
    ],
    [
      "a list without one of its elements",
      "insight:\n  series:\n    - event: x # first\n    # second\n    - event: y\n",
      { series: [{ event: "y" }] },
      "insight:\n  series:\n    # second\n    - event: y\n",
    ],
    [
      "a list between brackets on several lines",
      "insight: { tags: [\n    a, # one\n    b # two\n  ] }\n",
      { tags: ["a", "b", "c"] },
      "insight: { tags: [\n    a, # one\n    b, # two\n    c\n  ] }\n",
    ],
    ["a list between brackets", "insight: { tags: [a, b] }\n", { tags: ["b"] }, "insight: { tags: [b] }\n"],
    ["a literal dollar", "insight: { tags: [a, b] }\n", { tags: ["a", "${b}"] }, 'insight: { tags: [a, "$${b}"] }\n'],
  ])("writes %s, and leaves the rest as it is", (_name, text, value, expected) => {
    const keys = Object.keys(value as object);
    const declared = keys.includes("sql")
      ? { sql: "SELECT a\nFROM b\n" }
      : Object.fromEntries(Object.entries(before).filter(([key]) => keys.includes(key)));
    expect(editYaml(text, [{ ...edit(text, "", value), declared }]).text).toBe(expected);
  });

  it("removes a resource with its expressions, and keeps the comments around it", () => {
    const text = 'insights:\n  # first\n  insight: { name: "${var:x}" }\n  # second\n  other: {}\n';
    const removal = { ...edit(text, "", null), value: undefined };
    expect(editYaml(text, [removal]).text).toBe("insights:\n  # first\n  # second\n  other: {}\n");
  });

  it("adds a resource with all that is missing above it", () => {
    const text = "acme:\n  name: Acme # ours\n\n# next\nother: {}\n";
    const added = editAt(1, 1, { path: "/domains/corp", value: { domain: "acme.com" } });
    expect(editYaml(text, [added]).text).toBe(
      "acme:\n  name: Acme # ours\n  domains:\n    corp: { domain: acme.com }\n\n# next\nother: {}\n",
    );
  });

  it("adds resources behind a comment, which stays on its line", () => {
    const text = "acme:\n  insight: { a: { b: 1 }, # x\n    core: { b: 2 } # z\n    }\n";
    const added = { d: { name: "x".repeat(60) }, e: { name: "y".repeat(60) } };
    const { text: result } = editYaml(text, [{ ...edit(text, "", added), add: true }]);
    expect(result).toContain("{ a: { b: 1 }, # x\n    core: { b: 2 }, # z\n");
    expect(parse(result)).toEqual({ acme: { insight: { a: { b: 1 }, core: { b: 2 }, ...added } } });
  });

  it("applies several edits at once", () => {
    const text = "insight:\n  name: a\n  tags: [a] # x\n  order: 1\n";
    const edits = [edit(text, "/order", 2), edit(text, "/name", "b"), edit(text, "/tags", ["c"])];
    expect(editYaml(text, edits).text).toBe("insight:\n  name: b\n  tags: [c] # x\n  order: 2\n");
  });

  it.each([
    [
      "a block",
      "in:\n  insight:\n    a: 1 # x\n    b: 2\n  other: 1\n",
      "in:\n  insight: { c: 3, d: 4 }\n  other: 1\n",
    ],
    ["braces on one line", "in:\n  insight: { a: 1, b: 2 } # x\n", "in:\n  insight: { c: 3, d: 4 } # x\n"],
    ["braces on several lines", "insight: {\n  a: 1,\n  b: 2\n}\n", "insight: { c: 3, d: 4 }\n"],
  ])("replaces all members of %s by edits of their own", (_name, text, expected) => {
    const edits = ["/a", "/b"].map((path): Edit => ({ ...edit(text, path, null), declared: 1, value: undefined }));
    const { text: result, refused } = editYaml(text, [...edits, edit(text, "/c", 3), edit(text, "/d", 4)]);
    expect(refused).toEqual([]);
    expect(parse(result)).toEqual(parse(expected));
  });

  it("adds several members between braces on several lines", () => {
    const text = "insight: {\n  a: 1, # x\n  b: 2 # y\n}\n";
    const { text: result } = editYaml(text, [edit(text, "/c", 3), edit(text, "/d", 4)]);
    expect(result).toBe("insight: {\n  a: 1, # x\n  b: 2, # y\n  c: 3, d: 4\n}\n");
  });

  it.each([
    [
      "in lines, but not the comments",
      "acme:\n  name: A\n  # all of them\n  insights:\n    # first\n    insight: { name: a }\n  # last\n  last: 1 # x\n",
      "acme:\n  name: A\n  # all of them\n    # first\n  # last\n  last: 1 # x\n",
    ],
    ["at the end", "acme:\n  name: A\n  insights:\n    insight:\n      name: a\n", "acme:\n  name: A\n"],
    ["at the beginning", "acme:\n  insights:\n    insight:\n      name: a\n  b: 1\n", "acme:\n  b: 1\n"],
    ["in braces", "acme:\n  insights: { insight: { name: a } }\n  b: 1\n", "acme:\n  b: 1\n"],
    ["between braces", "acme: { a: 1, insights: { insight: { name: a } }, b: 2 }\n", "acme: { a: 1, b: 2 }\n"],
    [
      "unless a comment is about it",
      "acme:\n  insights: { insight: { name: a } } # ours\n  b: 1\n",
      "acme:\n  insights: {} # ours\n  b: 1\n",
    ],
    ["unless there is nothing else", "acme:\n  insights:\n    insight: { a: b }\n", "acme:\n  insights: {}\n"],
  ])("removes a collection with its last resource, %s", (_name, text, expected) => {
    const { text: result, refused } = editYaml(text, [{ ...edit(text, "", null), value: undefined }]);
    expect([result, refused]).toEqual([expected, []]);
  });

  it("keeps a collection that an alias needs, and refuses to empty it", () => {
    const text = "acme:\n  insights: &all\n    insight: { name: a }\n  b: 1\nother: *all\n";
    const { text: result, refused } = editYaml(text, [{ ...edit(text, "", null), value: undefined }]);
    expect([result, refused.length]).toEqual([text, 1]);
  });

  it("removes a collection with its last resources, and changes what is beside it", () => {
    const text = "acme:\n  a: 1\n  insights:\n    insight: { b: 1 }\n    two:\n      b: 2\n  last: 1\n";
    const removal = { ...edit(text, "", null), value: undefined };
    const edits = [removal, { ...removal, at: { ...removal.at, line: 5 } }, editAt(1, 1, { path: "/a", value: 2 })];
    expect(editYaml(text, edits)).toEqual({ text: "acme:\n  a: 2\n  last: 1\n", refused: [] });
    expect(editYaml(text, edits.slice(1)).text).toContain("  insights:\n    insight: { b: 1 }\n  last");
  });

  it("removes all resources of a collection, each by its own edit, and keeps the comments", () => {
    const text =
      "acme:\n  insights: # ours\n    insight: { name: a }\n    # second\n    other:\n      name: b\n  last: 1\n";
    const removal = { ...edit(text, "", null), value: undefined };
    const other = { ...removal, at: { ...removal.at, line: 5 } };
    expect(editYaml(text, [removal, other])).toEqual({
      text: "acme:\n  insights: {} # ours\n    # second\n  last: 1\n",
      refused: [],
    });
  });

  it.each([
    ["an expression in a list", "insight:\n  tags:\n    - a\n    - b ${var:x}\n", "/tags", "4:9"],
    ["an alias", "base: &b [a]\ninsight:\n  tags: *b\n", "/tags/0", "3:9"],
    ["an anchor", "insight:\n  tags: { in: &b [a] }\nother: *b\n", "/tags/in", "2:18"],
    ["a merge key", "base: &b { a: 1 }\ninsight:\n  << : *b\n", "/a", "3:3"],
    ["what is inside a merge key", "base: &b { a: { c: a } }\ninsight:\n  <<: [ *b ]\n", "/a/c", "3:3"],
    ["a field that is not in this file", "insight:\n  name: a\n", "/tags", "1:1"],
  ])("refuses to change %s, with its place", (_name, text, path, place) => {
    const { text: result, refused } = editYaml(text, [
      { ...edit(text, path, "c"), declared: "a", value: path === "/a" ? undefined : "c" },
    ]);
    expect(result).toBe(text);
    expect(refused.map(({ at }) => `${at.line}:${at.column}`)).toEqual([place]);
  });

  it.each([
    ["a scalar", "insight:\n  tags: &x a\n", "insight:\n  tags: &x b\n", "b"],
    ["a list between brackets", "insight: { tags: &x [a] }\n", "insight: { tags: &x [b] }\n", ["b"]],
    ["a list", "insight:\n  tags: &x\n    - a\n", "insight:\n  tags: &x\n    - b\n", ["b"]],
    ["an element", "insight:\n  tags:\n    - &x a\n", "insight:\n  tags:\n    - b\n", ["b"]],
  ])("edits %s with an anchor that no alias names", (_name, text, result, value) => {
    expect(edited(text, "/tags", value)).toBe(result);
  });

  it("gives a resource another key, unless that is declared there already", () => {
    const text = "insight: # why\n  name: a\nother: {}\n";
    const rename = (key: string) => editYaml(text, [{ ...edit(text, "", null), value: undefined, key }]);
    expect(rename("new")).toEqual({ text: text.replace("insight", "new"), refused: [] });
    const { text: result, refused } = rename("other");
    expect([result, refused.map(({ reason }) => reason)]).toEqual([text, [expect.stringContaining("already")]]);
  });

  it("keeps a value on its line if something is added inside of it", () => {
    const line = (more: string) =>
      `insight:\n  query: { kind: InsightVizNode, source: { kind: TrendsQuery, series: [{ event: signed up }]${more} } }\n`;
    const breakdowns = Array.from({ length: 4 }, (_, index) => ({ property: `property ${String(index)}` }));
    const declared = { kind: "InsightVizNode", source: { kind: "TrendsQuery", series: [{ event: "signed up" }] } };
    const value = { ...declared, source: { ...declared.source, breakdownFilter: { breakdowns, limit: 25 } } };
    const { text, refused } = editYaml(line(""), [{ ...edit(line(""), "/query", value), declared }]);
    expect([text.split("\n").length, refused]).toEqual([3, []]);
    expect(parse(text)).toEqual({ insight: { query: value } });
  });

  it("writes any value in any style, and changes nothing else", () => {
    const styles = [
      "a",
      "'a'",
      '"a"',
      "[a, b]",
      "{ a: 1 }",
      "\n    - a\n    - b",
      "\n    a: 1\n    b: [c]",
      "|\n    a\n    b",
      "",
    ];
    // A key << would be parsed as a merge key, so such an edit is refused.
    const values = fc
      .jsonValue({ maxDepth: 3 })
      .map((value) => value as Json)
      // A literal `${` is written with another dollar, which a table above tests.
      .filter((value) => !/"<<"|\$\{/.test(JSON.stringify(value)));
    fc.assert(
      fc.property(fc.constantFrom(...styles), values, (style, value) => {
        const text = `# first\ninsight:\n  order: 1 # one\n  filters: ${style}\n  saved: true # last\n`;
        const result = edited(text, "/filters", value);
        const { insight } = parse(result) as { readonly insight: Readonly<Record<string, unknown>> };
        expect(JSON.stringify(insight["filters"])).toBe(JSON.stringify(value));
        expect(result.startsWith("# first\ninsight:\n  order: 1 # one\n  filters:")).toBe(true);
        expect(result.endsWith("\n  saved: true # last\n")).toBe(true);
      }),
      { numRuns: budget(100) },
    );
  });
});
