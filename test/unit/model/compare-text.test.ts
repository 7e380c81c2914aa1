import { describe, expect, it } from "vitest";
import { compareNaturally } from "../../../src/model/compare-text.ts";

describe("names and addresses are compared as people sort them", () => {
  it.each([
    ["numbers by their size", ["acme/insights/i2", "acme/insights/i10"]],
    ["letters of any case beside each other", ["alpha", "Beta", "gamma"]],
    ["texts that only look equal have an order", ["i07", "i7"]],
  ])("%s", (_name, sorted) => {
    expect(sorted.toReversed().toSorted(compareNaturally)).toEqual(sorted);
  });

  it("what is below an address stays together, whatever stands beside it", () => {
    const sorted = ["A/b/y", "a/b/x", "a/b/z", "a/b/10", "a/b", "a-c/b", "a/b/9"].toSorted(compareNaturally);
    expect(sorted.filter((one) => one.startsWith("a/"))).toEqual(["a/b", "a/b/9", "a/b/10", "a/b/x", "a/b/z"]);
    const first = sorted.findIndex((one) => one.startsWith("a/"));
    expect(sorted.slice(first, first + 5).every((one) => one.startsWith("a/"))).toBe(true);
  });

  it("no two different texts are equal", () => {
    const texts = ["i7", "i07", "I7", "a", "\u0430", "caf\u00e9", "cafe\u0301", "a\u00ad"];
    for (const one of texts) for (const other of texts) expect(compareNaturally(one, other) === 0).toBe(one === other);
  });
});
