import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffLines, diffWords, startWork, type Hunk, type TextPart } from "../../../../src/report/diff/text-diff.ts";
import { budget } from "../../../support/budget.ts";

const RUNS = { numRuns: budget(2000) };
const text = fc.array(fc.constantFrom("a", "b", "c d", "", "\r"), { maxLength: 30 }).map((lines) => lines.join("\n"));

/** The text after the hunks, or before them. */
function side(
  other: "-" | "+",
  start: "priorStart" | "plannedStart",
  hunks: readonly Hunk[],
  original: string,
): string {
  const lines = original.split("\n");
  for (const hunk of hunks) {
    const own = hunk.lines.filter(({ sign }) => sign !== other).map((line) => line.text);
    expect(lines.slice(hunk[start] - 1, hunk[start] - 1 + own.length)).toEqual(own);
  }
  return original;
}

describe("the difference of two texts", () => {
  it("has every line that differs, at its number, with at most three lines around it", () => {
    const property = fc.property(text, text, (prior, planned) => {
      const hunks = diffLines(prior, planned, startWork());
      side("+", "priorStart", hunks, prior);
      side("-", "plannedStart", hunks, planned);
      const changed = (sign: string): number =>
        hunks.flatMap(({ lines }) => lines).filter((line) => line.sign === sign).length;
      expect(changed("+") - changed("-")).toBe(planned.split("\n").length - prior.split("\n").length);
      expect(hunks.length === 0).toBe(prior === planned);
      // What is not in a hunk is in both texts.
      const outside = (start: "priorStart" | "plannedStart", other: string, whole: string): string =>
        hunks
          .toReversed()
          .reduce<string[]>((lines, hunk) => {
            const own = hunk.lines.filter(({ sign }) => sign !== other).length;
            return lines.toSpliced(hunk[start] - 1, own);
          }, whole.split("\n"))
          .join("\n");
      expect(outside("priorStart", "+", prior)).toBe(outside("plannedStart", "-", planned));
    });
    fc.assert(property, RUNS);
  });

  it("shows edits that lie apart as hunks of their own", () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
    const planned = lines.with(3, "x").with(15, "y").with(28, "z").join("\n");
    const hunks = diffLines(lines.join("\n"), planned, startWork());
    expect(hunks.map(({ priorStart, lines: { length } }) => [priorStart, length])).toEqual([
      [1, 8],
      [13, 8],
      [26, 6],
    ]);
  });

  it("marks the words that differ, and loses no character", () => {
    const property = fc.property(fc.string(), fc.string(), (prior, planned) => {
      const [left, right] = diffWords(prior, planned, startWork());
      const joined = (parts: readonly TextPart[]): string => parts.map((part) => part.text).join("");
      expect([joined(left), joined(right)]).toEqual([prior, planned]);
    });
    fc.assert(property, RUNS);
  });

  it("shows texts with too many edits as a whole", () => {
    const words = (start: number): string => Array.from({ length: 3_000 }, (_, index) => `w${start + index}`).join(" ");
    expect(diffWords(words(0), words(5_000), startWork())[0]).toEqual([{ text: words(0), differs: true }]);
  });
});

describe("the work for one report", () => {
  const numbers = (count: number, step: number): string =>
    Array.from({ length: count }, (_, index) => index * step).join(" ");

  it("is spent by each comparison, and then no words are marked any more", () => {
    const work = startWork();
    const isMarked = Array.from({ length: 100 }, () => diffWords(numbers(300, 1), numbers(300, 3), work)[0].length > 1);
    expect(isMarked.lastIndexOf(true)).toBeLessThan(10);
    expect(isMarked.indexOf(true)).toBe(0);
    expect(work.left).toBeGreaterThanOrEqual(0);
  });

  it("is not spent on equal texts", () => {
    const work = startWork();
    diffLines(numbers(600, 1), numbers(600, 1), work);
    diffWords(numbers(600, 1), numbers(600, 1), work);
    expect(work).toEqual(startWork());
  });

  it("is half spent by a comparison that is given up", () => {
    const work = startWork();
    expect(diffWords(numbers(5_000, 1), numbers(5_000, 7), work)[0].length).toBe(1);
    expect(work.left).toBeCloseTo(startWork().left / 2, -4);
  });

  it("of which nothing is left leaves whole lines", () => {
    expect(diffLines("a\nb", "a\nc", { left: 0 }).flatMap(({ lines }) => lines.map(({ sign }) => sign))).toEqual([
      ..."--++",
    ]);
    expect(diffWords("a b", "a c", { left: 0 })[0]).toEqual([{ text: "a b", differs: true }]);
  });
});
