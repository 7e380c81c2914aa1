import { describe, expect, it } from "vitest";
import { closing, filesToRepeat, results, type TestFile } from "../../../../scripts/ci/results.ts";
import { linesOfCode } from "../../../../scripts/ci/sizes.ts";

const file = (name: string, ...statuses: readonly string[]): TestFile => ({
  name: `/repository/test/${name}`,
  status: statuses.includes("failed") || statuses.length === 0 ? "failed" : "passed",
  assertionResults: statuses.map((status) => ({ status, fullName: "a test", failureMessages: ["1 is not 2"] })),
});
const names = (files: readonly TestFile[]) => files.map(({ name }) => name);

describe("which failed files are run once more", () => {
  it.each([
    ["a unit test", "unit/diff/align.test.ts", true],
    ["a scenario", "scenario/pin.test.ts", true],
    ["a deep test of the package", "scenario/package.deep.test.ts", true],
    ["a fault", "fault/creates.test.ts", false],
    ["a kill", "fault/kill.test.ts", false],
    ["the model", "model/model.test.ts", false],
    ["the soak", "soak/soak.test.ts", false],
    ["a property", "scenario/properties/order.deep.test.ts", false],
    ["a lock", "unit/files/lock.test.ts", false],
    ["an interleaving", "unit/apply/interleaved.test.ts", false],
    ["Pulumi's engine", "pulumi/engine.deep.test.ts", false],
  ])("%s", (_, name, isRepeated) => {
    const failed = file(name, "passed", "failed");
    expect(filesToRepeat([failed], () => "")).toEqual(isRepeated ? [failed.name] : []);
  });

  it("none that passed, nor one with random values, but one that could not be loaded", () => {
    const files = [file("a.test.ts", "passed"), file("b.test.ts", "failed"), file("c.test.ts")];
    const read = (name: string): string => (name.endsWith("b.test.ts") ? 'import fc from "fast-check";' : "");
    expect(filesToRepeat(files, read)).toEqual(names([file("c.test.ts")]));
  });
});

describe("the counts", () => {
  const first = [
    file("a.test.ts", "passed", "failed"),
    file("b.test.ts", "failed"),
    file("c.test.ts"),
    file("d.test.ts", "passed", "pending"),
  ];

  it("count a repeated file as in its second run, and one that cannot be loaded as a failure", () => {
    const again = [file("a.test.ts", "passed", "passed"), file("b.test.ts", "failed"), file("c.test.ts")];
    const counted = results(first, again);
    expect(counted).toEqual({
      passed: 3,
      failed: 2,
      skipped: 1,
      unstable: ["/repository/test/a.test.ts\n  a test: 1 is not 2"],
    });
    expect(closing([counted, { ...counted, unstable: [] }]).lines.at(-1)).toBe("6 passed, 4 failed, 2 skipped");
  });

  it.each([
    [0, true, "1 passed, 0 failed"],
    [3, true, "4 passed, 0 failed"],
    [4, false, "5 passed, 1 failed"],
  ])("with %i unstable files", (count, isPassed, last) => {
    const unstable = Array.from({ length: count }, (_, index) => `u${String(index)}.test.ts`);
    const counted = results(
      [file("z.test.ts", "passed"), ...unstable.map((name) => file(name, "failed"))],
      unstable.map((name) => file(name, "passed")),
    );
    const { lines, ...ended } = closing([counted]);
    expect([ended, lines.at(-1)]).toEqual([{ isPassed }, last]);
    for (const name of unstable) expect(lines.join("\n")).toContain(name);
  });
});

it("lines of code are those without blanks, comments and imports", () => {
  const text = `/** What it is. */
import { a } from "a";
import {
  b,
} from "b";

/*
 * A premise.
 */
export const c = a; // Why.
  // Another line.
  /** More. */
  b(c);
`;
  expect(linesOfCode(text)).toBe(2);
});
