import fc from "fast-check";
import { expect, it } from "vitest";
import { commandLine, completeCommands, suggestedCommand } from "../../../src/model/messages.ts";

const word = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom("'", "`", " ", "\n", "$", '"', "\\", "a", "-") }));

it("finds every command in a text, regardless of its words", () => {
  fc.assert(
    fc.property(fc.array(word, { minLength: 1 }), fc.array(word, { minLength: 1 }), (first, second) => {
      const found: (readonly string[])[] = [];
      const text = `Run ${suggestedCommand(...first)}, then ${suggestedCommand(...second)}.`;
      const same = completeCommands(text, (words) => {
        found.push(words);
        return words;
      });
      expect([same, found]).toEqual([text, [first, second]]);
    }),
  );
});

it("adds words with quotes", () => {
  const hint = `Run ${suggestedCommand("plan")} again.`;
  expect(completeCommands(hint, (words) => [...words, "it's", "--prune"])).toBe(
    String.raw`Run ${"`"}driftline plan 'it'\''s' --prune${"`"} again.`,
  );
});

it.each(["Declare the `query` instead.", "`pulumi up`", "run: driftline plan", "`driftline`"])(
  "leaves other text alone: %s",
  (text) => {
    expect(completeCommands(text, () => ["changed"])).toBe(text);
  },
);

it("quotes only what a shell would take apart", () => {
  expect(commandLine("driftline", "plan", "a/b.yaml", "--var", "x=1", "a b", "")).toBe(
    "driftline plan a/b.yaml --var x=1 'a b' ''",
  );
});
