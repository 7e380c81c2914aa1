import { expect, it } from "vitest";
import { describeMatrix, leftOut, PARTS } from "./matrix/matrix.ts";

describeMatrix(PARTS[0] ?? []);

it("no kind is left out of the matrix", () => {
  expect(leftOut()).toEqual([]);
});
