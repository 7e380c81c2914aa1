import { describe, expect, it } from "vitest";
import { wrapLine } from "../../../src/report/wrap.ts";

const COMMAND = "driftline apply --plan 'my plan.json' --approve sha256:0123456789abcdef0123456789abcdef";

describe("wrapLine", () => {
  it.each([
    ["a short line", "error usage: no", "error usage: no"],
    [
      "words",
      "the service does not accept this key, so nothing was read",
      "the service does not accept this key, so\n    nothing was read",
    ],
    [
      "a long path",
      "x some/folder/with/a/very/long/path/to/a/file.yaml:12:3 is wrong",
      "x\n    some/folder/with/a/very/long/path/to/a/file.yaml:12:3\n    is wrong",
    ],
    [
      "a command in backticks",
      "Run `driftline import --all --yes` in the folder now",
      "Run `driftline import --all --yes` in\n    the folder now",
    ],
    [
      "a command at the end",
      `Saved. To apply exactly this: ${COMMAND}`,
      `Saved. To apply exactly this:\n    ${COMMAND}`,
    ],
    [
      "options at the end",
      "To delete it, add: --confirm-organization 'Acme International Inc'",
      "To delete it, add:\n    --confirm-organization 'Acme International Inc'",
    ],
    [
      "text in quotes",
      'expected a mapping, found string "Signups per week and country"',
      'expected a mapping, found string\n    "Signups per week and country"',
    ],
    [
      "an apostrophe, which is no quote",
      "the user's key isn't accepted by the organization's owner's proxy",
      "the user's key isn't accepted by the\n    organization's owner's proxy",
    ],
    [
      "an indented line",
      "  hint: Write a space after the colon in that line",
      "  hint: Write a space after the colon in\n    that line",
    ],
  ])("breaks %s", (_, line, expected) => {
    expect(wrapLine(line, 40, 4)).toBe(expected);
  });

  it("does not count colours", () => {
    const red = `\u001B[31merror\u001B[39m usage: ${"a".repeat(27)}`;
    expect(wrapLine(red, 40, 4)).toBe(red);
  });
});
