import { describe, expect, it } from "vitest";
import { schemas } from "../../../../src/generated/schemas.ts";
import { nearWord, ruleOf } from "../../../../src/model/text/pattern-words.ts";

const INTERVAL = "^(hour|day|week|every [0-9]+ minutes)$";

describe("the word of a pattern that was meant", () => {
  it.each([
    ["dayly", "day"],
    ["Hourly", "hour"],
    ["wekk", "week"],
    ["every 15 minute", "every 15 minutes"],
    ["monthly", undefined],
    ["every minute", undefined],
  ])("%s: %s", (text, expected) => expect(nearWord(text, INTERVAL)).toBe(expected));

  it("reads either case of a letter, and knows nothing of other patterns", () => {
    expect(nearWord("treu", "^([Tt]rue|[Ff]alse)$")).toBe("true");
    expect(nearWord("12a", "^[0-9]+$")).toBeUndefined();
    expect(nearWord("acme", "^([a-z0-9]+(-[a-z0-9]+)*\\.)+[a-z]{2,}$")).toBeUndefined();
  });
});

describe("the rule of a pattern in words", () => {
  const patterns = new Set(
    [...JSON.stringify(schemas).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(
      ([, text = ""]) => JSON.parse(text) as string,
    ),
  );

  it.each([...patterns])("is known: %s", (pattern) => expect(ruleOf(pattern)).toMatch(/^[A-Za-z][\w ,.]+$/));
});
