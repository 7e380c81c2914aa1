import * as fc from "fast-check";
import { expect, test } from "vitest";
import { padText, textWidth } from "../../../src/report/width.ts";
import { breakText, wrapLines, wrapList, wrapWords } from "../../../src/report/wrap.ts";
import { budget } from "../../support/budget.ts";

const lines = (text: string, width: number): readonly string[] =>
  breakText(text, width).map(({ start, end }) => text.slice(start, end));

test.each([
  ["ASCII", "abc", 3],
  ["wide characters", "日本", 4],
  ["an emoji of several characters", "👩🏽‍💻", 2],
  ["an accent", "e\u0301", 1],
])("the width of %s", (_name, text, expected) => {
  expect(textWidth(text)).toBe(expected);
  expect(padText(text, 6)).toBe(text + " ".repeat(6 - expected));
});

test.each([
  ["between words", "one two three", 7, ["one two", "three"]],
  ["in a word that is longer than a line", "averyverylongword x", 9, ["averyvery", "longword", "x"]],
  ["not at several spaces", "a b  c d", 5, ["a", "b  c", "d"]],
  ["after a wide character", "日本語日本語 日本", 9, ["日本語日", "本語 日本"]],
  ["nothing", "", 9, [""]],
])("a text is broken: %s", (_name, text, width, expected) => {
  expect(lines(text, width)).toEqual(expected);
});

test("breaking a text loses only single spaces between words, and no line is too wide", () => {
  const text = fc.oneof(
    fc.string({ unit: fc.constantFrom("a", "b", " ", "日", "é", "👩🏽‍💻", "-"), maxLength: 60 }),
    fc.string({ unit: "grapheme", maxLength: 40 }),
  );
  const property = fc.property(text, fc.integer({ min: 4, max: 20 }), (original, width) => {
    const spans = breakText(original, width);
    let end = 0;
    spans.forEach((span, index) => {
      const gap = original.slice(end, span.start);
      expect(["", ...(index === 0 ? [] : [" "])]).toContain(gap);
      if (gap === " ") expect(original.slice(end - 1, span.start + 1)).toMatch(/^\S \S/u);
      end = span.end;
    });
    expect(end).toBe(original.length);
    for (const line of lines(original, width)) expect(textWidth(line)).toBeLessThanOrEqual(width);
  });
  fc.assert(property, { numRuns: budget(2000) });
});

test("the rest of a wrapped text hangs", () => {
  expect(wrapLines("one two three", 8, "  ")).toEqual(["one", "  two", "  three"]);
  expect(wrapLines("one two", 8, "  ")).toEqual(["one two"]);
});

test("lines of words break between them, by columns, and long words stay whole", () => {
  expect(wrapWords("one two three averyverylongword x", 9)).toEqual(["one two", "three", "averyverylongword", "x"]);
  expect(wrapWords("日本 日本 日本", 9)).toEqual(["日本 日本", "日本"]);
});

test("a list is broken between its texts only", () => {
  expect(wrapList(["aa", "bb", "a long one", "c"], 8)).toEqual(["aa, bb,", "a long one,", "c"]);
});
