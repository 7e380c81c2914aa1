import { describe, expect, it } from "vitest";
import { suggestValue } from "../../../../src/model/text/suggest.ts";

const LEVELS = ["member", "admin", "owner"];

describe("the suggested value", () => {
  it.each([
    ["a misspelt word", "owners", "owner"],
    ["a longer word", "administrator", "admin"],
    ["a longer word in other letters", " Administrator ", "admin"],
    ["an abbreviation", "mem", "member"],
    ["a word that no value begins", "editor", undefined],
    ["a single letter", "m", undefined],
    ["an empty text", "", undefined],
  ])("for %s", (_what, text, value) => {
    expect(suggestValue(text, LEVELS)).toBe(value);
  });

  it("is none if two values begin alike", () => {
    expect(suggestValue("inter", ["interval", "internal"])).toBeUndefined();
    expect(suggestValue("day of the week", ["day", "day of"])).toBeUndefined();
  });
});
