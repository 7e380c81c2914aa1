/** The comments of an element of a list go where it goes, and go with it. No other element gets them. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editAt } from "../edit-at.ts";
import { parse } from "yaml";
import { editYaml, type Edited } from "../../../../src/edit/yaml/edit-yaml.ts";
import type { Json } from "../../../../src/model/json/json.ts";
import { budget } from "../../../support/budget.ts";
import { editedLists, type Element } from "../../../support/edited-lists.ts";

function edited(text: string, value: Json): Edited {
  const { insight } = parse(text) as { readonly insight: { readonly list: Json } };
  return editYaml(text, [editAt(1, 1, { path: "/list", declared: insight.list, value })]);
}

describe("a moved element", () => {
  it.each<[string, string, Json, string]>([
    [
      "takes along the comment behind it",
      "insight:\n  list:\n    - DE # Germany\n    - FR # France\n    - IT\n",
      ["FR", "IT", "DE"],
      "insight:\n  list:\n    - FR # France\n    - IT\n    - DE # Germany\n",
    ],
    [
      "takes along the comments above it, at the end of a file without a line end",
      "insight:\n  list:\n    # the first\n    # of two\n    - a\n    # the second\n    - b",
      ["b", "a"],
      "insight:\n  list:\n    # the second\n    - b\n    # the first\n    # of two\n    - a",
    ],
    [
      "is changed, and so are those around it",
      "insight:\n  list:\n    - event: a # A\n      properties: [x]\n    - event: b # B\n      math: dau # daily\n    # gone\n    - event: c # C\n  name: n\n",
      [{ event: "b" }, { event: "new", deep: { x: 1 } }, { event: "a", properties: ["z"], math: "sum" }],
      "insight:\n  list:\n    - event: b # B\n    - event: new\n      deep: { x: 1 }\n    - event: a # A\n      properties: [z]\n      math: sum\n  name: n\n",
    ],
    [
      "leaves no blank lines behind",
      "insight:\n  list:\n    - a\n\n    - b\n\n    - c\n  name: n\n",
      ["c", "a"],
      "insight:\n  list:\n    - c\n    - a\n  name: n\n",
    ],
    [
      "keeps its spelling between brackets",
      "insight: { list: ['a', b,  c] }\n",
      ["c", "a", "d", "b"],
      "insight: { list: [c, 'a', d, b] }\n",
    ],
    [
      "leaves a comment about the whole list",
      "insight:\n  list: [ # of the EU\n    a,\n    b\n  ]\n",
      ["b", "a"],
      "insight:\n  list: [ # of the EU\n    b,\n    a\n  ]\n",
    ],
    [
      "keeps the line ends of the file",
      "insight:\r\n  list:\r\n    - a # A\r\n    - b\r\n",
      ["b", "new", "a"],
      "insight:\r\n  list:\r\n    - b\r\n    - new\r\n    - a # A\r\n",
    ],
  ])("%s", (_name, text, value, expected) => {
    expect(edited(text, value)).toEqual({ text: expected, refused: [] });
  });

  it.each<[string, string, Json]>([
    ["between brackets with comments", "insight:\n  list: [\n    a, # A\n    b\n  ]\n", ["b", "a"]],
    ["between brackets with a comment at the end", "insight:\n  list: [\n    a,\n    b # B\n  ]\n", ["b", "a"]],
    [
      "between brackets with a comment above the first",
      "insight:\n  list: [\n    # A\n    a,\n    b\n  ]\n",
      ["b", "a"],
    ],
    ["on the line of an outer list", "insight:\n  list:\n    - - a\n      - b\n", [["b", "a"]]],
  ])("is refused %s", (_name, text, value) => {
    const result = edited(text, value);
    expect(result.text).toBe(text);
    expect(result.refused.length).toBe(1);
  });

  it("keeps its comments after any edits, and no other element gets them", () => {
    const lines = ({ subject, properties }: Element): string =>
      `    # above ${subject}\n    - event: ${subject} # behind ${subject}\n      properties: [${properties.join(", ")}]\n`;
    const property = fc.property(editedLists, ({ before, after }) => {
      fc.pre(new Set(after.map(({ subject }) => subject)).size === after.length && after.length > 0);
      const text = `insight:\n  list:\n${before.map(lines).join("")}  name: n # last\n`;
      const value = after.map(({ subject, properties }) => ({ event: subject, properties }));
      const result = edited(text, value);
      const stays = after.filter(({ owned }) => owned).map(({ subject }) => subject);
      // The only comment of a list may be about all of it.
      if (before.length === 1 && stays.length === 0) {
        expect(result).toMatchObject({ text, refused: [{}] });
        return;
      }
      expect(result.refused).toEqual([]);
      expect(parse(result.text)).toEqual({ insight: { list: value, name: "n" } });
      const pieces = result.text.match(/^ *# above .*\n.* # behind .*\n/gm) ?? [];
      expect(pieces).toEqual(stays.map((one) => `    # above ${one}\n    - event: ${one} # behind ${one}\n`));
      expect(result.text.match(/#/g)).toHaveLength(2 * stays.length + 1);
    });
    fc.assert(property, { numRuns: budget(1000) });
  });
});

describe("an element that is replaced by another one", () => {
  it.each<[string, string, Json, string]>([
    [
      "takes the comment behind it along",
      "insight:\n  list:\n    - DE # Germany\n    - FR # France",
      ["IT", "FR"],
      "insight:\n  list:\n    - IT\n    - FR # France",
    ],
    [
      "takes the comments above it and in it along",
      "insight:\n  list:\n    # A\n    - event: a # Name of A\n      # daily\n      math: dau\n      # of A\n    # B\n    - event: b\n",
      [{ event: "c" }, { event: "b" }],
      "insight:\n  list:\n    - event: c\n    # B\n    - event: b\n",
    ],
    [
      "takes its comment along between brackets",
      "insight:\n  list: [\n    DE, # Germany\n    'FR' # France\n  ]\n",
      ["DE", "IT"],
      "insight:\n  list: [\n    DE, # Germany\n    'IT'\n  ]\n",
    ],
    [
      "leaves a comment that stands apart",
      "insight:\n  list:\n    # of the EU\n\n    - DE # Germany\n",
      ["IT"],
      "insight:\n  list:\n    # of the EU\n\n    - IT\n",
    ],
    [
      "keeps its place on the line of an outer list",
      "insight:\n  list:\n    - - DE # Germany\n      - FR # France\n",
      [["IT", "FR"]],
      "insight:\n  list:\n    - - IT\n      - FR # France\n",
    ],
  ])("%s", (_name, text, value, expected) => {
    expect(edited(text, value)).toEqual({ text: expected, refused: [] });
  });

  it.each<[string, string, Json]>([
    ["a comment of its own line is between the brackets", "insight:\n  list: [\n    # the EU\n    DE\n  ]\n", ["IT"]],
    [
      "the only comment is above the first element",
      "insight:\n  list:\n    # the EU\n    - DE\n    - FR\n",
      ["IT", "FR"],
    ],
    ["an expression makes it", 'insight:\n  list:\n    - DE\n    - "${var:x}"\n', ["DE", "IT"]],
    ["others refer to it", "insight:\n  list:\n    - DE\n    - &fr FR\n  other: *fr\n", ["DE", "IT"]],
  ])("is refused if %s", (_name, text, value) => {
    const result = edited(text, value);
    expect(result.text).toBe(text);
    expect(result.refused.length).toBe(1);
  });
});

describe("an element that is removed", () => {
  it("takes its comments along", () => {
    const text = "insight:\n  list:\n    # Germany\n    - DE # D\n    # France\n    - FR\n";
    expect(edited(text, ["FR"]).text).toBe("insight:\n  list:\n    # France\n    - FR\n");
  });

  it("takes its comments along on the line of an outer list", () => {
    const text =
      "insight:\n  list:\n    - - event: a\n        # of A\n        math: dau\n      - event: b # B\n      - event: c\n";
    const after = "insight:\n  list:\n    - - event: b # B\n      - event: c\n";
    expect(edited(text, [[{ event: "b" }, { event: "c" }]])).toEqual({ text: after, refused: [] });
  });

  it.each<[string, string, Json]>([
    ["between brackets", "insight:\n  list: [\n    # Germany\n    DE,\n    FR\n  ]\n", ["FR"]],
    ["above the first element alone", "insight:\n  list:\n    # the EU\n    - DE\n    - FR\n", ["FR"]],
  ])("is refused if its comment would come to another one, %s", (_name, text, value) => {
    const result = edited(text, value);
    expect(result.text).toBe(text);
    expect(result.refused.length).toBe(1);
  });
});

describe("a new element", () => {
  it.each<[string, string, string]>([
    [
      "in lines",
      "insight:\n  list:\n    # Germany\n    - DE\n",
      "insight:\n  list:\n    - IT\n    # Germany\n    - DE\n",
    ],
    [
      "between brackets",
      "insight:\n  list: [\n    # Germany\n    DE\n  ]\n",
      "insight:\n  list: [\n    IT,\n    # Germany\n    DE\n  ]\n",
    ],
  ])("comes before the comments above the first one, %s", (_name, text, expected) => {
    expect(edited(text, ["IT", "DE"])).toEqual({ text: expected, refused: [] });
  });

  it("between brackets gets no comment of another one after any edits", () => {
    const property = fc.property(editedLists, ({ before, after }) => {
      const list = before.map(({ subject }) => `    ${subject}, # behind ${subject}\n`).join("");
      const text = `insight:\n  list: [\n${list}  ]\n`;
      const value = after.map(({ subject }) => subject);
      fc.pre(new Set(value).size === value.length && value.length > 0);
      const result = edited(text, value);
      if (result.refused.length > 0) {
        expect(result.text).toBe(text);
        return;
      }
      expect(parse(result.text)).toEqual({ insight: { list: value } });
      const stays = value.filter((one) => before.some(({ subject }) => subject === one));
      const comments = result.text.match(/\w+,? # behind .*/g) ?? [];
      expect(comments.map((one) => one.replace(",", ""))).toEqual(stays.map((one) => `${one} # behind ${one}`));
    });
    fc.assert(property, { numRuns: budget(1000) });
  });
});
