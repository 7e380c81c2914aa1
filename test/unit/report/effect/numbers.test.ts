import fc from "fast-check";
import { expect, test } from "vitest";
import {
  compactNumber,
  exactNumber,
  percentText,
  readableNumber,
  shareText,
} from "../../../../src/report/effect/numbers.ts";
import { budget } from "../../../support/budget.ts";

test.each([
  [0, "0", "0", "0"],
  [-0, "0", "0", "0"],
  [1234, "1,234", "1,234", "1.234K"],
  [-1_234_567, "-1,234,567", "-1,234,567", "-1.235M"],
  [0.1 + 0.2, "0.3", "0.3", "0.3"],
  [41.666_666_666_666_664, "41.6666666666667", "41.6667", "41.67"],
  [12_345.678_9, "12,345.6789", "12,345.68", "12.35K"],
  [3.4e-7, "3.4e-7", "3.4e-7", "3.4e-7"],
  [4.2e15, "4,200,000,000,000,000", "4,200,000,000,000,000", "4.2e15"],
  [1e21, "1e21", "1e21", "1e21"],
  [Number.MAX_SAFE_INTEGER, "9,007,199,254,740,991", "9,007,199,254,740,991", "9.007e15"],
])("%d exactly, to read, and on an axis", (value, ...texts) => {
  expect([exactNumber(value), readableNumber(value), compactNumber(value)]).toEqual(texts);
});

test.each([
  [0, "0%"],
  [12.345, "+12.3%"],
  [-4, "-4%"],
  [99.96, "+100%"],
  [0.0234, "+0.023%"],
  [-0.999, "-1%"],
  [1234.5, "+1,235%"],
  [1e-9, "+1e-9%"],
])("%d percent", (percent, text) => {
  expect(percentText(percent)).toBe(text);
});

test("a part of a whole", () => {
  expect([shareText(1, 3), shareText(410, 12_400), shareText(5, 5)]).toEqual(["33.3%", "3.31%", "100%"]);
});

test("the exact text of a number is that number, with 15 digits", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const read = Number(exactNumber(value).replaceAll(",", ""));
      expect(Math.abs(read - value)).toBeLessThanOrEqual(Math.abs(value) * 1e-14);
    }),
    { numRuns: budget(1000) },
  );
});
