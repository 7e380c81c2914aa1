import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { command, commandLine, withCommand, withoutCommand } from "../../../src/model/command.ts";

const word = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom("'", "`", " ", "\n", "$", '"', "\\", "a", "-") }));

describe("command", () => {
  it("writes options before arguments, and the names of options as flags", () => {
    const words = command("apply", { allowLoss: ["a", "b"], prune: true, plan: "p.json" }, "live.yaml");
    expect(words.join(" ")).toBe("driftline apply --allow-loss a --allow-loss b --prune --plan p.json live.yaml");
  });
});

describe("commandLine", () => {
  it("quotes only what a shell would take apart", () => {
    expect(commandLine(["driftline", "plan", "a/b.yaml", "--var", "x=1", "a b", "", "it's"])).toBe(
      String.raw`driftline plan a/b.yaml --var x=1 'a b' '' 'it'\''s'`,
    );
  });
});

describe("withoutCommand", () => {
  it("takes off what withCommand added, regardless of the words", () => {
    fc.assert(
      fc.property(word, fc.array(word), (text, words) => {
        expect(withoutCommand(withCommand(text, words), words)).toBe(text);
      }),
    );
  });

  it("finds no other command", () => {
    expect(withoutCommand("To see it: `driftline plan`", ["driftline", "apply"])).toBeUndefined();
    expect(withoutCommand("To see it: `driftline plan` again", ["driftline", "plan"])).toBeUndefined();
  });
});
