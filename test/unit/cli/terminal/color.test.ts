import { expect, it } from "vitest";
import { hasColor } from "../../../../src/cli/terminal/color.ts";

it.each([
  ["a terminal", {}, true, true],
  ["no terminal", {}, false, false],
  ["a terminal without colours", { TERM: "dumb" }, true, false],
  ["NO_COLOR on a terminal", { NO_COLOR: "1" }, true, false],
  ["an empty NO_COLOR", { NO_COLOR: "" }, true, true],
  ["FORCE_COLOR without a terminal", { FORCE_COLOR: "1" }, false, true],
  ["FORCE_COLOR of any value", { FORCE_COLOR: "0" }, false, true],
  ["an empty FORCE_COLOR", { FORCE_COLOR: "" }, false, false],
  ["FORCE_COLOR on a terminal without colours", { FORCE_COLOR: "1", TERM: "dumb" }, true, true],
  ["NO_COLOR wins over FORCE_COLOR", { NO_COLOR: "1", FORCE_COLOR: "1" }, true, false],
])("colours: %s", (_name, env, isTTY, expected) => {
  expect(hasColor(env, { isTTY })).toBe(expected);
});
