import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { editAt } from "../edit-at.ts";
import type { Edit } from "../../../../src/edit/edit.ts";
import { editYaml } from "../../../../src/edit/yaml/edit-yaml.ts";
import { exportConfiguration } from "../../../../src/export/export.ts";
import type { JsonObject } from "../../../../src/model/json/json.ts";
import { acme, live } from "../../export/helpers.ts";

/** Adds members below the key `at` of the text. */
function addition(text: string, at: string, path: string, value: JsonObject, first = false): Edit {
  const before = text.slice(0, text.indexOf(`${at}:`)).split("\n");
  return editAt(before.length, (before.at(-1) ?? "").length + 1, { path, value, first, add: true });
}

describe("editYaml adds members", () => {
  it("in the form of an export", () => {
    const values = {
      description: "D",
      tags: ["a", "b"],
      query: { source: { dateRange: { from: "-30d", to: "0d" }, series: [{ event: "e", math: "dau" }] } },
    };
    const exported = (...names: readonly string[]): string => {
      const resources = names.map((name) => live("insight", name, { name, ...values }));
      const organization = acme({}, [{ id: "2", name: "Web", lists: { insight: resources } }]);
      return exportConfiguration([organization], { ids: false })
        .files.map(({ text }) => text)
        .join("");
    };
    const text = exported("a");
    const added = { b: { name: "b", ...values } };
    expect(editYaml(text, [addition(text, "web", "/insights", added)]).text).toBe(exported("a", "b"));
  });

  it.each([
    [
      "to those that are there",
      "web:\n  insights:\n    a: 1 # x\n",
      "web:\n  insights:\n    a: 1 # x\n    b: 2\n    c: 3\n",
    ],
    ["in braces", "web: { insights: { a: 1 } }\n", "web: { insights: { a: 1, b: 2, c: 3 } }\n"],
    ["to an empty mapping", "web:\n  insights: {} # none\n", "web:\n  insights: { b: 2, c: 3 } # none\n"],
    [
      "to an empty mapping with a comment in it",
      "web:\n  insights: {\n    # none yet\n  }\n  id: 1\n",
      "web:\n  insights:\n    # none yet\n    b: 2\n    c: 3\n  id: 1\n",
    ],
    ["to a key without a value", "web:\n  insights:\n  id: 1\n", "web:\n  insights: { b: 2, c: 3 }\n  id: 1\n"],
    ["to a mapping that is missing", "web:\n  id: 1\n", "web:\n  id: 1\n  insights:\n    b: 2\n    c: 3\n"],
    [
      "behind a last line without an end",
      "web:\n  insights:\n    a: 1",
      "web:\n  insights:\n    a: 1\n    b: 2\n    c: 3",
    ],
    ["beside a merge key", "web:\n  insights:\n    <<: {}\n", "web:\n  insights:\n    <<: {}\n    b: 2\n    c: 3\n"],
  ])("%s", (_name, text, wanted) => {
    expect(editYaml(text, [addition(text, "web", "/insights", { b: 2, c: 3 })])).toEqual({ text: wanted, refused: [] });
  });

  it.each(["a \n", "a\u00A0\nb\u00A0\n", "a\nb\n\n", "\u2003a\n\n\n", "a\n\n\n\u00A0"])(
    "as texts that end in blanks or empty lines: %j",
    (text) => {
      const whole = "web:\n  insights:\n    - a\n  id: 1\n";
      const added = editYaml(whole, [addition(whole, "web", "", { b: text, c: { d: text }, e: [[text]] })]);
      expect(added.refused).toEqual([]);
      expect(parse(added.text)).toEqual({ web: { insights: ["a"], id: 1, b: text, c: { d: text }, e: [[text]] } });
    },
  );

  it("to nested mappings that end at one place, the innermost first", () => {
    const text = "acme:\n  projects:\n    web:\n      insights:\n        a: 1\n";
    const edits = [
      addition(text, "acme", "/domains", { d: 1 }),
      addition(text, "acme", "/projects", { mobile: { id: 2 } }),
      addition(text, "web", "/exports", { e: 1 }),
      addition(text, "web", "/insights", { b: 2 }),
    ];
    expect(editYaml(text, edits)).toEqual({
      text: `${text}        b: 2\n      exports: { e: 1 }\n    mobile: { id: 2 }\n  domains: { d: 1 }\n`,
      refused: [],
    });
  });

  it("with the comments above them", () => {
    const value = { a: 1 };
    const text = "web:\n  id: 1\n";
    const added = { ...addition(text, "web", "/insights", { b: value }), comments: new Map([[value, "a secret"]]) };
    expect(editYaml(text, [added]).text).toBe(`${text}  insights:\n    b:\n      # a secret\n      a: 1\n`);
  });

  it("with the page of an object beside its id, or above it between brackets", () => {
    const value = { id: 1, name: "b" };
    const [page, both] = ["https://a.example/project/2/insights/Ab_1", { a: { id: 2 }, b: value }];
    const comments = new Map([[value, page]]);
    const edited = (text: string): string =>
      editYaml(text, [{ ...addition(text, "web", "/insights", both), comments }]).text;
    expect(edited("web:\n  id: 1\n")).toContain(`    b:\n      id: 1 # ${page}\n      name: b\n`);
    expect(edited("web: { id: 1 }\n")).toMatch(/\{\s+# https:.*Ab_1\n\s+id: 1,/u);
  });

  it.each([
    ["web:\n  name: A\n", "web:\n  id: 1 # https://a.example/1\n  name: A\n"],
    ["web: { name: A }\n", "web: { id: 1, name: A }\n"],
  ])("with the page beside an id alone, where there is a line for it: %j", (text, wanted) => {
    const value = { id: 1 };
    const comments = new Map([[value, "https://a.example/1"]]);
    expect(editYaml(text, [{ ...addition(text, "web", "", value, true), comments }]).text).toBe(wanted);
  });

  it.each([
    ["an alias", "x: &x { a: 1 }\nweb:\n  insights: *x\n"],
    ["what others refer to", "web:\n  insights: &x\n    a: 1\ny: *x\n"],
    ["a text", "web:\n  insights: text\n"],
    ["a mapping that has one of them", "web:\n  insights:\n    b: 1\n"],
  ])("never to %s", (_name, text) => {
    const edits = [addition(text, "web", "/insights", { b: 2 })];
    expect(editYaml(text, edits)).toMatchObject({ text, refused: [{ edit: edits[0], reason: expect.any(String) }] });
  });
});

describe("editYaml in a long line", () => {
  it.each([
    ["behind members on one line", "x: 1\nacme: { all: { insight: { in: { one: { a: 1 } } } } } # ours\n"],
    ["as a new member", "x: 1\nacme: { all: { insight: { name: A } } }\n"],
    ["into empty braces between braces", "acme:\n  all:\n    insight: { name: A, in: {} } # ours\n"],
    ["into empty braces in a block", "acme:\n  insight:\n    in: {} # none yet\n    name: A\n"],
    [
      "behind members on lines of their own",
      "acme: {\n  insight: {\n    in: {\n      one: { a: 1 } # a\n    }\n  }\n}\n",
    ],
  ])("adds resources %s without a long line, and only adds", (_name, text) => {
    const query = { kind: "TrendsQuery", interval: "week", series: [{ event: "a".repeat(60) }, { event: "b" }] };
    const value = { churn: { id: 7, name: "Churn, by week", query }, other: { id: 8 } };
    const comments = new Map([[query, "as it was"]]);
    const { text: result, refused } = editYaml(text, [{ ...addition(text, "insight", "/in", value), comments }]);
    expect(refused).toEqual([]);
    expect(Math.max(...result.split("\n").map((line) => line.length))).toBeLessThanOrEqual(100);
    for (const word of text.match(/[^\s{}]+/g) ?? []) expect(result).toContain(word.replace(/,$/, ""));
    expect(result).toContain("# as it was\n");
    expect(result).toMatchSnapshot();
  });
});
